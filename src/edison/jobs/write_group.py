"""Many small writes as one item of the write batch.

A producer of thousands of writes a second would spend much of its time on a future and a queue
entry per write. `WriteGroup` collects them in a list, which is one item, until the next flush.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Generic, TypeVar

from edison.jobs.batch_writer import Batch, BatchWriter
from edison.kit import clock

Element = TypeVar("Element")
Result = TypeVar("Result")
OnWritten = Callable[[Sequence[Element], "asyncio.Future[Result]"], None]


class WriteGroup(Generic[Element, Result]):
    def __init__(self, batch_writer: BatchWriter, batch: Batch[Sequence[Element], Result]) -> None:
        self._batch_writer = batch_writer
        self._batch = batch
        # The elements of the write that grows, and its future.
        self._open: tuple[list[Element], asyncio.Future[Result]] | None = None
        self._now = clock.now()

    @property
    def now(self) -> datetime:
        """The same time for all elements of a write: rows that share it are written faster."""
        if self._open is None:
            self._now = clock.now()
        return self._now

    def add(
        self,
        element: Element,
        on_written: "OnWritten[Element, Result] | None" = None,
    ) -> "asyncio.Future[Result]":
        """Returns the future of the write, one for all its elements. `on_written` receives them
        with it when it is finished. That of the first element is called; it is not kept, so that
        owner and group do not hold each other.
        """
        if self._open is None:
            self._open = self._begin(on_written)
        elements, written = self._open
        elements.append(element)
        return written

    def _begin(
        self, on_written: "OnWritten[Element, Result] | None"
    ) -> "tuple[list[Element], asyncio.Future[Result]]":
        elements: list[Element] = []
        written = self._batch_writer.submit_growing(self._batch, elements, seal=self._seal)
        written.add_done_callback(partial(self._end, elements, on_written))
        return elements, written

    def _seal(self) -> None:
        self._open = None

    def _end(
        self,
        elements: list[Element],
        on_written: "OnWritten[Element, Result] | None",
        written: "asyncio.Future[Result]",
    ) -> None:
        if self._open is not None and self._open[0] is elements:
            # The writer is closed, so the write failed without a flush.
            self._seal()
        if on_written is not None:
            on_written(elements, written)
