"""Event stream of a run: finished cells and scores by number, progress, and live text."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.event_stream import EventStream
from edison.api.sse import Extent, StreamedEvent, render
from edison.api.tails import Batch
from edison.db.session import Database
from edison.runs.read import service as runs
from edison.runs.read.cells import Grid, write_cell
from edison.runs.read.comparisons import read_brief
from edison.runs.read.schemas import RunDetail
from edison.runs.read.view import read_cell_score
from edison.runs.store.comparisons import Comparisons
from edison.runs.store.effective_scores import Effective
from edison.runs.store.live_text import TextBoard
from edison.runs.store.outputs import Reading
from edison.runs.store.repository import Runs
from edison.runs.store.transitions import progress_channel
from edison.workspace.live.service import Live
from edison.workspace.projects.access import Member

# Numbers per batch; the next batch follows immediately.
MOST_NUMBERS = 400

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


class Feeds:
    """The event streams of runs in this process."""

    def __init__(self, live: Live, texts: TextBoard) -> None:
        self._live = live
        self._texts = texts

    def stream(self, member: Member, run_id: UUID, *, start: int | None) -> EventStream:
        topic = RunTopic(self._live.database, member.project_id, run_id, texts=self._texts)
        reader = self._texts.open(run_id)

        def list_texts() -> bytes:
            """Live text has no number and cannot be resumed."""
            news = reader.list_news()
            return render("texts", {"texts": news}) if news else b""

        return self._live.stream(topic, member, start=start, extras=list_texts)


class RunTopic:
    """Cells, scores, comparisons and progress of a run."""

    def __init__(
        self, database: Database, project_id: UUID, run_id: UUID, *, texts: TextBoard
    ) -> None:
        self._database = database
        self._project_id = project_id
        self._run_id = run_id
        self._texts = texts
        self.channel = progress_channel(run_id)
        self.key = f"{project_id} {self.channel}"

    async def get_extent(self) -> Extent:
        async with self._database.read_briefly() as session:
            run = await Runs(session).get(self._project_id, self._run_id)
        return Extent(forgotten=0, last=run.last_number)

    def has_extras(self) -> bool:
        return self._texts.has_texts(self._run_id)

    async def read(self, after: int, upto: int) -> Batch:
        """Events before the last carry the number `after`, so that a client disconnected in between
        receives the whole batch again; only the last event advances its position.
        """
        async with self._database.read_briefly() as session:
            # Cheap check first: most wake-ups of an interactive run are for live text.
            last = await Runs(session).find_last_number(self._project_id, self._run_id)
            upto = min(last, upto)
            if upto <= after:
                return Batch()
            run = await runs.get_run(session, project_id=self._project_id, run_id=self._run_id)
            has_more = upto > after + MOST_NUMBERS
            upto = min(upto, after + MOST_NUMBERS)
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
        return Batch(events=events, has_more=has_more)


async def _results(
    session: AsyncSession, run_id: UUID, after: int, upto: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Outputs and scores; scores carry the output's current grade."""
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
    return StreamedEvent(number=number, kind=kind, data=data)


def _progress(run: RunDetail) -> Mapping[str, Any]:
    whole = run.model_dump(mode="json", include={*_CHANGING, "variants"})
    variants = [
        {name: variant[name] for name in _CHANGING_OF_VARIANTS} for variant in whole["variants"]
    ]
    return {**whole, "variants": variants}
