from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic_ai_history_repair.strict_provider import WireViolation, check_request


@dataclass(frozen=True, kw_only=True)
class RuleCase:
    """A body that breaks one rule, and its nearest neighbour that does not."""

    api: str
    code: str
    broken: Any
    pointer: str
    error: str
    accepted: Any
    family: str | None = None
    model: str | None = None
    also: tuple[str, ...] = ()
    """Codes of other rules that the broken body breaks too."""
    other_family: str | None = None
    """A family that the broken body is fine for."""

    def verdict(self, body: Any, family: str | None = None) -> list[WireViolation]:
        return check_request(self.api, body, model=self.model, family=family or self.family)

    def check(self) -> None:
        """Assert the whole verdict on both bodies."""
        found = self.verdict(self.broken)
        ours = [(violation.pointer, violation.provider_error) for violation in found if violation.code == self.code]
        assert ours[:1] == [(self.pointer, self.error)]
        assert tuple(sorted({violation.code for violation in found} - {self.code})) == self.also
        assert self.verdict(self.accepted) == []
        if self.other_family:
            assert self.code not in {violation.code for violation in self.verdict(self.broken, self.other_family)}


def case_id(case: RuleCase) -> str:
    """The name of a case in the test output."""
    return f'{case.code}-{case.pointer}'
