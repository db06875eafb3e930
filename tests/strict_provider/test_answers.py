"""What each API's answers look like on the wire, where no adapter shows it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest
from inline_snapshot import snapshot

from pydantic_ai_history_repair.strict_provider import (
    ProviderError,
    Text,
    Thinking,
    ToolCall,
    WireViolation,
    strict_provider,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic_ai_history_repair.strict_provider import ApiName
    from pydantic_ai_history_repair.strict_provider._script import ScriptEntry

PATHS: dict[ApiName, str] = {
    'anthropic': '/v1/messages',
    'bedrock': '/model/us.anthropic.claude%3A0/converse',
    'google': '/v1beta/models/gemini-2.5-flash:generateContent',
    'mistral': '/v1/chat/completions',
    'openai-chat': '/chat/completions',
    'openai-responses': '/responses',
}


def accepts(_api: str, _body: object, /, **_options: str | None) -> list[WireViolation]:
    return []


def answers(
    api: ApiName, script: Sequence[ScriptEntry], path: str | None = None, **body: Any
) -> list[tuple[int, dict[str, str], bytes]]:
    """Status, headers and body of one answer for each entry of the script."""
    seen: list[tuple[int, dict[str, str], bytes]] = []
    with strict_provider(api, judge=accepts, script=script) as provider:
        for _ in script:
            request = urllib.request.Request(f'{provider.base_url}{path or PATHS[api]}', json.dumps(body).encode())
            response: Any
            try:
                response = urllib.request.urlopen(request, timeout=10)
            except urllib.error.HTTPError as error:
                response = error
            with response:
                seen.append((response.status, dict(response.headers), response.read()))
    return seen


def body_of(api: ApiName, entry: ScriptEntry, path: str | None = None, **body: Any) -> Any:
    [(status, headers, answer)] = answers(api, [entry], path, **body)
    assert (status, headers['Content-Type']) == (200, 'application/json')
    return json.loads(answer)


def events_of(api: ApiName, entry: ScriptEntry, path: str | None = None, **body: Any) -> list[str]:
    [(status, headers, answer)] = answers(api, [entry], path, **body)
    assert (status, headers['Content-Type']) == (200, 'text/event-stream; charset=utf-8')
    assert answer.endswith(b'\n\n')
    return answer.decode().split('\n\n')[:-1]


def test_anthropic_stream() -> None:
    """Anthropic's events are named, and each block opens empty and closes."""
    turn = [Thinking('Hm.'), Text('A tool.'), ToolCall('now', {'zone': 'UTC'})]
    events = events_of('anthropic', turn, stream=True, model='claude')
    assert [event.split('\n')[0] for event in events] == [
        'event: message_start',
        'event: ping',
        'event: content_block_start',
        'event: content_block_delta',
        'event: content_block_delta',
        'event: content_block_stop',
        'event: content_block_start',
        'event: content_block_delta',
        'event: content_block_stop',
        'event: content_block_start',
        'event: content_block_delta',
        'event: content_block_stop',
        'event: message_delta',
        'event: message_stop',
    ]
    assert json.loads(events[9].split('data: ')[1])['content_block'] == {
        'type': 'tool_use',
        'id': 'toolu_c00000102',
        'name': 'now',
        'input': {},
    }


def test_openai_chat() -> None:
    """A thought stands in DeepSeek's field, at Groq's path in Groq's; a turn of calls only has no content."""
    message = body_of('openai-chat', [Thinking('Hm.'), ToolCall('now')], model='m')['choices'][0]['message']
    assert message == {
        'role': 'assistant',
        'content': None,
        'refusal': None,
        'reasoning_content': 'Hm.',
        'tool_calls': [
            {'id': 'call_c00000101', 'type': 'function', 'function': {'name': 'now', 'arguments': '{}'}},
        ],
    }
    groq = body_of('openai-chat', [Thinking('Hm.'), Text('Hi')], '/openai/v1/chat/completions', model='m')
    assert groq['choices'][0]['message']['reasoning'] == 'Hm.'


def test_openai_chat_stream() -> None:
    """Calls are counted among themselves; usage comes when asked for, then the end mark."""
    turn = [Text('Two.'), ToolCall('a'), ToolCall('b')]
    events = events_of('openai-chat', turn, stream=True, stream_options={'include_usage': True})
    assert events[-1] == 'data: [DONE]'
    chunks = [json.loads(event.removeprefix('data: ')) for event in events[:-1]]
    calls = [call for chunk in chunks for choice in chunk['choices'] for call in choice['delta'].get('tool_calls', [])]
    assert [(call['index'], call.get('id')) for call in calls] == [
        (0, 'call_c00000101'),
        (0, None),
        (1, 'call_c00000102'),
        (1, None),
    ]
    assert chunks[-1]['choices'] == []
    assert chunks[-1]['usage']['total_tokens'] > 0
    assert 'usage' not in events_of('openai-chat', turn, stream=True)[-2]


def test_openai_responses() -> None:
    """Reasoning is encrypted only for those who ask, and items carry ids of their own."""
    turn = [Thinking('Hm.'), Text('A tool.'), ToolCall('now', id='call_own')]
    output = body_of('openai-responses', turn)['output']
    assert [item['id'] for item in output] == ['rs_c00000100', 'msg_c00000101', 'fc_c00000102']
    assert output[2]['call_id'] == 'call_own'
    assert output[0]['encrypted_content'] is None
    encrypted = body_of('openai-responses', turn, include=['reasoning.encrypted_content'])['output'][0]
    assert encrypted['encrypted_content']


def test_openai_responses_stream() -> None:
    """Events are numbered from 0 and name their item; the last one holds the whole response."""
    turn = [Thinking('Hm.'), Text('A tool.'), ToolCall('now')]
    events = [json.loads(event.split('data: ')[1]) for event in events_of('openai-responses', turn, stream=True)]
    assert [event['sequence_number'] for event in events] == list(range(len(events)))
    assert [event['type'] for event in events] == snapshot(
        [
            'response.created',
            'response.in_progress',
            'response.output_item.added',
            'response.reasoning_summary_part.added',
            'response.reasoning_summary_text.delta',
            'response.reasoning_summary_text.done',
            'response.reasoning_summary_part.done',
            'response.output_item.done',
            'response.output_item.added',
            'response.content_part.added',
            'response.output_text.delta',
            'response.output_text.done',
            'response.content_part.done',
            'response.output_item.done',
            'response.output_item.added',
            'response.function_call_arguments.delta',
            'response.function_call_arguments.done',
            'response.output_item.done',
            'response.completed',
        ]
    )
    assert events[-1]['response'] == body_of('openai-responses', turn, stream=False)


def test_google_signature() -> None:
    """The signature stands on the first call, else on the text after a thought, else nowhere."""

    def parts(entry: ScriptEntry) -> list[Any]:
        return body_of('google', entry)['candidates'][0]['content']['parts']

    signed = [[name for name in part if name != 'thought'] for part in parts([ToolCall('a'), ToolCall('b')])]
    assert signed == [['functionCall', 'thoughtSignature'], ['functionCall']]
    assert parts([Thinking('Hm.', signature='QUI='), Text('Hi')]) == [
        {'text': 'Hm.', 'thought': True},
        {'text': 'Hi', 'thoughtSignature': 'QUI='},
    ]
    assert parts(Text('Hi')) == [{'text': 'Hi'}]
    assert 'thoughtSignature' not in json.dumps(parts([Thinking('Hm.', signature=None), ToolCall('a')]))


def test_google_stream_of_an_empty_turn() -> None:
    """A turn without parts still ends with a finish reason."""
    [event] = events_of('google', [], '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse')
    [candidate] = json.loads(event.removeprefix('data: '))['candidates']
    assert candidate == {'content': {'parts': [], 'role': 'model'}, 'index': 0, 'finishReason': 'STOP'}


def test_mistral_content() -> None:
    """Content is a string, and a list of chunks as soon as a thought is in it; ids have nine characters."""
    message = body_of('mistral', [Text('Hi'), ToolCall('now')])['choices'][0]['message']
    assert message['content'] == 'Hi'
    assert [call['id'] for call in message['tool_calls']] == ['c00000101']
    message = body_of('mistral', [Thinking('Hm.'), Text('Hi')])['choices'][0]['message']
    assert message['content'] == [
        {'type': 'thinking', 'thinking': [{'type': 'text', 'text': 'Hm.'}], 'closed': True},
        {'type': 'text', 'text': 'Hi'},
    ]
    assert message['tool_calls'] is None


def test_bedrock_frames() -> None:
    """Botocore's own decoder takes every frame, checksums and all."""
    turn = [Thinking('Hm.'), Text('A tool.'), ToolCall('now', {'zone': 'UTC'})]
    path = PATHS['bedrock'].replace('/converse', '/converse-stream')
    [(status, headers, answer)] = answers('bedrock', [turn], path)
    assert (status, headers['Content-Type']) == (200, 'application/vnd.amazon.eventstream')
    eventstream = pytest.importorskip('botocore.eventstream')
    buffer = eventstream.EventStreamBuffer()
    buffer.add_data(answer)
    messages: list[Any] = list(buffer)
    assert {message.headers[':message-type'] for message in messages} == {'event'}
    events = [(message.headers[':event-type'], json.loads(message.payload)) for message in messages]
    assert events[:-1] == snapshot(
        [
            ('messageStart', {'role': 'assistant'}),
            (
                'contentBlockDelta',
                {'delta': {'reasoningContent': {'text': 'Hm.'}}, 'contentBlockIndex': 0},
            ),
            (
                'contentBlockDelta',
                {
                    'delta': {'reasoningContent': {'signature': 'c3RyaWN0LXByb3ZpZGVy'}},
                    'contentBlockIndex': 0,
                },
            ),
            ('contentBlockStop', {'contentBlockIndex': 0}),
            ('contentBlockDelta', {'delta': {'text': 'A tool.'}, 'contentBlockIndex': 1}),
            ('contentBlockStop', {'contentBlockIndex': 1}),
            (
                'contentBlockStart',
                {
                    'start': {'toolUse': {'toolUseId': 'tooluse_c00000102', 'name': 'now'}},
                    'contentBlockIndex': 2,
                },
            ),
            (
                'contentBlockDelta',
                {'delta': {'toolUse': {'input': '{"zone":"UTC"}'}}, 'contentBlockIndex': 2},
            ),
            ('contentBlockStop', {'contentBlockIndex': 2}),
            ('messageStop', {'stopReason': 'tool_use'}),
        ]
    )
    assert events[-1][0] == 'metadata'


def test_bedrock_thought_without_signature() -> None:
    """`signature=None` leaves the field out."""
    content = body_of('bedrock', Thinking('Hm.', signature=None))['output']['message']['content']
    assert content == [{'reasoningContent': {'reasoningText': {'text': 'Hm.'}}}]


@pytest.mark.parametrize(
    ('api', 'path'),
    [
        ('anthropic', '/v1/messages/count_tokens?beta=true'),
        ('google', '/v1beta/models/gemini-2.5-flash:countTokens'),
        ('openai-responses', '/responses/input_tokens'),
    ],
)
def test_token_count(api: ApiName, path: str) -> None:
    """Counting tokens is judged like a completion, and takes nothing from the script."""
    with strict_provider(api, judge=accepts, script=[Text('Hi')]) as provider:
        with urllib.request.urlopen(f'{provider.base_url}{path}', b'{"contents": []}', timeout=10) as response:
            count = json.loads(response.read())
        assert 4 in count.values()
        with urllib.request.urlopen(f'{provider.base_url}{PATHS[api]}', b'{}', timeout=10) as response:
            assert b'Hi' in response.read()


def test_error_envelopes() -> None:
    """Each API wraps a status and a text in its own envelope."""
    envelopes = {
        api: [
            body.decode() for _, _, body in answers(api, [ProviderError(status, 'No.') for status in (400, 429, 503)])
        ]
        for api in PATHS
    }
    assert envelopes == snapshot(
        {
            'anthropic': [
                '{"type":"error","error":{"type":"invalid_request_error","message":"No."},"request_id":"req_strict_provider"}',
                '{"type":"error","error":{"type":"rate_limit_error","message":"No."},"request_id":"req_strict_provider"}',
                '{"type":"error","error":{"type":"api_error","message":"No."},"request_id":"req_strict_provider"}',
            ],
            'bedrock': ['{"message":"No."}', '{"message":"No."}', '{"message":"No."}'],
            'google': [
                '{"error":{"code":400,"message":"No.","status":"INVALID_ARGUMENT"}}',
                '{"error":{"code":429,"message":"No.","status":"RESOURCE_EXHAUSTED"}}',
                '{"error":{"code":503,"message":"No.","status":"UNAVAILABLE"}}',
            ],
            'mistral': [
                '{"object":"error","message":"No.","type":"invalid_request_error","param":null,"code":null}',
                '{"object":"error","message":"No.","type":"rate_limited","param":null,"code":null}',
                '{"object":"error","message":"No.","type":"service_unavailable","param":null,"code":null}',
            ],
            'openai-chat': [
                '{"error":{"message":"No.","type":"invalid_request_error","param":null,"code":null}}',
                '{"error":{"message":"No.","type":"rate_limit_error","param":null,"code":null}}',
                '{"error":{"message":"No.","type":"server_error","param":null,"code":null}}',
            ],
            'openai-responses': [
                '{"error":{"message":"No.","type":"invalid_request_error","param":null,"code":null}}',
                '{"error":{"message":"No.","type":"rate_limit_error","param":null,"code":null}}',
                '{"error":{"message":"No.","type":"server_error","param":null,"code":null}}',
            ],
        }
    )


def test_error_headers() -> None:
    """Bedrock names the exception in a header, Anthropic the request; Mistral's 422 has a shape of its own."""
    bedrock = answers('bedrock', [ProviderError(status, 'No.') for status in (400, 429, 500)])
    assert [(status, headers['x-amzn-ErrorType']) for status, headers, _ in bedrock] == [
        (400, 'ValidationException'),
        (429, 'ThrottlingException'),
        (500, 'InternalServerException'),
    ]
    [(_, headers, _)] = answers('anthropic', [ProviderError(400)])
    assert headers['request-id'] == 'req_strict_provider'
    [(_, _, body)] = answers('mistral', [ProviderError(422, 'No.')])
    assert json.loads(body) == {'detail': [{'type': 'value_error', 'loc': ['body'], 'msg': 'No.'}]}


def test_error_with_a_body() -> None:
    """A body of one's own is sent instead of the envelope."""
    [(status, _, body)] = answers('openai-chat', [ProviderError(418, body={'teapot': True})])
    assert (status, json.loads(body)) == (418, {'teapot': True})
