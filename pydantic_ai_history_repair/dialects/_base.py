"""What a dialect is: the facts that decide which histories an API accepts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

Blank = Literal['empty', 'whitespace']
"""Text without a character in it, or with nothing but white space."""

NOTHING_REFUSED: Final[frozenset[Blank]] = frozenset()


class NameFormat(NamedTuple):
    """What an id or a name may look like."""

    characters: str
    """The characters it may have, as the inside of a regular expression's brackets."""

    longest: int
    """How many characters it may have at most."""

    shortest: int = 1
    """How many characters it has at least."""

    @property
    def pattern(self) -> re.Pattern[str]:
        """Matches what is allowed, in full."""
        return re.compile(f'[{self.characters}]{{{self.shortest},{self.longest}}}')

    def allows(self, character: str) -> bool:
        """Whether a character may be in it."""
        return re.fullmatch(f'[{self.characters}]', character) is not None


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """A wire API as far as it decides which histories are accepted: frozen facts, each with its source.

    A fact is what the API demands *of a history that Pydantic AI's own adapter sends*. What the newest adapter sees to
    by itself (tool results in front, ids for `MistralModel`, a user turn ahead of a leading response) is no fact here, so
    that a history which arrives well is left alone. Every fact is a restriction: its default restricts nothing.
    """

    name: str
    """The name to pass as `dialect=`, such as `'openai-chat'`."""

    title: str
    """The name people use."""

    api: str
    """The wire API, one of `strict_provider`'s; for a family of models the one that it is served through."""

    source: str | None
    """Where the API is documented; `None` for a combination, which is no single API."""

    models: str = ''
    """Which models are of this family: a regular expression, searched in `<system>:<model name>` in lower case. Empty for
    the API itself, which takes every model that no family claims."""

    tool_call_id: NameFormat | None = None
    """What a tool call id looks like (HR301)."""

    distinct_tool_call_ids: bool = False
    """No id is used twice in one request, not even in another turn (HR105)."""

    tool_name: NameFormat | None = None
    """What the tool name of a call in the history looks like (HR302)."""

    results_name_their_call: bool = False
    """A result carries the tool name of its call (HR303)."""

    answers_each_response: bool = False
    """Two responses in a row are two turns: each one's calls are answered before the next (HR103)."""

    calls_last: bool = False
    """Within one turn of the model nothing follows a tool call (HR206, HR103)."""

    results_first: bool = False
    """Nothing stands before the results in the turn that answers calls (HR202, HR203)."""

    results_in_one_request: bool = False
    """The results of one turn are in one message, even if nothing stands between them (HR203)."""

    results_alone: bool = False
    """The user does not speak directly after tool results: the model does (HR207)."""

    system_first: bool = False
    """A system message stands at the beginning of the conversation only (HR208)."""

    needs_user_message: bool = False
    """There is at least one message by the user (HR204)."""

    ends_on_user: bool = False
    """The conversation ends on the user's turn (HR205)."""

    refused_text: frozenset[Blank] = NOTHING_REFUSED
    """Text of prompts and responses that is refused (HR401)."""

    refused_result_text: frozenset[Blank] = NOTHING_REFUSED
    """Text of tool results that is refused (HR401)."""

    refuses_empty_response: bool = False
    """A response has text, thinking or a call in it (HR402)."""

    own_providers: frozenset[str] = frozenset()
    """The `provider_name`s whose item ids, signatures and native tools the adapter sends back."""

    signed_thinking: bool = False
    """Thinking of the own provider goes back with its signature or as text (HR501)."""

    refused_thinking_id: str | None = None
    """Ids of thinking that the adapter would send as the name of a field: a regular expression (HR502)."""

    base64_signatures: bool = False
    """A signature is Base64 (HR502)."""

    item_id_prefixes: Mapping[str, str] | None = None
    """How item ids begin, by `part_kind`; they are distinct (HR304), and reasoning is followed by what it led to (HR503)."""

    pairs_native_tools: bool = False
    """The result of a native tool has its call before it, once (HR504)."""

    declares_tools: bool = False
    """A request whose history has tool calls declares tools (HR601)."""

    thinking_opens_tool_loop: bool = False
    """With thinking switched on, a tool loop that is still going on starts with thinking (HR505)."""

    sources: Mapping[str, str] = field(default_factory=dict[str, str])
    """Where each fact can be read, by the name of its field."""

    checked: str = '2026-12-01'
    """The day on which the sources were last compared, as an ISO date."""

    @cached_property
    def facts(self) -> Mapping[str, object]:
        """The facts that restrict something, by the name of their field."""
        return MappingProxyType(
            {name: getattr(self, name) for name in FACTS if getattr(self, name) != getattr(_UNRESTRICTED, name)}
        )


_UNRESTRICTED: Final = Dialect(name='', title='', api='', source=None)

FACTS: Final = tuple(
    name
    for name in Dialect.__dataclass_fields__
    if name not in ('name', 'title', 'api', 'source', 'models', 'own_providers', 'sources', 'checked')
)
"""The names of the fields that hold facts."""
