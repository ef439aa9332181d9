"""Saved scorers of a project: create, save versions, copy, archive, delete; and lookups for
runs.
"""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock, ids
from edison.kit.hook import Hook
from edison.kit.lazy_dataclasses import dataclass
from edison.library.scorers import kinds, view
from edison.library.scorers.models import SavedScorer, ScorerVersion
from edison.library.scorers.repository.scorers import Scorers
from edison.library.scorers.resolve import config_of, digest_of_columns, resolve_for_saving
from edison.library.scorers.schemas.scorers import (
    InlineScorer,
    NamedChange,
    SavedScorerRead,
    SavedScorerRequest,
    SavedScorerSummary,
    ScorerFilter,
    ScorerVersionRead,
    ScorerVersionRequest,
)
from edison.pipeline.score.apply import ScorerConfig, configure
from edison.workspace.resources import service as resources
from edison.workspace.resources.schemas import ChangesRead

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
    conditions = () if shown is None else (SavedScorer.kind.in_(shown),)
    found = await Scorers(session).page(
        project_id, status=wanted.status, page=page, conditions=conditions
    )
    return found.with_items(await view.describe_scorers(session, found.items))


async def get_scorer(
    session: AsyncSession, *, project_id: UUID, scorer_id: UUID
) -> SavedScorerRead:
    row = await Scorers(session).get_with_latest(project_id, scorer_id)
    return await view.describe_scorer(session, row)


async def create_scorer(
    session: AsyncSession, *, project_id: UUID, wanted: SavedScorerRequest, author_id: UUID | None
) -> SavedScorerRead:
    settled = await resolve_for_saving(session, project_id=project_id, wanted=wanted)
    scorer = SavedScorer(
        id=ids.new_id(),
        project_id=project_id,
        name=wanted.name,
        description=wanted.description,
        kind=wanted.kind,
        latest_number=1,
    )
    first = _version(scorer, settled.columns(), author_id=author_id)
    await resources.add_versioned(Scorers(session), scorer, first)
    await resources.note(session, scorer, "created", after=_described(scorer))
    return await get_scorer(session, project_id=project_id, scorer_id=scorer.id)


def _described(scorer: SavedScorer) -> dict[str, Any]:
    return {"name": scorer.name, "kind": scorer.kind}


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
    """Raises Unchanged when nothing differs, and Stale when a version was saved since."""
    scorers = Scorers(session)
    scorer = await resources.lock_active(scorers, project_id, scorer_id)
    inline = InlineScorer(kind=scorer.kind, **wanted.model_dump(exclude={"based_on"}))
    settled = await resolve_for_saving(session, project_id=project_id, wanted=inline)

    async def describe() -> SavedScorerRead:
        return await get_scorer(session, project_id=project_id, scorer_id=scorer_id)

    version = _version(scorer, settled.columns(), author_id=author_id)
    await resources.save_version(
        scorers, scorer, version, based_on=wanted.based_on, describe=describe
    )
    return await describe()


async def change_scorer(
    session: AsyncSession, *, project_id: UUID, scorer_id: UUID, change: NamedChange
) -> SavedScorerRead:
    scorers = Scorers(session)
    scorer = await resources.lock_active(scorers, project_id, scorer_id)
    await resources.change(scorers, scorer, change)
    return await get_scorer(session, project_id=project_id, scorer_id=scorer_id)


async def set_archived(
    session: AsyncSession, *, project_id: UUID, scorer_id: UUID, is_archived: bool
) -> SavedScorerRead:
    scorers = Scorers(session)
    scorer = await scorers.get(project_id, scorer_id, to_change=True)
    await resources.set_archived(scorers, scorer, is_archived=is_archived)
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
        name=name or await resources.find_copy_name(scorers, project_id, original.name),
        description=original.description,
        kind=original.kind,
        latest_number=1,
    )
    columns = {
        field: getattr(latest, field)
        for field in ("options", "rubric_version_id", "threshold", "weight", "is_negated")
    }
    first = _version(duplicate, columns, author_id=author_id)
    await resources.add_versioned(scorers, duplicate, first)
    after = {"name": duplicate.name, "from": str(scorer_id)}
    await resources.note(session, duplicate, "duplicated", after=after)
    return await get_scorer(session, project_id=project_id, scorer_id=duplicate.id)


async def delete_scorer(session: AsyncSession, *, project_id: UUID, scorer_id: UUID) -> None:
    """Delete a scorer with its versions. Refused while something depends on any of them."""
    scorers = Scorers(session)
    scorer = await scorers.get(project_id, scorer_id, to_change=True)
    use = await find_use.first(session, scorer_id)
    await resources.delete_unused(scorers, scorer, use=use, before=_described(scorer))


async def list_versions(
    session: AsyncSession, *, project_id: UUID, scorer_id: UUID, page: PageRequest
) -> Slice[ScorerVersionRead]:
    scorers = Scorers(session)
    await scorers.get(project_id, scorer_id)
    found = await scorers.page_versions(scorer_id, page=page)
    return found.with_items([view.describe_scorer_version(*row) for row in found.items])


async def compare_versions(
    session: AsyncSession, *, project_id: UUID, scorer_id: UUID, left: UUID, right: UUID
) -> ChangesRead:
    scorers = Scorers(session)
    scorer = await scorers.get(project_id, scorer_id)
    return await resources.compare_versions(
        scorers, scorer, left=left, right=right, contents=_compared
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


def check_restored(kind: str, columns: Mapping[str, Any]) -> str:
    """Validate the columns of a version from a file; returns their digest. Raises Invalid."""
    names = ("options", "rubric_version_id", "threshold", "weight", "is_negated")
    restored = {name: columns[name] for name in names}
    configure(
        ScorerConfig(
            kind=kind,
            **{name: value for name, value in restored.items() if name != "rubric_version_id"},
        )
    )
    return digest_of_columns(restored)
