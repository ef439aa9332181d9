"""Finds things of a project by name."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from edison.api.pagination import contains
from edison.insights.search.schemas import FoundKind, FoundRead
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.models import Dataset
from edison.library.models.models import Model
from edison.library.prompts.models import Prompt
from edison.library.scorers.models import SavedScorer
from edison.loops.abtests.models import AbTest
from edison.loops.experiments.models import Experiment
from edison.loops.monitors.models import Monitor
from edison.loops.optimizations.models import Optimization
from edison.runs.store.models import Run
from edison.workspace.resources.models import Resource


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    id: InstrumentedAttribute[UUID]
    project_id: InstrumentedAttribute[UUID]
    name: InstrumentedAttribute[str]
    at: InstrumentedAttribute[datetime]
    is_shown: ColumnElement[bool]


def _of(table: type[Resource]) -> _Source:
    return _Source(
        id=table.id,
        project_id=table.project_id,
        name=table.name,
        at=table.updated_at,
        is_shown=table.archived_at.is_(None),
    )


_SOURCES = {
    FoundKind.PROMPT: _of(Prompt),
    FoundKind.DATASET: _of(Dataset),
    FoundKind.SCORER: _of(SavedScorer),
    FoundKind.MODEL: _Source(
        id=Model.id,
        project_id=Model.project_id,
        name=Model.display_name,
        at=Model.updated_at,
        is_shown=Model.is_enabled.is_(True),
    ),
    FoundKind.RUN: _Source(
        id=Run.id,
        project_id=Run.project_id,
        name=Run.name,
        at=Run.created_at,
        is_shown=Run.archived_at.is_(None),
    ),
    FoundKind.EXPERIMENT: _of(Experiment),
    FoundKind.OPTIMIZATION: _of(Optimization),
    FoundKind.AB_TEST: _of(AbTest),
    FoundKind.MONITOR: _of(Monitor),
}


async def find_recent(
    session: AsyncSession, project_id: UUID, text: str | None, *, limit: int
) -> Sequence[FoundRead]:
    """Of each kind the latest, at most `limit`, whose name contains the text."""
    found: list[FoundRead] = []
    for kind, source in _SOURCES.items():
        statement = select(source.id, source.name, source.at).where(
            source.project_id == project_id, source.is_shown
        )
        if text is not None:
            statement = statement.where(contains(source.name, text))
        rows = await session.execute(
            statement.order_by(source.at.desc(), source.id.desc()).limit(limit)
        )
        found += [FoundRead(kind=kind, id=id_, name=name, at=at) for id_, name, at in rows]
    return found
