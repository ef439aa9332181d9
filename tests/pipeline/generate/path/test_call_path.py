"""The call path: cache, retries, waits, streams and the cost of each attempt."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from edison.kit.errors import Exhausted
from edison.pipeline.generate.call import Call, Parameters
from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
    Outcome,
    Streamed,
    TextDelta,
    Usage,
)
from edison.pipeline.generate.path.ports import Waiting
from edison.pipeline.generate.path.question import CacheMode, CallListener, Redaction, Restarted
from edison.pipeline.generate.providers.scripted import Scripted, ScriptExhausted
from tests.pipeline.generate.path.recording import (
    MAX_TOKENS,
    PROMPT_NANOS,
    WORST_NANOS,
    Desk,
    RecordingLedger,
    failure,
    make_question,
    virtual_queue,
)
from tests.support.virtual_time import in_virtual_time, virtual_now

RATE_LIMIT, TIMEOUT = FailureReason.RATE_LIMIT, FailureReason.TIMEOUT
# Three words in and two out, at 1000 and 2000 nano-dollars.
PARIS_NANOS = 3 * 1000 + 2 * 2000


class Endless(Scripted):
    """Streams a few words and then nothing, whatever the deadline. A call that is not streamed
    yields no deltas.
    """

    async def complete(self, call: Call) -> Outcome:
        await asyncio.sleep(1e6)
        raise AssertionError

    async def stream(self, call: Call) -> AsyncIterator[Streamed]:
        yield TextDelta(text="abcdef")
        await asyncio.sleep(1e6)


class Breaking(Scripted):
    """Breaks off its first stream half-way, then follows its script."""

    async def stream(self, call: Call) -> AsyncIterator[Streamed]:
        if not self._calls:
            self._calls.append(call)
            yield TextDelta(text="Half an ans")
            yield failure(FailureReason.NETWORK)
            return
        async for item in super().stream(call):
            yield item


@in_virtual_time
async def test_an_answer_costs_its_tokens() -> None:
    desk = Desk()
    question = make_question(Scripted(answers=("Paris, France.",)))
    answer = await desk.path.answer(question)
    assert isinstance(answer.outcome, Completion)
    assert (answer.outcome.text, answer.attempts) == ("Paris, France.", 1)
    assert (answer.cost_nanos, answer.price_version) == (PARIS_NANOS, "test-1")
    assert answer.usage == Usage(input_tokens=3, output_tokens=2)
    assert (answer.is_cached, answer.waited_seconds) == (False, 0)
    (reservation,) = desk.ledger.reservations
    assert (reservation.intent.attempt, reservation.intent.worst_case_nanos) == (1, WORST_NANOS)
    assert desk.ledger.ends == [(None, PARIS_NANOS)]
    (report,) = desk.observer.reports
    assert (report.outcome, report.cost_nanos) == (answer.outcome, PARIS_NANOS)
    assert question.dispatch.state.under_way == 0


@in_virtual_time
async def test_a_repeated_question_is_answered_from_the_cache_for_free() -> None:
    desk = Desk()
    question = make_question(Scripted(answers=("Paris, France.",)))
    first = await desk.path.answer(question)
    again = await desk.path.answer(question)
    assert (again.outcome, again.cache_key) == (first.outcome, first.cache_key)
    assert (again.is_cached, again.cost_nanos, again.attempts) == (True, 0, 0)
    assert (len(desk.ledger.reservations), desk.observer.from_cache) == (1, 1)


@in_virtual_time
async def test_a_bypassed_cache_is_overwritten() -> None:
    desk = Desk()
    provider = Scripted(answers=("old", "new"))
    await desk.path.answer(make_question(provider))
    await desk.path.answer(make_question(provider, cache=CacheMode.BYPASS))
    kept = await desk.path.answer(make_question(provider))
    assert isinstance(kept.outcome, Completion)
    assert (kept.outcome.text, kept.is_cached) == ("new", True)


@in_virtual_time
async def test_failures_are_not_cached() -> None:
    desk = Desk()
    refusal = failure(FailureReason.CONTENT_FILTER, is_retryable=False)
    await desk.path.answer(make_question(Scripted(answers=(refusal,))))
    assert desk.cache.kept == {}


@in_virtual_time
async def test_a_cached_answer_streams_as_one_delta() -> None:
    desk = Desk()
    question = make_question(Scripted(answers=("Paris, France.",)))
    await desk.path.answer(question)
    before, answer = await desk.stream(question)
    assert before == [TextDelta(text="Paris, France.")]
    assert answer.is_cached


@in_virtual_time
async def test_failed_attempts_are_retried_and_each_attempt_is_charged() -> None:
    desk = Desk()
    heard: list[Waiting] = []
    scripted = Scripted(answers=(failure(), failure(TIMEOUT), "Paris, France."))
    listener = CallListener(on_wait=heard.append)
    answer = await desk.path.answer(make_question(scripted, listener=listener))
    assert [(each.reason, each.seconds, each.sentence) for each in heard] == [
        ("retry", 1, "Trying again in 1 s after a server error (attempt 2 of 3)"),
        ("retry", 2, "Trying again in 2 s after a timeout (attempt 3 of 3)"),
    ]
    assert desk.ledger.ends == [("provider", 0), ("timeout", WORST_NANOS), (None, PARIS_NANOS)]
    assert [each.intent.attempt for each in desk.ledger.reservations] == [1, 2, 3]
    assert (answer.attempts, answer.cost_nanos) == (3, WORST_NANOS + PARIS_NANOS)
    assert (answer.waited_seconds, virtual_now()) == (3, 3)
    assert desk.observer.waits == [("retry", 1), ("retry", 2)]


@in_virtual_time
async def test_after_three_attempts_the_last_failure_is_the_answer() -> None:
    desk = Desk()
    last = failure(TIMEOUT, request_id="req-3")
    answer = await desk.path.answer(make_question(Scripted(answers=(failure(), failure(), last))))
    assert isinstance(answer.outcome, CallFailed)
    assert (answer.outcome.request_id, answer.attempts) == ("req-3", 3)
    assert len(desk.ledger.charged) == 3


@in_virtual_time
async def test_retry_after_is_waited_out_and_shown_as_a_rate_limit() -> None:
    desk = Desk()
    limited = failure(RATE_LIMIT, retry_after_seconds=12)
    before, answer = await desk.stream(make_question(Scripted(answers=(limited, "Paris."))))
    assert [item.sentence for item in before if isinstance(item, Waiting)] == [
        "Waiting for OpenAI's rate limit, 12 s"
    ]
    assert (answer.attempts, virtual_now()) == (2, 12)


@in_virtual_time
async def test_a_retry_after_beyond_the_limit_is_a_final_failure() -> None:
    desk = Desk()
    limited = failure(RATE_LIMIT, retry_after_seconds=600)
    answer = await desk.path.answer(make_question(Scripted(answers=(limited,))))
    assert isinstance(answer.outcome, CallFailed)
    assert "asks to wait 600 s" in answer.outcome.message
    assert (answer.attempts, answer.cost_nanos) == (1, 0)


@in_virtual_time
async def test_a_dispatch_queue_that_gives_up_costs_nothing_and_releases() -> None:
    desk = Desk()
    dispatch = virtual_queue(patience_seconds=10)
    for _ in range(5):
        slot = dispatch.try_enter()
        assert slot is not None
        dispatch.leave(slot, failure())
    answer = await desk.path.answer(make_question(Scripted(), dispatch=dispatch))
    assert isinstance(answer.outcome, CallFailed)
    assert (answer.attempts, answer.cost_nanos, answer.usage) == (0, 0, None)
    assert desk.ledger.ends == [("provider", 0)]
    assert desk.observer.reports == []


@in_virtual_time
async def test_calls_waiting_for_a_slot_report_it() -> None:
    desk = Desk()
    dispatch = virtual_queue(concurrency=1)
    provider = Scripted(answers=("Paris.",), is_repeated=True, delay_seconds=10)
    questions = [make_question(provider, dispatch=dispatch, model=name) for name in ("a", "b")]
    first, (before, second) = await asyncio.gather(
        desk.path.answer(questions[0]), desk.stream(questions[1])
    )
    assert before[0] == Waiting(
        reason="concurrency",
        seconds=None,
        sentence="Waiting for a free slot of OpenAI, 1 call is in progress",
    )
    assert (first.waited_seconds, second.waited_seconds) == (0, 10)


@in_virtual_time
async def test_a_broken_stream_restarts_and_notifies_the_reader() -> None:
    desk = Desk()
    provider = Breaking(answers=("unused", "Paris."))
    before, answer = await desk.stream(make_question(provider))
    kinds = [item if isinstance(item, TextDelta) else type(item) for item in before]
    assert kinds == [TextDelta(text="Half an ans"), Restarted, Waiting, TextDelta(text="Paris.")]
    assert Restarted(attempt=2) in before
    assert desk.ledger.ends == [("network", WORST_NANOS), (None, 3 * 1000 + 2000)]
    assert answer.attempts == 2


@in_virtual_time
async def test_a_retry_before_anything_was_shown_restarts_nothing() -> None:
    before, _ = await Desk().stream(make_question(Scripted(answers=(failure(), "Paris."))))
    assert [type(item) for item in before] == [Waiting, TextDelta]


@in_virtual_time
async def test_an_answer_without_a_count_is_charged_a_token_per_byte() -> None:
    desk = Desk()
    uncounted = Completion(text="Grüße", finish_reason=FinishReason.STOP, usage=None, model="m")
    answer = await desk.path.answer(make_question(Scripted(answers=(uncounted,))))
    estimate = Usage(input_tokens=100, output_tokens=7, is_estimated=True)
    assert (answer.usage, answer.outcome.usage) == (estimate, estimate)
    assert answer.cost_nanos == PROMPT_NANOS + 7 * 2000


@in_virtual_time
async def test_without_a_price_only_unbilled_attempts_have_a_cost() -> None:
    desk = Desk()
    refusal = failure(FailureReason.INVALID_KEY, is_retryable=False)
    free = await desk.path.answer(make_question(Scripted(answers=(refusal,)), prices=None))
    charged = await desk.path.answer(make_question(Scripted(answers=("Paris.",)), prices=None))
    assert (free.cost_nanos, charged.cost_nanos) == (0, None)
    assert (charged.price_version, charged.usage) == (
        None,
        Usage(input_tokens=3, output_tokens=1),
    )
    assert {each.intent.worst_case_nanos for each in desk.ledger.reservations} == {None}


@in_virtual_time
async def test_an_unpriced_attempt_leaves_the_whole_cost_unknown() -> None:
    answer = await Desk().path.answer(
        make_question(Scripted(answers=(failure(TIMEOUT), failure(), failure())), prices=None)
    )
    assert answer.cost_nanos is None


@pytest.mark.parametrize(
    ("asked", "own_limit", "most"), [(None, 70, 70), (30, 70, 30), (None, None, 4096)]
)
@in_virtual_time
async def test_the_worst_case_assumes_max_tokens(
    asked: int | None, own_limit: int | None, most: int
) -> None:
    desk = Desk()
    await desk.path.answer(
        make_question(
            Scripted(answers=("Paris.",)),
            parameters=Parameters(max_tokens=asked),
            max_output_tokens=own_limit,
        )
    )
    (reservation,) = desk.ledger.reservations
    assert reservation.intent.worst_case_nanos == PROMPT_NANOS + most * 2000


@in_virtual_time
async def test_an_exhausted_budget_refuses_before_sending() -> None:
    desk = Desk(ledger=RecordingLedger(budget=1))
    question = make_question(Scripted(answers=(failure(), "Paris.")))
    with pytest.raises(Exhausted):
        await desk.path.answer(question)
    assert desk.ledger.ends == [("provider", 0)]
    assert question.dispatch.state.under_way == 0


@in_virtual_time
async def test_a_provider_that_exceeds_its_deadline_is_cut_off() -> None:
    desk = Desk()
    question = make_question(Endless(), timeout_seconds=60)
    answer = await desk.path.answer(question)
    assert isinstance(answer.outcome, CallFailed)
    assert (answer.outcome.reason, answer.attempts) == (TIMEOUT, 3)
    assert answer.outcome.message == "OpenAI did not answer within 60 s."
    assert virtual_now() == 3 * 65 + 1 + 2
    assert desk.ledger.ends == [("timeout", WORST_NANOS)] * 3


@in_virtual_time
async def test_a_stream_that_exceeds_its_deadline_is_charged_the_worst_case() -> None:
    desk = Desk()
    before, answer = await desk.stream(make_question(Endless(), timeout_seconds=60))
    assert isinstance(answer.outcome, CallFailed)
    assert answer.outcome.reason is TIMEOUT
    assert before.count(TextDelta(text="abcdef")) == 3
    assert desk.ledger.ends == [("timeout", WORST_NANOS)] * 3


@in_virtual_time
async def test_a_bug_in_a_provider_is_charged_and_raised() -> None:
    desk = Desk()
    question = make_question(Scripted())
    with pytest.raises(ScriptExhausted):
        await desk.path.answer(question)
    assert desk.ledger.ends == [("provider", WORST_NANOS)]
    assert question.dispatch.state.under_way == 0


@in_virtual_time
async def test_the_usage_of_a_cut_off_call_is_the_worst_case() -> None:
    desk = Desk()
    await desk.path.answer(make_question(Scripted(answers=(failure(TIMEOUT),) * 3)))
    assert desk.ledger.charged[0].usage == Usage(
        input_tokens=100, output_tokens=MAX_TOKENS, is_estimated=True
    )


async def _shout(completion: Completion) -> Completion:
    return replace(completion, text=completion.text.upper())


@in_virtual_time
async def test_redacted_text_is_neither_streamed_nor_cached() -> None:
    desk = Desk()
    provider = Scripted(answers=("Paris, France.", "Rome, Italy.", "Bern."))
    redaction = Redaction(name="loud", apply=_shout)
    question = make_question(provider, redaction=redaction)
    pieces, answer = await desk.stream(question)
    assert pieces == [TextDelta(text="PARIS, FRANCE.")]
    assert getattr(answer.outcome, "text", "") == "PARIS, FRANCE."
    assert [kept.text for kept in desk.cache.kept.values()] == ["PARIS, FRANCE."]

    kept = await desk.path.answer(question)
    whole = await desk.path.answer(replace(question, redaction=None))
    other = await desk.path.answer(replace(question, redaction=replace(redaction, name="other")))
    assert [getattr(each.outcome, "text", "") for each in (kept, whole, other)] == [
        "PARIS, FRANCE.",
        "Rome, Italy.",
        "BERN.",
    ]
    assert [each.is_cached for each in (kept, whole, other)] == [True, False, False]
