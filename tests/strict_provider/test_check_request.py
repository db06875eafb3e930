from __future__ import annotations

import ast
import copy
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pydantic_ai_history_repair.strict_provider as package
from pydantic_ai_history_repair.strict_provider import WireViolation, check_request

from .rule_tables import API_MODULES
from .test_known_rules import CASES

if TYPE_CHECKING:
    from collections.abc import Iterator

FAMILIES = import_module('pydantic_ai_history_repair.strict_provider._families').FAMILIES

# Names that mean something to one API or another, so that arbitrary JSON reaches the rules.
WORDS = st.sampled_from(
    [
        *('messages', 'contents', 'input', 'role', 'content', 'parts', 'type', 'text', 'id', 'name', 'arguments'),
        *('user', 'assistant', 'model', 'system', 'tool', 'tool_use', 'tool_result', 'tool_calls', 'tool_call_id'),
        *('call_id', 'function', 'function_call', 'function_call_output', 'functionCall', 'functionResponse'),
        *('toolUse', 'toolResult', 'toolUseId', 'thinking', 'signature', 'thoughtSignature', 'reasoning', 'tools'),
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=4), inner, max_size=5),
    max_leaves=25,
)


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every node of a JSON value, but not of the value itself."""
    children: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        children = list(cast('dict[str, Any]', value).items())
    elif isinstance(value, list):
        children = list(enumerate(cast('list[Any]', value)))
    for key, child in children:
        yield (*path, key)
        yield from paths(child, (*path, key))


@settings(deadline=None)
@given(api=st.sampled_from(list(API_MODULES)), body=JSON, model=st.none() | st.text(max_size=8), data=st.data())
def test_arbitrary_json_is_judged(api: str, body: Any, model: str | None, data: st.DataObject) -> None:
    """Whatever a body holds, the answer is a list of violations that point into it."""
    family = data.draw(st.sampled_from([None, *(family.name for family in FAMILIES[api])]))
    if data.draw(st.booleans()):
        body = {{'google': 'contents', 'openai-responses': 'input'}.get(api, 'messages'): body}
    verdict = check_request(api, body, model=model, family=family)
    assert all(isinstance(violation, WireViolation) for violation in verdict)
    assert all(violation.pointer.startswith('/') or not violation.pointer for violation in verdict)


@settings(deadline=None)
@given(case=st.sampled_from(CASES), data=st.data())
def test_mutations_of_bodies_are_judged(case: Any, data: st.DataObject) -> None:
    """A body with one node taken away or replaced is judged too."""
    body = copy.deepcopy(data.draw(st.sampled_from([case.accepted, case.broken])))
    places = sorted(paths(body), key=str)
    if places:
        *way, last = data.draw(st.sampled_from(places))
        parent = body
        for key in way:
            parent = parent[key]
        if data.draw(st.booleans()):
            del parent[last]
        else:
            parent[last] = data.draw(JSON)
    assert isinstance(case.verdict(body), list)


@pytest.mark.parametrize('api', API_MODULES)
@pytest.mark.parametrize('body', [None, True, 3, 2.5, 'text', [], [{}], object()])
def test_body_of_a_wrong_type_is_malformed(api: str, body: Any) -> None:
    """What is no object is refused at the root, without a look at the rest."""
    verdict = check_request(api, body)
    assert verdict[0].code.endswith('-malformed-body')
    assert verdict[0].pointer == ''


@pytest.mark.parametrize('api', API_MODULES)
def test_deeply_nested_body_is_judged(api: str) -> None:
    """Depth alone does no harm."""
    nested: Any = 'x'
    for _ in range(5000):
        nested = [nested]
    assert check_request(api, {'messages': nested, 'contents': nested, 'input': nested})


def test_deeply_nested_arguments_are_no_crash() -> None:
    """Arguments too deep for a parser are no JSON to the vendors that parse them."""
    call = {'id': 'a', 'type': 'function', 'function': {'name': 'look', 'arguments': '[' * 200_000}}
    messages = [
        {'role': 'user', 'content': 'hi'},
        {'role': 'assistant', 'content': '', 'tool_calls': [call]},
        {'role': 'tool', 'tool_call_id': 'a', 'content': 'seen'},
    ]
    verdict = check_request('openai-chat', {'messages': messages}, family='qwen')
    assert [violation.code for violation in verdict] == ['qwen-args-json']


def test_unknown_api_is_an_error() -> None:
    """The error names the argument, the rule and the value."""
    with pytest.raises(ValueError, match=r"^`api` must be one of 'anthropic', .*'openai-responses', got 'cohere'\.$"):
        check_request('cohere', {})


def test_unknown_family_is_an_error() -> None:
    """A family of another API is as unknown as a misspelt one."""
    with pytest.raises(ValueError, match=r"^`family` must be one of 'claude-4.5', .* for 'anthropic', got 'nova'\.$"):
        check_request('anthropic', {}, family='nova')


def test_family_overrides_the_model_name() -> None:
    """The name says Claude 4.5, which takes a prefill; the family says later, which does not."""
    body = {
        'model': 'claude-sonnet-4-5',
        'messages': [{'role': 'user', 'content': 'hi'}, {'role': 'assistant', 'content': 'So'}],
    }
    assert check_request('anthropic', body) == []
    assert [v.code for v in check_request('anthropic', body, family='claude-4.6')] == ['anthropic-no-prefill']
    assert [v.code for v in check_request('anthropic', body, model='claude-opus-5')] == ['anthropic-no-prefill']


@pytest.mark.parametrize(
    ('api', 'model', 'family'),
    [
        ('anthropic', 'claude-3-5-sonnet-latest', 'claude-4.5'),
        ('anthropic', 'claude-opus-4-1-20250805', 'claude-4.5'),
        ('anthropic', 'claude-sonnet-4@20250514', 'claude-4.5'),
        ('anthropic', 'claude-haiku-4-5', 'claude-4.5'),
        ('anthropic', 'claude-opus-4-6', 'claude-4.6'),
        ('anthropic', 'claude-sonnet-4.7', 'claude-4.6'),
        ('anthropic', 'claude-fable-5', 'claude-4.8'),
        ('anthropic', 'kimi-k2', 'other'),
        ('bedrock', 'us.anthropic.claude-sonnet-4-20250514-v1:0', 'claude-4.5'),
        ('bedrock', 'eu.anthropic.claude-opus-4-8', 'claude-4.8'),
        ('bedrock', 'amazon.nova-pro-v1:0', 'nova'),
        ('bedrock', 'us.meta.llama4-maverick-17b-instruct-v1:0', 'llama'),
        ('bedrock', 'us.mistral.pixtral-large-2502-v1:0', 'mistral'),
        ('bedrock', 'us.writer.palmyra-x4-v1:0', 'writer'),
        ('google', 'gemini-2.5-flash', 'gemini-2'),
        ('google', 'models/gemini-3.5-flash', 'gemini-3'),
        ('google', 'gemini-3.5-flash-lite', 'gemini-3.6'),
        ('google', 'gemini-3.10-pro', 'gemini-3.6'),
        ('google', 'publishers/google/models/gemini-3-pro', 'vertex-gemini-3'),
        ('google', 'publishers/google/models/gemini-4-pro', 'vertex-gemini-3.6'),
        ('openai-chat', 'gpt-4o', 'openai'),
        ('openai-chat', 'o3-mini', 'openai'),
        ('openai-chat', 'openai/gpt-4o', 'other'),
        ('openai-chat', 'llama-3.3-70b-versatile', 'other'),
        ('openai-chat', 'mistral-large-2411', 'mistral'),
        ('openai-responses', 'openai.gpt-5.5', 'openai'),
        ('openai-responses', 'deepseek-v4-flash', 'deepseek'),
        ('mistral', 'mistral-large-latest', 'other'),
    ],
)
def test_family_of_a_model_name(api: str, model: str, family: str) -> None:
    """The family that a model name gives away."""
    assert import_module(f'{package.__name__}._families').family_of(api, model) == family


def test_pointers_escape_what_the_standard_says() -> None:
    """A key with a slash or a tilde points to itself."""
    body = {
        'model': 'gpt-5',
        'messages': [{'role': 'user', 'content': 'hi'}, {'role': 'assistant', 'content': 'x', 'rs_/~': 'hm'}],
    }
    assert [violation.pointer for violation in check_request('openai-chat', body)] == ['/messages/1/rs_~1~0']


def test_exports_are_sorted_and_complete() -> None:
    """Every public name of the package is listed, in order."""
    assert list(package.__all__) == sorted(package.__all__)
    public = {name for name, value in vars(package).items() if not name.startswith('_') and callable(value)}
    assert public == set(package.__all__)


def test_standard_library_is_enough() -> None:
    """The judge shares no code with the rules it judges, and needs no provider's SDK."""
    judge = [*Path(package.__path__[0]).glob('_*.py'), *Path(package.__path__[0]).glob('_wire_rules/*.py')]
    imported: set[str] = set()
    for path in judge:
        for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                imported.add(node.module or '')
    outside = {name for name in imported if name.split('.')[0] not in sys.stdlib_module_names}
    assert all(name.startswith(f'{package.__name__}.') for name in outside)
