"""Calls as the call path makes them: take a slot, wait, release the slot."""

import asyncio

from edison.library.calls.shares import Share
from edison.pipeline.generate.outcome import Completion, FinishReason
from edison.pipeline.generate.path.fair_queue import Slot
from edison.pipeline.generate.path.ports import Waiting

ANSWER = Completion(text="Yes.", finish_reason=FinishReason.STOP, usage=None, model="m")


async def enter(share: Share) -> Slot:
    """A slot for a call that does not end."""
    await share.ready()
    slot = share.dispatch.try_enter()
    if slot is not None:
        return slot
    waiter = share.dispatch.join()
    try:
        while isinstance(news := await waiter.news(), Waiting):
            pass
    except asyncio.CancelledError:
        share.dispatch.abandon(waiter)
        raise
    assert isinstance(news, Slot)
    return news


async def call(share: Share, seconds: float) -> None:
    try:
        slot = await enter(share)
        try:
            await asyncio.sleep(seconds)
        finally:
            share.dispatch.leave(slot, ANSWER)
    finally:
        share.done()
