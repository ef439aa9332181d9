"""Event stream of a run: finished cells and scores by number, progress, and live text."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.streams.event_log import (
    Cursor,
    CursorRange,
    EventLog,
    EventPage,
    StreamedEvent,
)
from edison.api.streams.sse import encode
from edison.db.session import Database
from edison.db.wakeups import Topic
from edison.kit.lazy_dataclasses import dataclass
from edison.runs.read import service as runs
from edison.runs.read.cells import Grid, write_cell
from edison.runs.read.comparisons import read_brief
from edison.runs.read.schemas import RunDetail
from edison.runs.read.view import read_cell_score
from edison.runs.store.comparisons import Comparisons
from edison.runs.store.effective_scores import Effective
from edison.runs.store.live_text import LiveTexts
from edison.runs.store.outputs import Outputs
from edison.runs.store.repository import Runs
from edison.runs.store.transitions import progress_topic

# Numbers per page; the next page follows immediately.
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


@dataclass(frozen=True, slots=True)
class RunLog(EventLog):
    """Cells, scores, comparisons and progress of a run. Live text is transient."""

    database: Database
    project_id: UUID
    run_id: UUID
    texts: LiveTexts

    @property
    def topic(self) -> Topic:
        return progress_topic(self.run_id)

    async def get_range(self) -> CursorRange:
        async with self.database.read_inline() as session:
            run = await Runs(session).get(self.project_id, self.run_id)
        return CursorRange(oldest=0, newest=run.last_number)

    def has_transient(self) -> bool:
        return self.texts.has_texts(self.run_id)

    def open_transient(self) -> Callable[[], bytes]:
        reader = self.texts.open(self.run_id)

        def take_texts() -> bytes:
            texts = reader.take_new()
            return encode("texts", {"texts": texts}) if texts else b""

        return take_texts

    async def read(self, after: Cursor, upto: Cursor) -> EventPage:
        """Events before the last carry the number `after`, so that a client disconnected in between
        receives the whole page again; only the last event advances its position.
        """
        async with self.database.read_inline() as session:
            # Cheap check first: most wake-ups of an interactive run are for live text.
            last = await Runs(session).find_last_number(self.project_id, self.run_id)
            upto = min(last, upto)
            if upto <= after:
                return EventPage()
            run = await runs.get_run(session, project_id=self.project_id, run_id=self.run_id)
            has_more = upto > after + MOST_NUMBERS
            upto = min(upto, after + MOST_NUMBERS)
            cells, scores = await _results(session, self.run_id, after, upto)
            comparisons = [
                read_brief(comparison).model_dump(mode="json")
                for comparison in await Comparisons(session).list_after(self.run_id, after, upto)
            ]
        events = []
        if cells:
            events.append(_event(after, "cells", {"cells": cells}))
        if scores:
            events.append(_event(after, "scores", {"scores": scores}))
        if comparisons:
            events.append(_event(after, "comparisons", {"comparisons": comparisons}))
        events.append(_event(upto, "progress", _progress(run)))
        return EventPage(events=events, has_more=has_more)


async def _results(
    session: AsyncSession, run_id: UUID, after: Cursor, upto: Cursor
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Outputs and scores; scores carry the output's current grade."""
    reading = Outputs(session)
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


def _event(number: Cursor, kind: str, data: Mapping[str, Any]) -> StreamedEvent:
    return StreamedEvent(number=number, kind=kind, data=data)


def _progress(run: RunDetail) -> Mapping[str, Any]:
    whole = run.model_dump(mode="json", include={*_CHANGING, "variants"})
    variants = [
        {name: variant[name] for name in _CHANGING_OF_VARIANTS} for variant in whole["variants"]
    ]
    return {**whole, "variants": variants}
