"""The tables of `docs/strict-provider.md`, made from the data; run as a module to renew them."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from .known_rules import NOT_SEEN

if TYPE_CHECKING:
    from pydantic_ai_history_repair.strict_provider._families import Family
    from pydantic_ai_history_repair.strict_provider._wire_rules._wire_rule import WireRule

PAGE = Path(__file__).parents[2] / 'docs' / 'strict-provider.md'
PACKAGE = 'pydantic_ai_history_repair.strict_provider'
API_MODULES = {
    'anthropic': 'anthropic',
    'bedrock': 'bedrock',
    'google': 'google',
    'mistral': 'mistral',
    'openai-chat': 'openai_chat',
    'openai-responses': 'openai_responses',
}


def rules_of(api: str) -> list[WireRule]:
    """The rules of an API, in the order of their file."""
    module = import_module(f'{PACKAGE}._wire_rules.{API_MODULES[api]}')
    rule_type = import_module(f'{PACKAGE}._wire_rules._wire_rule').WireRule
    return [value for value in vars(module).values() if isinstance(value, rule_type)]


def rule_table(api: str) -> str:
    """What an API enforces, one row per code."""
    rows = {rule.code: rule for rule in reversed(rules_of(api))}
    lines = ['| code | what is demanded | families | source, looked up |', '|---|---|---|---|']
    for rule in sorted(rows.values(), key=lambda rule: rule.code):
        families = ', '.join(f'`{family}`' for family in rule.families) or 'all'
        error = '' if rule.literal else ' (error text not known literally)'
        lines.append(
            f'| `{rule.code}` | {rule.summary}{error} | {families} | [source]({rule.source}), {rule.checked} |'
        )
    return '\n'.join(lines)


def family_table(api: str) -> str:
    """The families of an API, in the order in which a model name is tried."""
    families: tuple[Family, ...] = import_module(f'{PACKAGE}._families').FAMILIES[api]
    lines = ['| family | what sets it apart | deduced from the name | looked up |', '|---|---|---|---|']
    for family in families:
        deduced = 'yes' if family.pattern else 'no'
        why = f'[{family.why.rstrip(".")}]({family.source})' if family.source else family.why
        lines.append(f'| `{family.name}` | {why} | {deduced} | {family.checked} |')
    return '\n'.join(lines)


def unseen_table() -> str:
    """The known rules that one body cannot show."""
    lines = ['| rule | why it is not enforced |', '|---|---|']
    return '\n'.join([*lines, *(f'| `{rule}` | {reason} |' for rule, reason in sorted(NOT_SEEN.items()))])


def renew(page: str) -> str:
    """The page with every marked table made anew."""
    tables = {f'{kind} {api}': make(api) for api in API_MODULES for kind, make in MAKERS.items()}
    tables['unseen'] = unseen_table()

    def table(mark: re.Match[str]) -> str:
        return f'<!-- table: {mark[1]} -->\n{tables[mark[1]]}\n<!-- end -->'

    return re.sub(r'<!-- table: ([\w -]+?) -->\n.*?<!-- end -->', table, page, flags=re.DOTALL)


MAKERS = {'rules': rule_table, 'families': family_table}

if __name__ == '__main__':
    PAGE.write_text(renew(PAGE.read_text(encoding='utf-8')), encoding='utf-8')
