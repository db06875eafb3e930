"""What the rules need to know of a request besides its messages, and what a repair may change in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, cast

from pydantic_ai.models import ModelRequestContext
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from ._terms import RequestFacts

_INERT: Final = 'Named by an earlier part of this conversation. It is not available any more: do not call it.'


def request_facts(request: ModelRequestContext) -> RequestFacts:
    """What is known of a request."""
    parameters = request.model_request_parameters
    # Newer cores call native tools by another name than older ones.
    declared = (parameters.function_tools, parameters.output_tools, *map(parameters.__dict__.get, _NATIVE_TOOLS))
    return RequestFacts(declares_tools=any(declared), thinks=_thinks(request.model_settings))


_NATIVE_TOOLS: Final = ('native_tools', 'builtin_tools')


def _thinks(settings: Any) -> bool:
    """Whether thinking with a budget is on: adaptive thinking leaves it to the model whether a turn has any."""
    settings = settings or {}
    bedrock: Any = settings.get('bedrock_additional_model_requests_fields') or {}
    thinking: Any = settings.get('anthropic_thinking') or bedrock.get('thinking') or {}
    return isinstance(thinking, Mapping) and cast(Mapping[str, Any], thinking).get('type') == 'enabled'


def declare_tools(request: ModelRequestContext, names: Iterable[str]) -> None:
    """Have a request declare tools that nothing stands behind, and ask the model not to call one."""
    schema = {'type': 'object', 'properties': dict[str, Any]()}
    tools = [ToolDefinition(name=name, description=_INERT, parameters_json_schema=schema) for name in names]
    request.model_request_parameters = replace(request.model_request_parameters, function_tools=tools)
    request.model_settings = cast(ModelSettings, {**(request.model_settings or {}), 'tool_choice': 'none'})
