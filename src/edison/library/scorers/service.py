"""Saved scorers of a project: create, save versions, copy, archive, delete; and lookups for
runs.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock, ids
from edison.kit.hook import Hook
from edison.library.scorers import changes, kinds, named, view
from edison.library.scorers.errors import InUse, StaleVersion, Unchanged
from edison.library.scorers.events import note
from edison.library.scorers.models import SavedScorer, ScorerVersion
from edison.library.scorers.repository.scorers import Scorers
from edison.library.scorers.resolve import config_of, digest_of_columns, resolve_scorer
from edison.library.scorers.schemas import (
    ChangesRead,
    InlineScorer,
    NamedChange,
    SavedScorerRead,
    SavedScorerRequest,
    SavedScorerSummary,
    ScorerFilter,
    ScorerVersionRead,
    ScorerVersionRequest,
)
from edison.pipeline.score.apply import ScorerConfig

# A listener returns a sentence about what still uses the scorer, or None.
find_use: Hook[[AsyncSession, UUID], str | None] = Hook(
    "Before a scorer is deleted, in that transaction. A use refuses it."
)


async def list_scorers(
    session: AsyncSession, *, project_id: UUID, wanted: ScorerFilter, page: PageRequest
) -> Slice[SavedScorerSummary]:
    shown = None if wanted.kind is None else {wanted.kind}
    if wanted.cost_class is not None:
        alike = set(kinds.kinds_costing(wanted.cost_class))
        shown = alike if shown is None else shown & alike
    found = await Scorers(session).page_of(project_id, wanted=wanted, kinds=shown, page=page)
    items = await view.describe_scorers(session, found.items)
    return Slice(items=items, next=found.next, total=found.total)


async def get_scorer(
    session: AsyncSession, *, project_id: UUID, scorer_id: UUID
) -> SavedScorerRead:
    row = await Scorers(session).get_with_latest(project_id, scorer_id)
    return await view.describe_scorer(session, row)


async def create_scorer(
    session: AsyncSession, *, project_id: UUID, wanted: SavedScorerRequest, author_id: UUID | None
) -> SavedScorerRead:
    settled = await resolve_scorer(session, project_id=project_id, wanted=wanted)
    scorer = SavedScorer(
        id=ids.new_id(),
        project_id=project_id,
        name=wanted.name,
        description=wanted.description,
        kind=wanted.kind,
        latest_number=1,
    )
    await _add(session, scorer, settled.columns(), author_id=author_id)
    await note(session, scorer, "created", after={"name": scorer.name, "kind": scorer.kind})
    return await get_scorer(session, project_id=project_id, scorer_id=scorer.id)


async def _add(
    session: AsyncSession, scorer: SavedScorer, columns: dict[str, Any], *, author_id: UUID | None
) -> None:
    scorers = Scorers(session)
    await named.check_name(scorers, scorer.project_id, scorer.name)
    await scorers.add(scorer)
    await scorers.add(_version(scorer, columns, author_id=author_id))


def _version(
    scorer: SavedScorer, columns: dict[str, Any], *, author_id: UUID | None
) -> ScorerVersion:
    return ScorerVersion(
        id=ids.new_id(),
        scorer_id=scorer.id,
        number=scorer.latest_number,
        digest=digest_of_columns(columns),
        author_id=author_id,
        created_at=clock.now(),
        **columns,
    )


async def save_version(
    session: AsyncSession,
    *,
    project_id: UUID,
    scorer_id: UUID,
    wanted: ScorerVersionRequest,
    author_id: UUID | None,
) -> SavedScorerRead:
    """Raises Unchanged when nothing differs, and StaleVersion when a version was saved since."""
    scorers = Scorers(session)
    scorer = await scorers.get(project_id, scorer_id, to_change=True)
    named.check_active(scorer, scorers.word)
    inline = InlineScorer(kind=scorer.kind, **wanted.model_dump(exclude={"based_on"}))
    settled = await resolve_scorer(session, project_id=project_id, wanted=inline)
    columns = settled.columns()
    latest = await scorers.get_latest(scorer)
    if wanted.based_on != latest.number:
        current = await get_scorer(session, project_id=project_id, scorer_id=scorer_id)
        raise StaleVersion(scorers.word, current=current.model_dump(mode="json"))
    if latest.digest == digest_of_columns(columns):
        raise Unchanged(latest.label)
    scorer.latest_number = latest.number + 1
    await scorers.add(_version(scorer, columns, author_id=author_id))
    await note(session, scorer, "version_saved", after={"version": scorer.latest_number})
    return await get_scorer(session, project_id=project_id, scorer_id=scorer_id)


async def change_scorer(
    session: AsyncSession, *, project_id: UUID, scorer_id: UUID, change: NamedChange
) -> SavedScorerRead:
    rows = Scorers(session)
    await named.rename(session, rows, project_id=project_id, owner_id=scorer_id, change=change)
    return await get_scorer(session, project_id=project_id, scorer_id=scorer_id)


async def set_archived(
    session: AsyncSession, *, project_id: UUID, scorer_id: UUID, is_archived: bool
) -> SavedScorerRead:
    await named.set_archived(
        session,
        Scorers(session),
        project_id=project_id,
        owner_id=scorer_id,
        is_archived=is_archived,
    )
    return await get_scorer(session, project_id=project_id, scorer_id=scorer_id)


async def duplicate_scorer(
    session: AsyncSession,
    *,
    project_id: UUID,
    scorer_id: UUID,
    name: str | None,
    author_id: UUID | None,
) -> SavedScorerRead:
    """A new scorer with the settings of this one's latest version."""
    scorers = Scorers(session)
    original, latest, _ = await scorers.get_with_latest(project_id, scorer_id)
    duplicate = SavedScorer(
        id=ids.new_id(),
        project_id=project_id,
        name=name or await named.free_copy_name(scorers, original),
        description=original.description,
        kind=original.kind,
        latest_number=1,
    )
    columns = {
        field: getattr(latest, field)
        for field in ("options", "rubric_version_id", "threshold", "weight", "is_negated")
    }
    await _add(session, duplicate, columns, author_id=author_id)
    after = {"name": duplicate.name, "from": str(scorer_id)}
    await note(session, duplicate, "duplicated", after=after)
    return await get_scorer(session, project_id=project_id, scorer_id=duplicate.id)


async def delete_scorer(session: AsyncSession, *, project_id: UUID, scorer_id: UUID) -> None:
    """Delete a scorer with its versions. Refused while something depends on any of them."""
    scorers = Scorers(session)
    scorer = await scorers.get(project_id, scorer_id, to_change=True)
    if (use := await find_use.first(session, scorer_id)) is not None:
        raise InUse(use)
    await scorers.remove(scorer_id)
    await note(session, scorer, "deleted", before={"name": scorer.name, "kind": scorer.kind})


async def list_versions(
    session: AsyncSession, *, project_id: UUID, scorer_id: UUID, page: PageRequest
) -> Slice[ScorerVersionRead]:
    scorers = Scorers(session)
    await scorers.get(project_id, scorer_id)
    found = await scorers.page_versions(scorer_id, page=page)
    items = [view.describe_scorer_version(*row) for row in found.items]
    return Slice(items=items, next=found.next, total=found.total)


async def compare_versions(
    session: AsyncSession, *, project_id: UUID, scorer_id: UUID, left: UUID, right: UUID
) -> ChangesRead:
    scorers = Scorers(session)
    await scorers.get(project_id, scorer_id)
    before, after = [await scorers.get_version(scorer_id, each) for each in (left, right)]
    return ChangesRead(
        left=before.label,
        right=after.label,
        changes=changes.list_changes(_compared(before), _compared(after)),
    )


def _compared(version: ScorerVersion) -> dict[str, Any]:
    return {
        **version.options,
        "threshold": version.threshold,
        "weight": version.weight,
        "is_negated": version.is_negated,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenScorer:
    """A version of a saved scorer, for scoring."""

    version_id: UUID
    name: str
    config: ScorerConfig


async def find_chosen(
    session: AsyncSession, *, project_id: UUID, version_ids: Collection[UUID]
) -> Mapping[UUID, ChosenScorer]:
    """Versions in this project, by id."""
    found = await Scorers(session).find_versions(project_id, version_ids)
    return {
        version.id: ChosenScorer(
            version_id=version.id, name=scorer.name, config=config_of(scorer.kind, version)
        )
        for scorer, version in found
    }


async def find_use_of_model(session: AsyncSession, model_id: UUID) -> str | None:
    """Hook of models: whether a saved scorer uses the model."""
    name = await Scorers(session).find_name_using_model(model_id)
    return None if name is None else f"The scorer {name} asks this model."
