"""A run as it happens: finished cells and scores by their numbers, how far it is, and what cells
that somebody waits for have been answered so far.

Everyone who watches a run from this process shares what was read: of those who stand at the same
number one reads, and the others wait for it. So a thousand watchers cost as many writes to their
connections, and not as many queries.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.sse import Extent, StreamedEvent, render
from edison.db.session import Database
from edison.kit.errors import NotFound
from edison.runs.engine import service
from edison.runs.engine.comparisons import read_brief
from edison.runs.engine.control import progress_channel
from edison.runs.engine.reading_cells import write_cell
from edison.runs.engine.reading_outputs import read_cell_score
from edison.runs.engine.repository.comparisons import Comparisons
from edison.runs.engine.repository.effective import Effective
from edison.runs.engine.repository.grid import Grid
from edison.runs.engine.repository.reading import Reading
from edison.runs.engine.repository.runs import Runs
from edison.runs.engine.schemas.reads import RunDetail
from edison.runs.engine.texts import TextBoard, TextReader
from edison.workspace.live.access import Admission
from edison.workspace.projects.access import Member
from edison.workspace.projects.models import Role

# Numbers per event; more follow at once.
MOST_NUMBERS = 400
# Nobody reads faster than this.
LEAST_SECONDS_BETWEEN = 0.1
# The more read, the less often each, lest telling of a run slow it down.
SECONDS_PER_READER = 0.001
# How long a page serves others who stand at the same number.
KEPT_SECONDS = 0.05

Key = tuple[UUID, int]
Page = Sequence[StreamedEvent]

_CHANGING = (
    "state",
    "reason",
    "message",
    "done_count",
    "error_count",
    "malformed_count",
    "cached_count",
    "unpriced_count",
    "score_count",
    "comparison_count",
    "cost_usd",
    "unconfirmed_usd",
    "input_tokens",
    "output_tokens",
    "started_at",
    "ended_at",
    "elapsed_seconds",
    "score",
    "phases",
    "compared",
    "cells_per_second",
    "remaining_seconds",
    "actions",
    "last_number",
)
_CHANGING_OF_VARIANTS = (
    "position",
    "done_count",
    "error_count",
    "malformed_count",
    "cached_count",
    "unpriced_count",
    "score_count",
    "cost_usd",
    "input_tokens",
    "output_tokens",
    "halted",
    "waiting",
    "summary",
)


class Pages:
    """What was read last, by run and number, for all who want the same."""

    def __init__(self) -> None:
        self._under_way: dict[Key, asyncio.Task[Page]] = {}
        self._recent: dict[Key, tuple[float, Page]] = {}

    async def share(self, key: Key, read: Callable[[], Coroutine[Any, Any, Page]]) -> Page:
        now = time.monotonic()
        self._recent = {
            each: kept for each, kept in self._recent.items() if now - kept[0] < KEPT_SECONDS
        }
        if key in self._recent:
            return self._recent[key][1]
        earlier = self._under_way.get(key)
        if earlier is not None:
            page = await asyncio.shield(earlier)
            # An empty one that was begun before we asked may have missed what we were told of.
            if page:
                return page
        task = self._under_way.get(key)
        if task is None:
            task = asyncio.create_task(read())
            self._under_way[key] = task
            task.add_done_callback(partial(self._ended, key))
        return await asyncio.shield(task)

    def _ended(self, key: Key, task: "asyncio.Task[Page]") -> None:
        self._under_way.pop(key, None)
        if not task.cancelled() and task.exception() is None and task.result():
            self._recent[key] = (time.monotonic(), task.result())


class Feeds:
    """All that is watched in this process."""

    def __init__(self, database: Database, admission: Admission, texts: TextBoard) -> None:
        self._database = database
        self._admission = admission
        self._texts = texts
        self._pages = Pages()

    def open(self, member: Member, run_id: UUID) -> "RunFeed":
        return RunFeed(
            self._database,
            self._admission,
            member,
            run_id,
            pages=self._pages,
            texts=self._texts.open(run_id),
        )


class RunFeed:
    """One member's view of a run."""

    def __init__(
        self,
        database: Database,
        admission: Admission,
        member: Member,
        run_id: UUID,
        *,
        pages: Pages,
        texts: TextReader,
    ) -> None:
        self._database = database
        self._admission = admission
        self._member = member
        self._run_id = run_id
        self._pages = pages
        self._texts = texts
        self._read_at = 0.0
        self.channel = progress_channel(run_id)

    async def get_extent(self) -> Extent:
        async with self._database.read_briefly() as session:
            run = await Runs(session).get(self._member.project_id, self._run_id)
        return Extent(forgotten=0, last=run.last_number)

    async def fetch(self, after: int) -> Page:
        readers = self._database.wakeups.count(self.channel)
        between = max(LEAST_SECONDS_BETWEEN, readers * SECONDS_PER_READER)
        pause = self._read_at + between - time.monotonic()
        if pause > 0:
            await asyncio.sleep(pause)
        self._read_at = time.monotonic()
        page = await self._pages.share((self._run_id, after), lambda: self._read(after))
        news = self._texts.list_news()
        return page if not news else [_texts(after, news), *page]

    async def still_allowed(self) -> bool:
        return await self._admission.still_has_role(self._member, Role.VIEWER)

    async def _read(self, after: int) -> Page:
        """Cells, scores and comparisons carry the number before them, so that a reader who is cut
        off between them gets all of them again; only what comes last moves its place.
        """
        async with self._database.read_briefly() as session:
            try:
                run = await service.get_run(
                    session, project_id=self._member.project_id, run_id=self._run_id
                )
            except NotFound:
                return []
            if run.last_number <= after:
                return []
            upto = min(run.last_number, after + MOST_NUMBERS)
            cells, scores = await _results(session, self._run_id, after, upto)
            comparisons = [
                read_brief(comparison).model_dump(mode="json")
                for comparison in await Comparisons(session).list_after(self._run_id, after, upto)
            ]
        events = []
        if cells:
            events.append(_event(after, "cells", {"cells": cells}))
        if scores:
            events.append(_event(after, "scores", {"scores": scores}))
        if comparisons:
            events.append(_event(after, "comparisons", {"comparisons": comparisons}))
        events.append(_event(upto, "progress", _progress(run)))
        return events


async def _results(
    session: AsyncSession, run_id: UUID, after: int, upto: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Outputs and scores, both with the grade that the output has by now."""
    reading = Reading(session)
    outputs = await Grid(session).list_after(run_id, after, upto)
    scores = await reading.list_scores_after(run_id, after, upto)
    grades = await Effective(session).find_grades({score.output_id for score, *_ in scores})
    return (
        [write_cell(output, ()) for output in outputs],
        [
            {
                "output_id": str(score.output_id),
                "case_position": case,
                "variant_position": variant,
                "repeat": repeat,
                "grade": None if (grade := grades.get(score.output_id)) is None else asdict(grade),
                **read_cell_score(score).model_dump(mode="json"),
            }
            for score, case, variant, repeat in scores
        ],
    )


def _event(number: int, kind: str, data: Mapping[str, Any]) -> StreamedEvent:
    """Rendered once, for however many readers."""
    return StreamedEvent(
        number=number, kind=kind, data=data, rendered=render(kind, data, number=number)
    )


def _texts(after: int, news: Sequence[Mapping[str, Any]]) -> StreamedEvent:
    """Without a number of its own: nobody goes back to it."""
    data = {"texts": news}
    return StreamedEvent(number=after, kind="texts", data=data, rendered=render("texts", data))


def _progress(run: RunDetail) -> Mapping[str, Any]:
    whole = run.model_dump(mode="json", include={*_CHANGING, "variants"})
    variants = [
        {name: variant[name] for name in _CHANGING_OF_VARIANTS} for variant in whole["variants"]
    ]
    return {**whole, "variants": variants}
