"""Why calls are queued, stored at intervals for display."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import wakeups
from edison.jobs.batch_writer import Batch, BatchWriter
from edison.kit import clock
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.path.ports import Waiting
from edison.runs.store.repository import Runs
from edison.runs.store.transitions import progress_topic

# Full slots are normal: the wait for one is reported when no call of the variant was sent for long.
FOR_SLOT = "concurrency"
SLOT_PATIENCE_SECONDS = 3.0
EVERY_SECONDS = 1.0
WAITS_ORDER = 22


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    run_id: UUID
    variant: int
    why: dict[str, Any] | None


class _NoteWaits(Batch[Wait, None]):
    order = WAITS_ORDER

    async def apply(self, session: AsyncSession, items: Sequence[Wait]) -> Sequence[None]:
        last = {(item.run_id, item.variant): item for item in items}
        runs = Runs(session)
        for run_id in sorted({item.run_id for item in items}):
            await runs.change(run_id, {})
            wakeups.topic_changed(session, progress_topic(run_id))
        for (run_id, variant), item in sorted(last.items()):
            await runs.set_variant(run_id, variant, {"waiting": item.why})
        return [None] * len(items)


NOTE_WAIT = _NoteWaits()


class Waits:
    """The waits of one chunk. Written at most once a second per variant, the latest one at the end
    of that second; cleared when a call is sent. `close` must be called at the end.
    """

    def __init__(self, batch_writer: BatchWriter, run_id: UUID) -> None:
        self._batch_writer = batch_writer
        self._run_id = run_id
        self._told_at: dict[int, float] = {}
        self._for_slot: dict[int, asyncio.TimerHandle] = {}
        self._held_back: dict[int, asyncio.TimerHandle] = {}

    def note(self, variant: int, waiting: Waiting) -> None:
        if waiting.reason != FOR_SLOT:
            self._note(variant, _described(waiting, clock.now()))
        elif variant not in self._for_slot and variant not in self._held_back:
            self._for_slot[variant] = asyncio.get_running_loop().call_later(
                SLOT_PATIENCE_SECONDS, self._tell, variant, _described(waiting, clock.now())
            )

    def _note(self, variant: int, why: dict[str, Any]) -> None:
        self._cancel_timers(variant)
        loop, told_at = asyncio.get_running_loop(), self._told_at.get(variant)
        if told_at is None or loop.time() >= told_at + EVERY_SECONDS:
            self._tell(variant, why)
        else:
            self._held_back[variant] = loop.call_at(
                told_at + EVERY_SECONDS, self._tell_held_back, variant, why
            )

    def close(self) -> None:
        for variant in (*self._for_slot, *self._held_back):
            self._cancel_timers(variant)

    def _cancel_timers(self, variant: int) -> None:
        for timers in (self._for_slot, self._held_back):
            timer = timers.pop(variant, None)
            if timer is not None:
                timer.cancel()

    def _tell_held_back(self, variant: int, why: dict[str, Any]) -> None:
        del self._held_back[variant]
        self._tell(variant, why)

    def _tell(self, variant: int, why: dict[str, Any]) -> None:
        self._told_at[variant] = asyncio.get_running_loop().time()
        self._write(variant, why)

    def clear(self, variant: int) -> None:
        if not (self._for_slot or self._held_back or self._told_at):
            return
        self._cancel_timers(variant)
        if self._told_at.pop(variant, None) is not None:
            self._write(variant, None)

    def _write(self, variant: int, why: dict[str, Any] | None) -> None:
        self._batch_writer.submit(NOTE_WAIT, Wait(run_id=self._run_id, variant=variant, why=why))


def _described(waiting: Waiting, now: datetime) -> dict[str, Any]:
    until = None if waiting.seconds is None else now + timedelta(seconds=waiting.seconds)
    return {
        "reason": waiting.reason,
        "sentence": waiting.sentence,
        "until": None if until is None else until.isoformat(),
    }


class CallProgress:
    """Tracks whether calls of a cell or score are in flight, so that a pause lets them finish. Each
    judge's call reports separately, since several may run concurrently.
    """

    def __init__(self, waits: Waits, variant: int) -> None:
        self._waits = waits
        self._variant = variant
        self._calls: set[CallHandle] = set()
        # An answer has arrived or is being stored, and no call has been queued since.
        self._is_at_hand = False

    @property
    def is_under_way(self) -> bool:
        return self._is_at_hand or bool(self._calls)

    def keep(self) -> None:
        """Protects a paid answer from being cancelled before it is stored."""
        self._is_at_hand = True

    def waits(self, waiting: Waiting) -> None:
        self._is_at_hand = False
        self._waits.note(self._variant, waiting)

    def leaves(self) -> None:
        self._is_at_hand = True
        self._waits.clear(self._variant)

    def begin_call(self) -> "CallHandle":
        return CallHandle(self, self._calls)


class CallHandle:
    """Progress of one of several concurrent calls."""

    def __init__(self, whole: CallProgress, under_way: "set[CallHandle]") -> None:
        self._whole = whole
        self._under_way = under_way

    def waits(self, waiting: Waiting) -> None:
        self._under_way.discard(self)
        self._whole.waits(waiting)

    def leaves(self) -> None:
        self._under_way.add(self)
        self._whole.leaves()

    def ends(self) -> None:
        self._under_way.discard(self)
