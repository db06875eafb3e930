"""A real model adapter for each API, pointed at a server on loopback."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from pydantic_ai.models import Model


class MissingSDK(Exception):
    """The provider's SDK is not installed; the text says how to install it."""


def adapter(api: str, base_url: str) -> Model[Any]:
    """The adapter for an API, as a user would make it but for the address.

    Raises:
        MissingSDK: If the provider's SDK is not installed.
    """
    extra, make = _ADAPTERS[api]
    try:
        return make(base_url)
    except ImportError:
        raise MissingSDK(
            f"the adapter for {api!r} needs its provider's SDK: pip install 'pydantic-ai-slim[{extra}]'"
        ) from None


# Each imports its adapter when it is called: importing one needs the provider's SDK.


def _anthropic(url: str) -> Model[Any]:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    return AnthropicModel('claude-sonnet-5', provider=AnthropicProvider(base_url=url, api_key='none'))


def _bedrock(url: str) -> Model[Any]:
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    provider = BedrockProvider(
        base_url=url, region_name='us-east-1', aws_access_key_id='none', aws_secret_access_key='none'
    )
    return BedrockConverseModel('us.anthropic.claude-sonnet-4-5-20250929-v1:0', provider=provider)


def _google(url: str) -> Model[Any]:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    return GoogleModel('gemini-2.5-flash', provider=GoogleProvider(base_url=url, api_key='none'))


def _mistral(url: str) -> Model[Any]:
    from pydantic_ai.models.mistral import MistralModel
    from pydantic_ai.providers.mistral import MistralProvider

    return MistralModel('mistral-small-latest', provider=MistralProvider(base_url=url, api_key='none'))


def _openai_chat(url: str) -> Model[Any]:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    return OpenAIChatModel('gpt-5-mini', provider=OpenAIProvider(base_url=url, api_key='none'))


def _openai_responses(url: str) -> Model[Any]:
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    return OpenAIResponsesModel('gpt-5-mini', provider=OpenAIProvider(base_url=url, api_key='none'))


_ADAPTERS: Mapping[str, tuple[str, Callable[[str], Model[Any]]]] = MappingProxyType(
    {
        'anthropic': ('anthropic', _anthropic),
        'bedrock': ('bedrock', _bedrock),
        'google': ('google', _google),
        'mistral': ('mistral', _mistral),
        'openai-chat': ('openai', _openai_chat),
        'openai-responses': ('openai', _openai_responses),
    }
)
"""The extra that brings the SDK, and the adapter, by API."""
