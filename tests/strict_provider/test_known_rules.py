from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from pydantic_ai_history_repair.strict_provider import check_request

from . import test_anthropic, test_bedrock, test_google, test_mistral, test_openai_chat, test_openai_responses
from .known_rules import NOT_SEEN, SEEN_BY
from .rule_tables import API_MODULES, rules_of

if TYPE_CHECKING:
    from pathlib import Path

CASES = [
    case
    for module in (test_anthropic, test_bedrock, test_google, test_mistral, test_openai_chat, test_openai_responses)
    for case in module.CASES
]


@pytest.mark.parametrize('api', API_MODULES)
def test_every_rule_has_a_case(api: str) -> None:
    """Each rule of an API is shown with a body that breaks it and one that does not."""
    borrowed = {'mistral-user-after-tool'} if api == 'openai-chat' else set[str]()
    assert {case.code for case in CASES if case.api == api} == {rule.code for rule in rules_of(api)} | borrowed


def test_every_known_rule_is_accounted_for() -> None:
    """All 93 known rules are either seen by codes that have a case, or excused."""
    assert len(SEEN_BY) + len(NOT_SEEN) == 93
    assert not SEEN_BY.keys() & NOT_SEEN.keys()
    assert {code for codes in SEEN_BY.values() for code in codes} <= {case.code for case in CASES}


def test_account_agrees_with_the_catalogue(shared: Path) -> None:
    """The account lists the very rules that the catalogue of the shared folder has."""
    catalogue = shared / 'research' / 'provider_rules.jsonl'
    if not catalogue.is_file():
        pytest.skip(f'no catalogue at {catalogue}')
    lines = catalogue.read_text(encoding='utf-8').splitlines()
    assert SEEN_BY.keys() | NOT_SEEN.keys() == {json.loads(line)['id'] for line in lines}


def test_codes_are_kebab_case_and_sourced() -> None:
    """A code can be typed, and each rule names where it can be read."""
    for api in API_MODULES:
        for rule in rules_of(api):
            assert rule.code == rule.code.lower().replace('_', '-').replace(' ', '-')
            assert rule.source.startswith('https://')
            assert rule.summary.endswith('.')


def test_family_names_of_rules_exist() -> None:
    """A rule that holds for some families names ones that its API knows."""
    families = import_module('pydantic_ai_history_repair.strict_provider._families').FAMILIES
    for api in API_MODULES:
        known = {family.name for family in families[api]}
        for rule in rules_of(api):
            assert known >= set(rule.families), rule.code


def test_messages_and_errors_never_quote_content() -> None:
    """A verdict may be logged: it names ids and tools, but repeats no text of the conversation."""
    secret = 'sesame-open'
    for case in CASES:
        hidden = json.loads(json.dumps(case.broken).replace('"hi"', f'"{secret}"').replace('"seen"', f'"{secret}"'))
        for violation in check_request(case.api, hidden, model=case.model, family=case.family):
            assert secret not in violation.message + violation.provider_error
