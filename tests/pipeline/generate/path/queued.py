"""Calls in a dispatch queue, for tests."""

from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
)
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.pipeline.generate.path.fair_queue import QueuedCall, Slot
from edison.pipeline.generate.path.ports import Waiting
from tests.pipeline.generate.path.recording import failure

ANSWER = Completion(text="Yes.", finish_reason=FinishReason.STOP, usage=None, model="m")
RATE_LIMIT = FailureReason.RATE_LIMIT


def enter(dispatch: DispatchQueue) -> Slot:
    slot = dispatch.try_enter()
    assert slot is not None
    return slot


async def reason(waiter: QueuedCall) -> str:
    news = await waiter.news()
    assert isinstance(news, Waiting), news
    return news.sentence


async def end(waiter: QueuedCall) -> Slot | CallFailed:
    while isinstance(news := await waiter.news(), Waiting):
        pass
    return news


def fail(dispatch: DispatchQueue, times: int, outcome: CallFailed | None = None) -> None:
    for _ in range(times):
        dispatch.leave(enter(dispatch), outcome or failure())
