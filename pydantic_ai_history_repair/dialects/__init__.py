"""The wire APIs that histories are sent to."""

from ._base import DIALECTS, Dialect, resolve_dialect
from ._serving import dialect_for

__all__ = ('DIALECTS', 'Dialect', 'dialect_for', 'resolve_dialect')
