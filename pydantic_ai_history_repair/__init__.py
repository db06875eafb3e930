"""Repairs broken message histories for Pydantic AI agents, and shows every repair in the trace."""

from ._capability import RepairHistory
from ._findings import Finding, Location, Repair, RepairReport
from ._processor import history_processor
from ._repair import check_history, is_provider_valid, repair_history
from .dialects import Dialect, dialect_for
from .rules import CORE_RULES, RULES

__version__ = '0.1.0'

__all__ = (
    'CORE_RULES',
    'RULES',
    'Dialect',
    'Finding',
    'Location',
    'Repair',
    'RepairHistory',
    'RepairReport',
    '__version__',
    'check_history',
    'dialect_for',
    'history_processor',
    'is_provider_valid',
    'repair_history',
)
