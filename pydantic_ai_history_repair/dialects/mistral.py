"""Mistral chat, through `MistralModel`, which fits the ids and separates users from tools itself."""

from __future__ import annotations

from typing import Final

from ._base import Dialect

MISTRAL: Final = Dialect(
    name='mistral',
    title='Mistral chat',
    api='mistral',
    source='https://docs.mistral.ai/api/#tag/chat',
    answers_each_response=True,
    results_first=True,
    system_first=True,
    ends_on_user=True,
    own_providers=frozenset({'mistral'}),
    sources={
        'answers_each_response': 'https://github.com/mistralai/client-ts/issues/106',
        'results_first': 'https://github.com/charmbracelet/crush/issues/279',
        'system_first': 'https://docs.mistral.ai/api/#tag/chat',
        'ends_on_user': 'https://docs.mistral.ai/api/#tag/chat',
    },
)
