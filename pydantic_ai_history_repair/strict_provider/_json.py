"""What a JSON value of unknown shape holds, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

Path: TypeAlias = tuple[str | int, ...]
"""Keys and indexes from the body down to a value."""

Object: TypeAlias = dict[str, object]


@dataclass(frozen=True, kw_only=True)
class Misfit:
    """A value that its place does not take.

    `found` is the JSON type that stands there, `'nothing'` for `null` or an absent key, `'unknown'` for a string that
    is none of the expected ones.
    """

    path: Path
    expected: str
    found: str

    def in_openai_words(self) -> str:
        """The error text that OpenAI's APIs have for it."""
        place = bracketed(self.path)
        if self.found == 'nothing':
            return f"Missing required parameter: '{place}'."
        expected, found = (f'{"an" if kind[0] in "ao" else "a"} {kind}' for kind in (self.expected, self.found))
        return f"Invalid type for '{place}': expected {expected}, but got {found} instead."


@dataclass
class Reader:
    """Hands out values of the demanded type, an empty one in place of a misfit, and remembers the misfits."""

    misfits: list[Misfit] = field(default_factory=list[Misfit])

    def object(self, value: object, path: Path) -> Object:
        """The value as an object."""
        if isinstance(value, dict):
            return cast('Object', value)
        return self._misfit(path, 'object', value) or {}

    def array(self, value: object, path: Path) -> list[object]:
        """The value as an array."""
        if isinstance(value, list):
            return cast('list[object]', value)
        return self._misfit(path, 'array', value) or []

    def string(self, value: object, path: Path) -> str:
        """The value as a string."""
        if isinstance(value, str):
            return value
        return self._misfit(path, 'string', value) or ''

    def one_of(self, value: object, known: tuple[str, ...], path: Path) -> str:
        """The value as one of the known strings."""
        found = self.string(value, path)
        if isinstance(value, str) and found not in known:
            expected = ' or '.join(repr(name) for name in known)
            self.misfits.append(Misfit(path=path, expected=expected, found='unknown'))
        return found

    def objects(self, value: object, path: Path) -> Iterator[tuple[Path, Object]]:
        """Each object of an array, with its path; entries of another type are noted and skipped."""
        for index, entry in enumerate(self.array(value, path)):
            known = len(self.misfits)
            found = self.object(entry, (*path, index))
            if len(self.misfits) == known:
                yield (*path, index), found

    def _misfit(self, path: Path, expected: str, value: object) -> None:
        self.misfits.append(Misfit(path=path, expected=expected, found=kind_of(value)))


def kind_of(value: object) -> str:
    """The JSON name of a value's type, `'nothing'` for `None`."""
    names: tuple[tuple[type, str], ...] = (
        (bool, 'boolean'),
        (int, 'number'),
        (float, 'number'),
        (str, 'string'),
        (list, 'array'),
        (dict, 'object'),
    )
    return next((name for kind, name in names if isinstance(value, kind)), 'nothing')


def object_at(value: object, *keys: str) -> Object:
    """The object found by following the keys, an empty one where the way ends early."""
    for key in keys:
        value = cast('Object', value).get(key) if isinstance(value, dict) else None
    return cast('Object', value) if isinstance(value, dict) else {}


def objects_in(value: object) -> list[Object]:
    """The objects of an array, nothing for any other value."""
    entries = cast('list[object]', value) if isinstance(value, list) else []
    return [cast('Object', entry) for entry in entries if isinstance(entry, dict)]


def text_at(value: Object, key: str) -> str:
    """The string under a key, an empty one for any other value."""
    found = value.get(key)
    return found if isinstance(found, str) else ''


def pointer(path: Path) -> str:
    """The path as a JSON Pointer (RFC 6901)."""
    return ''.join('/' + str(token).replace('~', '~0').replace('/', '~1') for token in path)


def dotted(path: Path) -> str:
    """The path as Anthropic, Bedrock and Groq print it: `messages.3.content.0`."""
    return '.'.join(str(token) for token in path)


def bracketed(path: Path) -> str:
    """The path as OpenAI prints it: `messages[3].content[0]`."""
    return ''.join(f'[{token}]' if isinstance(token, int) else f'.{token}' for token in path).removeprefix('.')
