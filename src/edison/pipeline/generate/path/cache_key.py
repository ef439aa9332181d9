"""Cache key of an answer: a digest of everything that affects the answer, and nothing else.

The encoding is JSON with sorted keys and fixed positions, so different requests never encode to the
same text. Credentials are not part of the key: a service gives the same answer to every API key.
"""

import hashlib
import json

from edison.pipeline.generate.call import Call, Parameters

VERSION = "v1"
# Not orjson: it rejects integers beyond 64 bits and encodes NaN as null.
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def cache_key(*, provider: str, endpoint: str, call: Call, redaction: str | None = None) -> str:
    """`endpoint` distinguishes servers of the same provider, for example by base URL. `redaction`
    names the redaction applied to the answer.

    Parameters that are not sent because the model does not accept them are part of the key: once
    the model's capabilities are corrected, the answer differs.
    """
    prompt = call.prompt
    _, ignored = call.sendable()
    question = [
        VERSION,
        provider,
        endpoint,
        call.model,
        prompt.system,
        [[message.role, message.text] for message in prompt.messages],
        [[tool.name, tool.description, tool.parameters] for tool in prompt.tools],
        prompt.wants_json,
        _written(call.parameters),
        ignored,
        *([] if redaction is None else [redaction]),
        *([prompt.json_schema] if call.sends_schema else []),
    ]
    return hashlib.sha256(_encode(question).encode()).hexdigest()


def _written(parameters: Parameters) -> list[object]:
    """Integers and floats of equal value give the same key: a temperature of 1 equals 1.0."""
    return [
        parameters.max_tokens,
        parameters.stop,
        parameters.seed,
        *(
            None if value is None else float(value)
            for value in (
                parameters.temperature,
                parameters.top_p,
                parameters.frequency_penalty,
                parameters.presence_penalty,
            )
        ),
    ]
