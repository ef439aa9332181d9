"""A cancelled call stops at once in every phase, is charged or released once, and frees
its slot.
"""

import asyncio
from contextlib import aclosing

import pytest

from edison.kit.errors import Conflict
from edison.pipeline.generate.outcome import FailureReason, TextDelta
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.pipeline.generate.path.question import Question
from edison.pipeline.generate.providers.scripted import Scripted
from tests.pipeline.generate.path.recording import (
    WORST_NANOS,
    Desk,
    RecordingLedger,
    failure,
    make_question,
    virtual_queue,
)
from tests.support.virtual_time import in_virtual_time, virtual_now


def slow(**rest: object) -> Scripted:
    return Scripted(answers=("Paris is the capital.",), is_repeated=True, delay_seconds=20, **rest)


async def cancel_after(seconds: float, desk: Desk, question: Question) -> None:
    task = asyncio.create_task(desk.path.answer(question))
    await asyncio.sleep(seconds)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def is_free(dispatch: DispatchQueue) -> bool:
    return (dispatch.state.under_way, dispatch.state.waiting) == (0, 0)


@in_virtual_time
async def test_cancelling_a_sent_call_stops_it_and_charges_the_worst_case() -> None:
    desk = Desk()
    question = make_question(slow())
    await cancel_after(5, desk, question)
    assert virtual_now() == 5
    assert desk.ledger.ends == [("cancelled", WORST_NANOS)]
    assert [report.outcome for report in desk.observer.reports] == [None]
    assert is_free(question.dispatch)


@in_virtual_time
async def test_cancelling_a_queued_call_costs_nothing() -> None:
    desk = Desk()
    dispatch = virtual_queue(concurrency=1)
    held = dispatch.try_enter()
    assert held is not None
    await cancel_after(5, desk, make_question(slow(), dispatch=dispatch))
    dispatch.leave(held, None)
    assert desk.ledger.ends == [("cancelled", 0)]
    assert desk.observer.waits == [("concurrency", 5)]
    assert is_free(dispatch)


@in_virtual_time
async def test_cancelling_between_attempts_leaves_nothing_to_charge() -> None:
    desk = Desk()
    question = make_question(Scripted(answers=(failure(),)))
    await cancel_after(0.5, desk, question)
    assert desk.ledger.ends == [("provider", 0)]
    assert desk.observer.waits == [("retry", 0.5)]


@in_virtual_time
async def test_cancelling_while_reserving_sends_and_charges_nothing() -> None:
    desk = Desk(ledger=RecordingLedger(delay_seconds=3))
    question = make_question(slow())
    await cancel_after(1, desk, question)
    assert desk.ledger.reservations == []
    assert question.provider.calls == ()  # type: ignore[attr-defined]  # it is scripted
    assert is_free(question.dispatch)


@in_virtual_time
async def test_cancelling_while_the_budget_refuses_just_cancels() -> None:
    desk = Desk(ledger=RecordingLedger(budget=0, delay_seconds=3))
    await cancel_after(1, desk, make_question(slow()))
    assert desk.ledger.reservations == []


@in_virtual_time
async def test_a_call_cancelled_twice_is_charged_once() -> None:
    desk = Desk()
    task = asyncio.create_task(desk.path.answer(make_question(slow())))
    await asyncio.sleep(10)
    task.cancel()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert virtual_now() == 10
    assert desk.ledger.ends == [("cancelled", WORST_NANOS)]


@in_virtual_time
async def test_a_call_taken_over_by_another_process_is_not_sent() -> None:
    desk = Desk(ledger=RecordingLedger(is_taken_over=True))
    question = make_question(slow())
    with pytest.raises(Conflict):
        await desk.path.answer(question)
    assert question.provider.calls == ()  # type: ignore[attr-defined]  # it is scripted
    assert desk.ledger.ends == [("cancelled", 0)]
    assert desk.observer.reports == []
    assert is_free(question.dispatch)


@in_virtual_time
async def test_closing_a_stream_charges_the_worst_case() -> None:
    desk = Desk()
    question = make_question(slow())
    async with aclosing(desk.path.stream(question)) as items:
        assert await anext(items) == TextDelta(text="Paris ")
    assert desk.ledger.ends == [("cancelled", WORST_NANOS)]
    assert is_free(question.dispatch)


@in_virtual_time
async def test_closing_a_waiting_stream_leaves_the_queue() -> None:
    desk = Desk()
    dispatch = virtual_queue(concurrency=1)
    held = dispatch.try_enter()
    assert held is not None
    async with aclosing(desk.path.stream(make_question(slow(), dispatch=dispatch))) as items:
        await anext(items)
        assert dispatch.state.waiting == 1
    assert desk.ledger.ends == [("cancelled", 0)]
    dispatch.leave(held, None)
    assert is_free(dispatch)


@in_virtual_time
async def test_a_cancelled_call_counts_neither_for_nor_against_the_service() -> None:
    desk = Desk()
    dispatch = virtual_queue()
    for _ in range(6):
        await cancel_after(1, desk, make_question(slow(), dispatch=dispatch))
    timed_out = failure(FailureReason.TIMEOUT, is_retryable=False)
    await desk.path.answer(make_question(Scripted(answers=(timed_out,)), dispatch=dispatch))
    assert dispatch.state.breaker == "closed"
    assert dispatch.state.size == dispatch.state.most
