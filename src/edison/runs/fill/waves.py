"""Answers the usual cells of a chunk in waves.

Usual is a cell whose first attempt decides: prompts are rendered and looked up in the cache by the
group, calls reserve and answers are stored by the wave. One coroutine does it for all cells. A cell
that turns out to be unusual goes to the host, which fills it alone: its template cannot be
rendered, its key was refused, its call failed. After the first refused reservation all further
cells go there, so that a nearly exhausted budget is spent to its end cell by cell.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from functools import partial
from typing import Protocol
from uuid import UUID

from edison.jobs.batch_writer import BatchWriter
from edison.jobs.write_group import WriteGroup
from edison.library.calls.gateway import CallContext, Gateway
from edison.library.calls.wave import CallWave, WaveCall
from edison.pipeline.generate.outcome import CallFailed
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.pipeline.generate.path.question import Answer, CallListener
from edison.pipeline.render.prompt import RenderedPrompt
from edison.runs.fill.answers import parameters_of, render_cell
from edison.runs.fill.places import Places
from edison.runs.fill.work import Cell, Column
from edison.runs.store.batch import STORE_WAVE
from edison.runs.store.types import NewOutput
from edison.workspace.credentials.errors import MissingSecret

# Looked up in the cache by one query. More than most models answer at a time, so that further
# cells are prepared when the first calls are on their way.
GROUP_CELLS = 128
# Prepared without a pause; takes a few milliseconds.
PREPARED_AT_ONCE = 32
# Answers finished without a pause.
FINISHED_AT_ONCE = 16


class WaveHost(Protocol):
    """What fills cells one by one, and finishes those of waves."""

    def waiting(self, cells: int) -> None:
        """Called from time to time with the number of cells that are not started."""

    def is_halted(self, column: Column) -> bool: ...

    def listener_of(self, column: Column) -> CallListener: ...

    def fill_alone(self, cell: Cell) -> None: ...

    def resume_alone(self, cell: Cell, wave: CallWave, failed: WaveCall) -> None: ...

    async def finish(
        self, cell: Cell, prompt: RenderedPrompt, answer: Answer, now: datetime
    ) -> NewOutput:
        """The output, with the scores that are stored with it."""

    def stored(self, cell: Cell, new: NewOutput) -> None: ...


class _Line:
    """The prepared calls for one dispatch queue."""

    def __init__(self, places: Places, start: "Callable[[_Line], None]") -> None:
        self.places = places
        self.calls: deque[WaveCall] = deque()
        self.start = partial(start, self)
        self.is_starting = False


class WaveFill:
    """Call `open` and then `run` once."""

    def __init__(
        self,
        host: WaveHost,
        batch_writer: BatchWriter,
        cells: Sequence[Cell],
        *,
        places_of: Callable[[DispatchQueue], Places],
    ) -> None:
        self._host = host
        self._batch_writer = batch_writer
        self._places_of = places_of
        # By the position of their column.
        self._waves: dict[int, CallWave] = {}
        self._listeners: dict[int, CallListener] = {}
        # Each cell is in one of these: not prepared, prepared or called, being stored.
        self._todo = deque(cells)
        self._cells: dict[WaveCall, Cell] = {}
        self._storing: dict[UUID, Cell] = {}
        self._lines: dict[DispatchQueue, _Line] = {}
        self._answered: list[WaveCall] = []
        self._outputs: WriteGroup[NewOutput, Sequence[UUID | None]] = WriteGroup(
            batch_writer, STORE_WAVE
        )
        self._may_start = True
        self._is_whole = True
        self._is_stopped = False
        self._broken: BaseException | None = None
        self._news = asyncio.Event()

    async def open(self, stack: AsyncExitStack, gateway: Gateway, context: CallContext) -> None:
        """Opens the waves of the columns until the stack is closed. Cells of a column without one
        go to the host.
        """
        columns = {cell.column.position: cell.column for cell in self._todo}
        for position, column in columns.items():
            if column.model is None:
                continue
            try:
                opening = gateway.open_wave(column.model, context, self)
                self._waves[position] = await stack.enter_async_context(opening)
            except MissingSecret:
                continue
            self._listeners[position] = self._host.listener_of(column)

    async def run(self) -> bool:
        """Returns True when all cells are stored or were handed to the host. Raises after all calls
        in flight have ended and are stored, since they are paid for.
        """
        try:
            while self._todo or self._cells or self._storing:
                self._host.waiting(self._waiting_count())
                await self._step()
        finally:
            self._is_stopped, self._may_start = True, False
            for wave in self._waves.values():
                await wave.stop()
            # These refer to this object, which would hold all cells until a garbage collection.
            self._waves.clear()
            for line in self._lines.values():
                line.places.leave(line.start)
                del line.start
        if self._broken is not None:
            raise self._broken
        return self._is_whole

    def drain(self) -> None:
        """Starts no new calls; calls in flight finish."""
        self._may_start = False
        self._is_whole = not self._take_waiting() and self._is_whole
        for wave in self._waves.values():
            wave.withdraw()
        self._news.set()

    # The waves call these.

    def ended(self, call: WaveCall) -> None:
        self._answered.append(call)
        self._lines[call.question.dispatch].places.give_back()
        self._news.set()

    def given_back(self, call: WaveCall, refusal: BaseException | None) -> None:
        cell = self._cells.pop(call)
        if refusal is None or self._is_stopped:
            self._is_whole = False
        else:
            for each in (cell, *self._take_waiting()):
                self._host.fill_alone(each)
        self._lines[call.question.dispatch].places.give_back()
        self._news.set()

    async def _step(self) -> None:
        if self._answered:
            # The calls that took the free slots are sent first.
            await self._batch_writer.after_flush()
            answered, self._answered = self._answered, []
            await self._finish(answered)
        elif self._todo and self._is_short():
            if any(line.calls for line in self._lines.values()):
                await self._batch_writer.after_flush()
            await self._prepare([self._todo.popleft() for _ in self._group()])
        else:
            self._news.clear()
            await self._news.wait()

    def _group(self) -> range:
        return range(min(GROUP_CELLS, len(self._todo)))

    def _is_short(self) -> bool:
        lines = self._lines.values()
        return not lines or any(len(line.calls) < line.places.most for line in lines)

    def _waiting_count(self) -> int:
        return len(self._todo) + sum(len(line.calls) for line in self._lines.values())

    def _take_waiting(self) -> list[Cell]:
        """Takes the cells that are not started out of the waves."""
        waiting: list[Cell] = []
        for line in self._lines.values():
            waiting += map(self._cells.pop, line.calls)
            line.calls.clear()
        waiting += self._todo
        self._todo.clear()
        return waiting

    async def _prepare(self, cells: Sequence[Cell]) -> None:
        calls: list[WaveCall] = []
        try:
            for at, cell in enumerate(cells, start=1):
                if (call := await self._call_of(cell)) is not None:
                    calls.append(call)
                if at % PREPARED_AT_ONCE == 0:
                    await asyncio.sleep(0)
            for position, wave in self._waves.items():
                # Calls of earlier columns that were answered from the cache are stored already.
                open_calls = [call for call in calls if call in self._cells]
                own = [call for call in open_calls if self._cells[call].column.position == position]
                for call, answer in (await wave.find_cached(own)).items() if own else ():
                    await self._store(call, answer)
        except Exception as broken:  # raised when the calls in flight have ended
            self._break(broken)
            calls = [call for call in self._cells if self._cells[call] in cells]
        if self._may_start:
            self._line_up([call for call in calls if call in self._cells])
            return
        for call in calls:
            self._is_whole = self._cells.pop(call, None) is None and self._is_whole

    async def _call_of(self, cell: Cell) -> WaveCall | None:
        """None if the host fills the cell."""
        wave = self._waves.get(cell.column.position)
        if wave is not None and not self._host.is_halted(cell.column):
            prompt, failure = render_cell(cell)
            if failure is None:
                listener = self._listeners[cell.column.position]
                call = await wave.prepare(prompt, parameters_of(cell), listener)
                self._cells[call] = cell
                return call
        self._host.fill_alone(cell)
        return None

    def _line_up(self, calls: Sequence[WaveCall]) -> None:
        for call in calls:
            dispatch = call.question.dispatch
            line = self._lines.get(dispatch)
            if line is None:
                line = self._lines[dispatch] = _Line(self._places_of(dispatch), self._start_calls)
                line.places.join(line.start)
            line.calls.append(call)
        for line in list(self._lines.values()):
            line.start()

    def _start_calls(self, line: _Line) -> None:
        if line.is_starting or not self._may_start:
            # A call that ends at once calls back.
            return
        line.is_starting = True
        # The place may come from a call of another chunk, which does not wake this one.
        self._news.set()
        while line.calls and line.places.has_free:
            call = line.calls.popleft()
            column = self._cells[call].column
            wave = self._waves[column.position]
            if self._host.is_halted(column):
                self._host.fill_alone(self._cells.pop(call))
            elif not wave.is_current(call):
                self._todo.append(self._cells.pop(call))
            else:
                line.places.take()
                wave.start(call)
        line.is_starting = False

    async def _finish(self, answered: Sequence[WaveCall]) -> None:
        for at, call in enumerate(answered, start=1):
            try:
                await self._finish_one(call)
            except Exception as broken:  # raised when the calls in flight have ended
                self._cells.pop(call, None)
                self._break(broken)
            if at % FINISHED_AT_ONCE == 0:
                await asyncio.sleep(0)

    async def _finish_one(self, call: WaveCall) -> None:
        cell, outcome = self._cells[call], call.attempt.outcome
        wave = self._waves[cell.column.position]
        if call.answer is not None:
            await wave.learn(call, call.answer)
            await self._store(call, call.answer)
            return
        del self._cells[call]
        if isinstance(outcome, CallFailed):
            self._host.resume_alone(cell, wave, call)
        else:
            self._is_whole = False
            if call.broken is not None:
                self._break(call.broken)

    async def _store(self, call: WaveCall, answer: Answer) -> None:
        cell = self._cells.pop(call)
        new = await self._host.finish(cell, call.prompt, answer, self._outputs.now)
        self._storing[new.output.id] = cell
        self._outputs.add(new, self._written)

    def _written(
        self, outputs: Sequence[NewOutput], written: "asyncio.Future[Sequence[UUID | None]]"
    ) -> None:
        if self._is_stopped:
            return
        cells = [self._storing.pop(new.output.id) for new in outputs]
        failure = written.exception()
        if failure is not None:
            self._break(failure)
        else:
            for new, cell, stored in zip(outputs, cells, written.result(), strict=True):
                if stored is None:
                    # Another process stored this cell first; the next pass re-reads the chunk.
                    self._is_whole = False
                else:
                    self._host.stored(cell, new)
        self._news.set()

    def _break(self, broken: BaseException) -> None:
        self._broken = self._broken or broken
        self.drain()
