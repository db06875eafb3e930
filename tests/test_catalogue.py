"""Every provider rule that is known has somebody who sees to it."""

from __future__ import annotations

import re

from pydantic_ai_history_repair import RULES

from .catalogue import PAGE, VERDICTS, page
from .strict_provider.known_rules import NOT_SEEN, SEEN_BY


def test_page_is_fresh():
    """The page says what the catalogue says."""
    assert PAGE.read_text(encoding='utf-8') == page(), 'renew it with `python -m tests.catalogue`'


def test_every_known_rule_is_there():
    """The catalogue has the very rules that the strict provider gives an account of."""
    assert set(VERDICTS) == {*SEEN_BY, *NOT_SEEN}


def test_somebody_sees_to_each():
    """Each is seen to by rules that there are, by the adapter, by the request, or by the provider alone."""
    codes = {rule.code for rule in RULES}
    for id, verdict in VERDICTS.items():
        assert verdict.by in ('adapter', 'request', 'provider') or set(verdict.by.split(', ')) <= codes, id


def test_every_rule_is_asked_for():
    """There is no rule of ours that no provider asks for."""
    named = {code for verdict in VERDICTS.values() for code in re.findall(r'HR\d+', verdict.by)}
    assert named == {rule.code for rule in RULES}
