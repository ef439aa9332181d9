"""Progress of calls, as a pause sees it, with several calls in progress for one score."""

import asyncio
from typing import cast
from uuid import uuid4

import pytest

from edison.jobs.batch_writer import BatchWriter
from edison.pipeline.generate.path.ports import Waiting
from edison.runs.fill import progress as progress_module
from edison.runs.fill.progress import EVERY_SECONDS, CallProgress, Wait, Waits
from tests.support.virtual_time import in_virtual_time

WAITING = Waiting(reason="rate_limit", seconds=60, sentence="Waiting for the provider")


class SilentWaits:
    def note(self, variant: int, waiting: Waiting) -> None:
        """Does nothing."""

    def clear(self, variant: int) -> None:
        """Does nothing."""


@pytest.fixture
def progress() -> CallProgress:
    return CallProgress(cast(Waits, SilentWaits()), 0)


def test_a_call_is_in_progress_from_sending_until_it_waits_again(progress: CallProgress) -> None:
    assert not progress.is_under_way
    progress.waits(WAITING)
    assert not progress.is_under_way
    progress.leaves()
    assert progress.is_under_way
    progress.waits(WAITING)
    assert not progress.is_under_way


def test_a_waiting_call_does_not_hide_one_in_progress(progress: CallProgress) -> None:
    first, second = progress.begin_call(), progress.begin_call()
    first.leaves()
    second.waits(WAITING)
    assert progress.is_under_way
    first.ends()
    # No call is in progress any more, and the second may wait for a minute.
    assert not progress.is_under_way


def test_an_answer_is_available_until_a_call_waits_again(progress: CallProgress) -> None:
    call = progress.begin_call()
    call.leaves()
    call.ends()
    assert progress.is_under_way
    progress.begin_call().waits(WAITING)
    assert not progress.is_under_way
    progress.keep()
    assert progress.is_under_way


FOR_SLOT = Waiting(
    reason="concurrency",
    seconds=None,
    sentence="Waiting for a free slot of OpenAI, 2 calls are in progress",
)


class WrittenWaits:
    def __init__(self) -> None:
        self.sentences: list[str | None] = []

    def submit(self, _batch: object, item: Wait) -> None:
        self.sentences.append(None if item.why is None else item.why["sentence"])


async def _pass_patience() -> None:
    """Lets a timer of no seconds ring."""
    rung = asyncio.Event()
    asyncio.get_running_loop().call_later(0, rung.set)
    await rung.wait()


async def test_a_long_wait_for_a_slot_is_named_until_a_call_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(progress_module, "SLOT_PATIENCE_SECONDS", 0)
    written = WrittenWaits()
    waits = Waits(cast(BatchWriter, written), uuid4())
    waits.note(0, FOR_SLOT)
    waits.note(0, FOR_SLOT)
    assert written.sentences == []
    await _pass_patience()
    assert written.sentences == [FOR_SLOT.sentence]
    waits.clear(0)
    assert written.sentences == [FOR_SLOT.sentence, None]


async def test_a_short_wait_for_a_slot_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "SLOT_PATIENCE_SECONDS", 0)
    written = WrittenWaits()
    waits = Waits(cast(BatchWriter, written), uuid4())
    waits.note(0, FOR_SLOT)
    waits.clear(0)
    waits.note(1, FOR_SLOT)
    waits.close()
    await _pass_patience()
    assert written.sentences == []


@in_virtual_time
async def test_the_latest_reason_is_named_when_a_second_has_passed() -> None:
    written = WrittenWaits()
    waits = Waits(cast(BatchWriter, written), uuid4())
    for reason in ("retry", "rate_limit", "breaker"):
        waits.note(0, Waiting(reason=reason, seconds=60, sentence=reason))
    waits.note(0, FOR_SLOT)
    assert written.sentences == ["retry"]
    await asyncio.sleep(EVERY_SECONDS)
    assert written.sentences == ["retry", "breaker"]
    await asyncio.sleep(EVERY_SECONDS)
    waits.note(0, WAITING)
    assert written.sentences == ["retry", "breaker", WAITING.sentence]


@in_virtual_time
async def test_a_reason_that_is_over_is_not_named_later() -> None:
    written = WrittenWaits()
    waits = Waits(cast(BatchWriter, written), uuid4())
    for variant in (0, 1):
        waits.note(variant, WAITING)
        waits.note(variant, WAITING)
    waits.clear(0)
    waits.close()
    await asyncio.sleep(2 * EVERY_SECONDS)
    assert written.sentences == [WAITING.sentence, WAITING.sentence, None]
