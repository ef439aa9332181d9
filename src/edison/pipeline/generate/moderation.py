"""Moderation models by OpenAI's protocol: input a text, output categories.

A moderation model is called like any other model, so its answers are cached, limited, retried and
charged in the same way. The completion's text is the JSON object of the result.
"""

from collections.abc import Awaitable, Callable
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING

import orjson

from edison.pipeline.generate.call import Call
from edison.pipeline.generate.facts import ModelFacts
from edison.pipeline.generate.fault import OutboundFailed
from edison.pipeline.generate.fields import UnusableCredential
from edison.pipeline.generate.outcome import FinishReason, Outcome, Usage
from edison.pipeline.generate.prices import Prices, Rate
from edison.pipeline.generate.wire.failures import (
    RequestContext,
    failure_of_answer,
    failure_of_error,
    failure_of_fault,
    malformed,
    request_id,
)
from edison.pipeline.generate.wire.json_value import Json
from edison.pipeline.generate.wire.reply import Reply

if TYPE_CHECKING:
    from edison.pipeline.generate.http_connection import WholeAnswer

_FAMILIES = ("omni-moderation", "text-moderation")
_FREE = Rate(nanos_per_million=0)

# OpenAI charges nothing for moderation and counts no tokens.
FACTS = ModelFacts(
    context_window=32_768, prices=Prices(input=_FREE, output=_FREE, version="moderation is free")
)
_NOTHING_COUNTED = Usage(input_tokens=0, output_tokens=0)

Send = Callable[[bytes], Awaitable["WholeAnswer"]]


@lru_cache(maxsize=256)
def is_moderation_model(model: str) -> bool:
    """Decides by the last part of the name: gateways prefix the vendor's name."""
    return model.lower().rpartition("/")[2].startswith(_FAMILIES)


async def moderate(call: Call, asked: RequestContext, send: Send) -> Outcome:
    """Moderates the prompt's messages; the rest of the call is not used."""
    started = perf_counter()
    text = "\n\n".join(message.text for message in call.prompt.messages)
    try:
        answer = await send(orjson.dumps({"model": call.model, "input": text}))
        content = answer.whole_content()
    except OutboundFailed as fault:
        return failure_of_fault(asked, fault)
    except UnusableCredential as unusable:
        return unusable.failure(asked)
    if not answer.is_success:
        return failure_of_answer(asked, answer.status, answer.headers, content)
    reply = Reply(started=started, ignored=call.sendable()[1], model=call.model)
    reply.request_id = request_id(answer.headers)
    return _read(answer, reply, asked)


def _read(answer: "WholeAnswer", reply: Reply, asked: RequestContext) -> Outcome:
    document = Json.parse(answer.content)
    if document is None:
        return malformed(asked, "it is not JSON")
    if document["error"]:
        return failure_of_error(asked, document, status=answer.status, headers=answer.headers)
    result = document["results"].first
    if not isinstance(result["flagged"].value, bool) or not result["category_scores"].is_object:
        return malformed(asked, "it holds no result")
    reply.add_text(orjson.dumps(result.value, option=orjson.OPT_SORT_KEYS).decode())
    reply.model = document.text_of("model") or reply.model
    reply.finish_reason = FinishReason.STOP
    reply.usage = _NOTHING_COUNTED
    return reply.outcome(asked)
