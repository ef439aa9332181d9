"""Progress of calls, as a pause sees it, with several calls in progress for one score."""

from typing import cast

import pytest

from edison.pipeline.generate.path.ports import Waiting
from edison.runs.fill.progress import CallProgress, Waits

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
