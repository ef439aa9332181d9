"""The digest under which an answer is kept: over everything that shapes it, and nothing else.

The encoding is JSON with sorted names in a fixed order of positions, so that no two questions are
written alike. Credentials have no part in it: the same service gives the same answer to all keys.
"""

import hashlib
import json

from edison.pipeline.generate.call import Call, Parameters

VERSION = "v1"
# Not orjson: it refuses whole numbers beyond 64 bits and writes NaN like null.
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def cache_key(*, provider: str, endpoint: str, call: Call, redaction: str | None = None) -> str:
    """`endpoint` tells servers apart that the provider alone does not, such as a base URL.

    What the model is not sent, because it would refuse it, counts as well: once the model's
    capabilities are corrected, the answer is another. `redaction` names what was taken out of it.
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
    ]
    return hashlib.sha256(_encode(question).encode()).hexdigest()


def _written(parameters: Parameters) -> list[object]:
    """Whole numbers count as the fractions they equal: a temperature of 1 is one of 1.0."""
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
