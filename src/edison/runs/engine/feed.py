"""A run as it happens: finished cells and scores by their numbers, and how far it is.

Everyone who watches a run from this process shares what was read: of those who stand at the same
number one reads, and the others wait for it. So a thousand watchers cost as many writes to their
connections, and not as many queries.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from edison.api.sse import Extent, StreamedEvent
from edison.db.session import Database
from edison.kit.errors import NotFound
from edison.runs.engine import service
from edison.runs.engine.control import progress_channel
from edison.runs.engine.reading import read_cell, read_cell_score
from edison.runs.engine.repository.reading import Reading
from edison.runs.engine.repository.runs import Runs
from edison.runs.engine.schemas.reads import RunDetail
from edison.workspace.live.access import still_has_role
from edison.workspace.projects.access import Member
from edison.workspace.projects.models import Role

# Numbers per event; more follow at once.
MOST_NUMBERS = 400
# Nobody reads faster than this.
LEAST_SECONDS_BETWEEN = 0.1

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
    "cost_usd",
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
        self._pages: dict[tuple[UUID, int], asyncio.Task[Sequence[StreamedEvent]]] = {}

    async def share(
        self, key: tuple[UUID, int], read: Callable[[], Awaitable[Sequence[StreamedEvent]]]
    ) -> Sequence[StreamedEvent]:
        task = self._pages.get(key)
        if task is None:
            task = asyncio.ensure_future(read())
            self._pages[key] = task
            task.add_done_callback(lambda _: self._pages.pop(key, None))
        return await asyncio.shield(task)


class RunFeed:
    """One member's view of a run."""

    def __init__(self, database: Database, member: Member, run_id: UUID, pages: Pages) -> None:
        self._database = database
        self._member = member
        self._run_id = run_id
        self._pages = pages
        self._read_at = 0.0
        self.channel = progress_channel(run_id)

    async def get_extent(self) -> Extent:
        async with self._database.read() as session:
            run = await Runs(session).get(self._member.project_id, self._run_id)
        return Extent(forgotten=0, last=run.last_number)

    async def fetch(self, after: int) -> Sequence[StreamedEvent]:
        pause = self._read_at + LEAST_SECONDS_BETWEEN - time.monotonic()
        if pause > 0:
            await asyncio.sleep(pause)
        self._read_at = time.monotonic()
        return await self._pages.share((self._run_id, after), lambda: self._read(after))

    async def still_allowed(self) -> bool:
        return await still_has_role(self._database, self._member, Role.VIEWER)

    async def _read(self, after: int) -> Sequence[StreamedEvent]:
        """Cells and scores carry the number before them, so that a reader who is cut off between
        them gets both again; only what comes last moves its place.
        """
        async with self._database.read() as session:
            try:
                run = await service.get_run(
                    session, project_id=self._member.project_id, run_id=self._run_id
                )
            except NotFound:
                return []
            if run.last_number <= after:
                return []
            upto = min(run.last_number, after + MOST_NUMBERS)
            reading = Reading(session)
            cells = [
                read_cell(output, ()).model_dump(mode="json")
                for output in await reading.list_after(self._run_id, after, upto)
            ]
            scores = [
                {
                    "output_id": str(score.output_id),
                    "case_position": case,
                    "variant_position": variant,
                    "repeat": repeat,
                    **read_cell_score(score).model_dump(mode="json"),
                }
                for score, case, variant, repeat in await reading.list_scores_after(
                    self._run_id, after, upto
                )
            ]
        events = []
        if cells:
            events.append(StreamedEvent(number=after, kind="cells", data={"cells": cells}))
        if scores:
            events.append(StreamedEvent(number=after, kind="scores", data={"scores": scores}))
        events.append(StreamedEvent(number=upto, kind="progress", data=_progress(run)))
        return events


def _progress(run: RunDetail) -> Mapping[str, Any]:
    whole = run.model_dump(mode="json", include={*_CHANGING, "variants"})
    variants = [
        {name: variant[name] for name in _CHANGING_OF_VARIANTS} for variant in whole["variants"]
    ]
    return {**whole, "variants": variants}
