"""Fills one chunk: answers missing cells, scores each answer immediately, and compares it with the
answers that exist.

The run's state is watched throughout. On a pause, calls in flight finish and no new ones start. On
a cancellation, or when another process has taken over from this one, all calls are cut off.
Unfinished cells stay missing, so any process can resume the chunk.
"""

import asyncio
from collections.abc import (
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import AsyncExitStack
from dataclasses import field
from datetime import datetime
from functools import partial
from itertools import chain, repeat
from typing import Any, TypeVar

from edison.db.session import Database
from edison.jobs.batch_writer import BatchWriter
from edison.jobs.heartbeat import Replaced
from edison.jobs.write_group import WriteGroup
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.gateway import Gateway
from edison.library.calls.wave import CallWave, WaveCall
from edison.pipeline.generate.outcome import CallFailed, FailureReason
from edison.pipeline.generate.path.ports import Waiting
from edison.pipeline.generate.path.question import Answer, CallListener
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.apply import apply
from edison.pipeline.score.compare import compare
from edison.pipeline.score.scorer import Subject
from edison.runs.fill.answers import (
    Answerer,
    LiveTextSinks,
    new_output,
    render_cell,
    unanswered,
)
from edison.runs.fill.comparisons import OutputPair, Pairing, new_comparison
from edison.runs.fill.halt import Halting
from edison.runs.fill.judges import Judging
from edison.runs.fill.progress import CallProgress, Waits
from edison.runs.fill.scores import NO_JUDGES, RecordingTools, new_score
from edison.runs.fill.turns import ChunkTurn, ChunkTurns
from edison.runs.fill.waves import WaveFill
from edison.runs.fill.work import Cell, Column, Work
from edison.runs.store.answers import subject_of
from edison.runs.store.batch import STORE_COMPARISON, STORE_OUTPUT, STORE_SCORES
from edison.runs.store.types import CellOutput, NewOutput, NewScore, StoredCase
from edison.workspace.budgets.errors import BudgetExhausted, NotPermitted, PriceUnknown

Result = TypeVar("Result")
GetOutput = Callable[[], Awaitable[NewOutput]]

# Scores are worked on by this many times the calls at a time, so that the next calls of judges are
# prepared while others are under way.
SCORING_FACTOR = 2
# Delay before retrying while calls in flight hold reservations of the budget.
BUDGET_PAUSE_SECONDS = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class FillTools:
    """Dependencies of filling. `is_stopping` is set at shutdown. `live_text_writer` publishes the
    live text of interactive runs. `turns` lets chunks of a run begin one after another.
    """

    database: Database
    gateway: Gateway
    batch_writer: BatchWriter
    live_text_writer: LiveTextSinks
    is_stopping: asyncio.Event = field(default_factory=asyncio.Event)
    turns: ChunkTurns = field(default_factory=ChunkTurns)


class ChunkFill:
    def __init__(
        self,
        tools: FillTools,
        work: Work,
        *,
        answerer: Answerer,
        judging: Judging,
        at_once: int,
        turn: ChunkTurn,
    ) -> None:
        self._gateway = tools.gateway
        self._batch_writer = tools.batch_writer
        self._work = work
        self._answerer = answerer
        self._judging = judging
        self._pairing = Pairing(work)
        self._waits = Waits(tools.batch_writer, work.run.id)
        self._halting = Halting(tools.database, work)
        self._answering = asyncio.Semaphore(at_once)
        self._scoring = asyncio.Semaphore(SCORING_FACTOR * at_once)
        self._at_once = at_once
        # Scores and comparisons that wait for `_scoring`.
        self._unscored = 0
        self._turn = turn
        self._scores: WriteGroup[NewScore, Sequence[bool]] = WriteGroup(
            tools.batch_writer, STORE_SCORES
        )
        self._score_writes: set[asyncio.Future[Sequence[bool]]] = set()
        self._tasks: dict[asyncio.Task[bool], CallProgress] = {}
        self._waves: WaveFill | None = None
        self._may_start = True

    async def run(self) -> bool:
        """Returns True when nothing is missing any more."""
        async with AsyncExitStack() as stack:
            await self._start_all(stack)
            try:
                return await self._finish()
            finally:
                self.stop()
                await asyncio.gather(*self._tasks, return_exceptions=True)
                self._waits.close()
                # They refer to this object, and both hold all cells until they are freed.
                self._waves = None

    async def _start_all(self, stack: AsyncExitStack) -> None:
        context = self._answerer.wave_context
        usual = [] if context is None else [cell for cell in self._work.cells if _is_usual(cell)]
        if usual and context is not None:
            waves = WaveFill(self, self._batch_writer, usual, places_of=self._turn.places_of)
            await waves.open(stack, self._gateway, context)
            progress = CallProgress(self._waits, usual[0].column.position)
            # Draining must not cancel it: it drains itself.
            progress.keep()
            self._waves = waves
            self._start(waves.run(), progress)
        for unscored in self._work.unscored:
            subject = self._subject(unscored.output, unscored.case)
            self._start_scores(unscored.output, subject, unscored.scorers)
        for output, case in self._work.answered:
            self._start_comparisons(output, case)
        if not usual:
            self.waiting(self._unscored)
        for cell in self._work.cells:
            if not usual or not _is_usual(cell):
                self.fill_alone(cell)

    async def _finish(self) -> bool:
        """Waits for all tasks even if one fails: the other answers are already paid for."""
        while under_way := [task for task in self._tasks if not task.done()]:
            await asyncio.wait(under_way)
        if self._score_writes:
            await asyncio.wait(self._score_writes)
        whole = [task for task in self._tasks if not task.cancelled()]
        ended: list[asyncio.Future[Any]] = [*whole, *self._score_writes]
        for each in ended:
            if (broken := each.exception()) is not None:
                raise broken
        return len(whole) == len(self._tasks) and all(task.result() for task in whole)

    def drain(self) -> None:
        """Starts no new work; calls in flight finish."""
        self._may_start = False
        if self._waves is not None:
            self._waves.drain()
        for task, progress in list(self._tasks.items()):
            if not progress.is_under_way:
                _cancel_once(task)

    def stop(self) -> None:
        """Cancels all tasks."""
        self._may_start = False
        for task in self._tasks:
            _cancel_once(task)

    def _subject(self, output: CellOutput, case: StoredCase) -> Subject | None:
        template = self._work.columns[output.variant_position].template
        return subject_of(output, case, template=template if self._judging.reads_prompt else None)

    def _start(self, work: Coroutine[Any, Any, bool], progress: CallProgress) -> None:
        self._tasks[asyncio.create_task(work)] = progress

    # The waves call these.

    def waiting(self, cells: int) -> None:
        self._turn.note(cells, at_once=self._at_once)

    def is_halted(self, column: Column) -> bool:
        return self._halting.reason_for(column) is not None

    def listener_of(self, column: Column) -> CallListener:
        return _listener(CallProgress(self._waits, column.position))

    def fill_alone(self, cell: Cell) -> None:
        progress = CallProgress(self._waits, cell.column.position)
        answer = partial(self._answerer.answer, cell, progress)
        self._start(self._fill(cell, progress, repeat(answer)), progress)

    def resume_alone(self, cell: Cell, wave: CallWave, failed: WaveCall) -> None:
        progress = CallProgress(self._waits, cell.column.position)
        # The failure is at hand, and paid for if it costs anything.
        progress.keep()
        resume = partial(self._resume, cell, wave, failed, progress)
        answer = partial(self._answerer.answer, cell, progress)
        self._start(self._fill(cell, progress, chain([resume], repeat(answer))), progress)

    async def finish(
        self, cell: Cell, prompt: RenderedPrompt, answer: Answer, now: datetime
    ) -> NewOutput:
        new = new_output(self._work, cell, prompt, answer, now=now)
        await self._score_instantly(cell, new)
        return new

    def stored(self, cell: Cell, new: NewOutput) -> None:
        if self._judging.taking_time:
            subject = self._subject(new.output, cell.case)
            self._start_scores(new.output, subject, self._judging.taking_time)
        self._start_comparisons(new.output, cell.case)

    async def _fill(self, cell: Cell, progress: CallProgress, answers: Iterator[GetOutput]) -> bool:
        """`answers` get the answer: each after the one before it found too little money."""
        async with self._answering:
            if not self._may_start and not progress.is_under_way:
                return False
            new = await self._answer(cell, progress, answers)
            if new is None:
                return False
            progress.keep()
            await self._score_instantly(cell, new)
            stored = await self._batch_writer.record(STORE_OUTPUT, new)
        if stored is None:
            # Another process stored this cell first; the next pass re-reads the chunk.
            return False
        self.stored(cell, new)
        return True

    async def _resume(
        self, cell: Cell, wave: CallWave, failed: WaveCall, progress: CallProgress
    ) -> NewOutput:
        answer = await wave.resume(failed, _listener(progress))
        return new_output(self._work, cell, failed.prompt, answer)

    async def _score_instantly(self, cell: Cell, new: NewOutput) -> None:
        """Adds the scores of instant scorers, stored in the same write."""
        if not self._judging.instant:
            return
        subject = self._subject(new.output, cell.case)
        if subject is None:
            return
        now = new.output.created_at
        for position in self._judging.instant:
            scored = await apply(self._judging.scorers[position], subject, NO_JUDGES)
            new.scores.append(new_score(self._work, new.output, position, scored, {}, now=now))

    async def _answer(
        self, cell: Cell, progress: CallProgress, answers: Iterator[GetOutput]
    ) -> NewOutput | None:
        """None when the run was paused or may not continue; the reason is stored with the run."""
        halted = self._halting.reason_for(cell.column)
        if halted is not None and not progress.is_under_way:
            return _refused(self._work, cell, halted)

        async def get_next() -> NewOutput:
            return await next(answers)()

        new = await self._spend(get_next, progress)
        if new is not None:
            outcome = new.output.answer.outcome
            if isinstance(outcome, CallFailed) and outcome.reason is FailureReason.INVALID_KEY:
                await self._halting.halt(cell.column, outcome)
        return new

    def _start_scores(
        self, output: CellOutput, subject: Subject | None, scorers: Iterable[int]
    ) -> None:
        if subject is None:
            return
        for position in scorers:
            progress = CallProgress(self._waits, output.variant_position)
            self._unscored += 1
            self._start(self._score(output, subject, position, progress), progress)

    async def _score(
        self, output: CellOutput, subject: Subject, position: int, progress: CallProgress
    ) -> bool:
        async with self._scoring:
            self._begin_scoring()
            if not self._may_start:
                return False
            noting = RecordingTools(self._judging.judges.reporting_to(progress))
            scored = await self._spend(
                partial(apply, self._judging.scorers[position], subject, noting), progress
            )
            if scored is None:
                return False
            progress.keep()
            now = self._scores.now
            new = new_score(self._work, output, position, scored, noting.answers, now=now)
        self._score_writes.add(self._scores.add(new))
        return True

    def _start_comparisons(self, output: CellOutput, case: StoredCase) -> None:
        for pair in self._pairing.add(output, case):
            progress = CallProgress(self._waits, output.variant_position)
            self._unscored += 1
            self._start(self._compare(pair, progress), progress)

    async def _compare(self, pair: OutputPair, progress: CallProgress) -> bool:
        async with self._scoring:
            self._begin_scoring()
            if not self._may_start:
                return False
            noting = RecordingTools(self._judging.judges.reporting_to(progress))
            comparer = self._judging.comparers[pair.comparer]
            compared = await self._spend(
                partial(compare, comparer, *pair.subjects(), noting), progress
            )
            if compared is None:
                return False
            progress.keep()
            new = new_comparison(self._work, pair, compared, noting.answers)
            # If not stored, the next pass repeats it: an answer may have been replaced.
            return await self._batch_writer.record(STORE_COMPARISON, new)

    def _begin_scoring(self) -> None:
        self._unscored -= 1
        if self._waves is None:
            # There are no answers to get, so that scores decide when the next chunk begins.
            self.waiting(self._unscored)

    async def _spend(
        self, work: Callable[[], Awaitable[Result]], progress: CallProgress
    ) -> Result | None:
        """Runs the work. None if the budget or a missing price paused the run, or the run may not
        continue. Retries while the shortage is temporary.
        """
        while True:
            try:
                return await work()
            except BudgetExhausted as exhausted:
                if not exhausted.is_passing:
                    if await self._halting.pause_for(exhausted):
                        return None
                    continue
                progress.waits(_WAITING_FOR_BUDGET)
                await asyncio.sleep(BUDGET_PAUSE_SECONDS)
            except PriceUnknown as unknown:
                await self._halting.pause("price_unknown", unknown.message)
                return None
            except (NotPermitted, Replaced):
                return None


def _cancel_once(task: asyncio.Task[bool]) -> None:
    """A second cancellation would interrupt the clean-up after the first."""
    if not task.cancelling():
        task.cancel()


def _listener(progress: CallProgress) -> CallListener:
    return CallListener(on_wait=progress.waits, on_leave=progress.leaves)


def _is_usual(cell: Cell) -> bool:
    """Whether the first call decides: no second model may answer, and no output is replaced."""
    column = cell.column
    return cell.again_id is None and column.model is not None and column.fallback is None


_WAITING_FOR_BUDGET = Waiting(
    reason="budget",
    seconds=None,
    sentence="Waiting for calls in progress to release their reservations",
)


def _refused(work: Work, cell: Cell, halted: Mapping[str, str]) -> NewOutput:
    failure = unanswered(FailureReason(halted["reason"]), halted["message"])
    prompt, _ = render_cell(cell)
    return new_output(work, cell, prompt, failure)
