"""The wire APIs that histories are sent to, and what each of them accepts."""

from ._base import FACTS, Blank, Dialect, NameFormat
from ._combined import strictest
from ._known import DIALECTS, resolve_dialect
from ._serving import dialect_for

__all__ = ('DIALECTS', 'FACTS', 'Blank', 'Dialect', 'NameFormat', 'dialect_for', 'resolve_dialect', 'strictest')
