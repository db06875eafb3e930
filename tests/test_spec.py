"""`RepairHistory` in an agent spec: as a dictionary, as JSON and as YAML."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.agent.spec import AgentSpec
from pydantic_ai.capabilities import AbstractCapability

from pydantic_ai_history_repair import RepairHistory

GUIDE = Path(__file__).parents[1] / 'docs' / 'guides' / 'capability.md'
OWN_OPTIONS = {option.name for option in fields(RepairHistory) if option.init} - {
    option.name for option in fields(AbstractCapability)
}


def spec(*capabilities: Any) -> dict[str, Any]:
    return {'model': 'test', 'capabilities': list(capabilities)}


def load(spec: dict[str, Any] | AgentSpec) -> RepairHistory[Any]:
    """The capability that an agent made from a spec has."""
    return capability_of(Agent.from_spec(spec, custom_capability_types=[RepairHistory]))


def capability_of(agent: Agent[Any, Any]) -> RepairHistory[Any]:
    found: list[RepairHistory[Any]] = []

    def keep(capability: AbstractCapability[Any]) -> None:
        if isinstance(capability, RepairHistory):
            found.append(capability)

    agent.root_capability.apply(keep)
    [capability] = found
    return capability


def options(capability: RepairHistory[Any]) -> dict[str, Any]:
    return {name: getattr(capability, name) for name in sorted(OWN_OPTIONS)}


EVERY_OPTION = {
    'dialect': 'anthropic',
    'ignore': ['HR104', 'HR201'],
    'unanswered_calls': 'close',
    'orphaned_results': 'note',
}


def test_schema_publishes_every_option():
    """Editors complete and check the options in a spec file: the schema has each with its values."""
    schema = AgentSpec.model_json_schema_with_capabilities([RepairHistory])
    published = schema['$defs']['spec_params_RepairHistory']
    assert {name: field for name, field in published['properties'].items() if name in OWN_OPTIONS} == {
        'dialect': {'anyOf': [{'type': 'string'}, {'type': 'null'}], 'title': 'Dialect'},
        'ignore': {'items': {'type': 'string'}, 'title': 'Ignore', 'type': 'array'},
        'unanswered_calls': {'enum': ['raise', 'close'], 'title': 'Unanswered Calls', 'type': 'string'},
        'orphaned_results': {'enum': ['drop', 'note'], 'title': 'Orphaned Results', 'type': 'string'},
    }
    assert published['additionalProperties'] is False
    assert 'required' not in published
    entries = json.dumps(schema['properties']['capabilities']['items'])
    assert '{"const": "RepairHistory", "type": "string"}' in entries
    assert '{"$ref": "#/$defs/spec_RepairHistory"}' in entries


def test_name_alone_gives_the_defaults():
    """A spec that only names the capability gets what `RepairHistory()` gives."""
    assert load(spec('RepairHistory')) == RepairHistory()


def test_single_value_is_the_dialect():
    """The short form of a spec sets the first option."""
    assert load(spec({'RepairHistory': 'anthropic'})) == RepairHistory(dialect='anthropic')


def test_every_option_round_trips():
    """What a spec says arrives, for every option there is, and dumping the spec says it again."""
    assert set(EVERY_OPTION) == OWN_OPTIONS
    written = AgentSpec.from_dict(spec({'RepairHistory': EVERY_OPTION}))
    read = AgentSpec.from_text(
        written.model_dump_json(by_alias=True, exclude_defaults=True, context={'use_short_form': True}), fmt='json'
    )
    assert options(load(written)) == options(load(read)) == EVERY_OPTION


@pytest.mark.parametrize('name', sorted(OWN_OPTIONS))
def test_each_option_alone(name: str):
    """An option left out has its default."""
    loaded = load(spec({'RepairHistory': {name: EVERY_OPTION[name]}}))
    assert options(loaded) == {**options(RepairHistory()), name: EVERY_OPTION[name]}


def test_unknown_option_is_refused_by_name():
    """A misspelt option is an error that names it and the capability."""
    with pytest.raises(ValueError, match=r"'RepairHistory'.*'dialekt'"):
        load(spec({'RepairHistory': {'dialekt': 'anthropic'}}))


@pytest.mark.parametrize(
    ('wrong', 'message'),
    [
        ({'dialect': 'klingon'}, r"'RepairHistory': `dialect` must be one of .*, got 'klingon'"),
        ({'ignore': ['HR999']}, r"'RepairHistory': `ignore` must be a list of rule codes .*, got \['HR999'\]"),
        ({'unanswered_calls': 'drop'}, r"'RepairHistory': `unanswered_calls` must be 'raise' or 'close', got 'drop'"),
    ],
)
def test_wrong_value_is_refused_by_name(wrong: dict[str, Any], message: str):
    """A value that an option cannot have is an error that names the option and the value."""
    with pytest.raises(ValueError, match=message):
        load(spec({'RepairHistory': wrong}))


def test_unlisted_capability_is_refused():
    """Without `custom_capability_types` the name means nothing to Pydantic AI."""
    with pytest.raises(ValueError, match='RepairHistory'):
        Agent.from_spec(spec('RepairHistory'))


def test_yaml_of_the_guide(tmp_path: Path):
    """The spec file that the guide shows loads, and says what the guide says."""
    pytest.importorskip('yaml')
    [block] = re.findall(r'```yaml title="agent\.yaml"\n(.*?)```', GUIDE.read_text(encoding='utf-8'), re.DOTALL)
    path = tmp_path / 'agent.yaml'
    path.write_text(block, encoding='utf-8')
    loaded = load(AgentSpec.from_file(path))
    assert options(loaded) == {
        'dialect': None,
        'ignore': ['HR201'],
        'unanswered_calls': 'close',
        'orphaned_results': 'note',
    }
    from_file = Agent.from_file(path, custom_capability_types=[RepairHistory])
    assert capability_of(from_file) == loaded
