"""What Logfire gets, set up as its users do."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_ai import Agent

from pydantic_ai_history_repair import RepairHistory

from .agents import ScriptedModel, calls, returns, says, user

logfire = pytest.importorskip('logfire')
from logfire.testing import CaptureLogfire  # noqa: E402

pytestmark = pytest.mark.anyio


async def test_repairs_reach_logfire(capfire: CaptureLogfire):
    """The `chat` span holds counts and events, the metric its points, and no message content with them."""
    script = ScriptedModel()
    agent: Agent[Any, Any] = Agent(script.model(), capabilities=[RepairHistory()])
    logfire.instrument_pydantic_ai(agent)
    secret = 'correct horse battery staple'
    await agent.run('go on', message_history=[user(secret), calls('a'), user('two'), says(), returns('gone'), says()])

    spans = capfire.exporter.exported_spans_as_dict()
    [chat] = [span for span in spans if span['name'].startswith('chat ')]
    prefix = 'pydantic_ai.history_repair.'
    told = {name.removeprefix(prefix): value for name, value in chat['attributes'].items() if name.startswith(prefix)}
    assert told == {
        'synthesized_tool_returns': 1,
        'dropped_orphaned_results': 1,
        'merged_messages': 1,
        'total': 3,
        'consecutive_requests': 1,
        'codes': ('HR101', 'HR102', 'HR201'),
        'tool_call_ids': ('a', 'gone'),
        'first_changed_message': 2,
        'dialect': 'unknown',
        'scope': 'run_start',
    }
    assert [event['name'] for event in chat['events']] == [f'{prefix}repaired'] * 3
    assert 'horse' not in str([told, chat['events']])

    [metric] = [metric for metric in capfire.get_collected_metrics() if metric['name'] == f'{prefix}repairs']
    assert metric['unit'] == '{repair}'
    points = {point['attributes']['code']: point['value'] for point in metric['data']['data_points']}
    assert points == {'HR101': 1, 'HR102': 1, 'HR201': 1}
