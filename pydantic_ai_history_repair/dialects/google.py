"""Gemini `generateContent`, on the Gemini API and on Vertex AI."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ._base import Dialect

GOOGLE: Final = Dialect(
    name='google',
    title='Gemini generateContent',
    api='google',
    source='https://ai.google.dev/api/generate-content',
    results_name_their_call=True,
    results_first=True,
    ends_on_user=True,
    own_providers=frozenset({'google', 'google-gla', 'google-cloud', 'google-vertex'}),
    base64_signatures=True,
    sources={
        'results_name_their_call': 'https://ai.google.dev/gemini-api/docs/function-calling',
        'results_first': 'https://github.com/pydantic/pydantic-ai/issues/4210',
        'ends_on_user': 'https://github.com/crewAIInc/crewAI/pull/6973',
        'base64_signatures': 'https://github.com/google-gemini/gemini-cli/issues/13467',
    },
)

GOOGLE_VERTEX: Final = replace(
    GOOGLE,
    name='google-vertex',
    title='Gemini on Vertex AI',
    source='https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference',
    models='^(google-vertex|google-cloud):',
    results_in_one_request=True,
    refused_text=frozenset({'empty'}),
    sources={
        **GOOGLE.sources,
        'results_in_one_request': 'https://github.com/pydantic/pydantic-ai/issues/580',
        'refused_text': 'https://github.com/pydantic/pydantic-ai/issues/580',
    },
)
