"""Cache key of an answer: a digest of everything that affects the answer, and nothing else.

The encoding is JSON with sorted keys and fixed positions, so different requests never encode to the
same text. Credentials are not part of the key: a service gives the same answer to every API key.
"""

import hashlib
import json
from functools import lru_cache

from edison.kit.ascii_json import encode_text
from edison.pipeline.generate.call import Call, Capabilities, Parameters
from edison.pipeline.render.prompt import RenderedPrompt

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
    system = "null" if prompt.system is None else encode_text(prompt.system)
    messages = ",".join([f'["{each.role}",{encode_text(each.text)}]' for each in prompt.messages])
    if prompt.tools or prompt.json_schema is not None:
        rest = _rest(call, redaction)
    else:
        rest = _rest_without_tools(
            call.parameters, call.capabilities, wants_json=prompt.wants_json, redaction=redaction
        )
    asked = _asked(provider, endpoint, call.model)
    return hashlib.sha256(f"{asked},{system},[{messages}],{rest}".encode()).hexdigest()


# The calls of a variant differ in their texts only.
@lru_cache(maxsize=256)
def _asked(provider: str, endpoint: str, model: str) -> str:
    """Everything before the texts, without the closing bracket."""
    return _encode([VERSION, provider, endpoint, model])[:-1]


@lru_cache(maxsize=256)
def _rest_without_tools(
    parameters: Parameters, capabilities: Capabilities, *, wants_json: bool, redaction: str | None
) -> str:
    prompt = RenderedPrompt(messages=(), wants_json=wants_json)
    call = Call(model="", prompt=prompt, parameters=parameters, capabilities=capabilities)
    return _rest(call, redaction)


def _rest(call: Call, redaction: str | None) -> str:
    """Everything after the messages, with the closing bracket."""
    prompt = call.prompt
    _, ignored = call.sendable()
    rest = [
        [[tool.name, tool.description, tool.parameters] for tool in prompt.tools],
        prompt.wants_json,
        _written(call.parameters),
        ignored,
        *([] if redaction is None else [redaction]),
        *([prompt.json_schema] if call.sends_schema else []),
    ]
    return _encode(rest)[1:]


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
