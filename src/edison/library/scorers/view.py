"""Conversion of rows to API schemas."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.hook import Hook
from edison.library.scorers.models import Rubric, RubricVersion, SavedScorer, ScorerVersion
from edison.library.scorers.repository.rubrics import Rubrics
from edison.library.scorers.schemas.rubrics import RubricRead, RubricSummary, RubricVersionRead
from edison.library.scorers.schemas.scorers import (
    RubricReference,
    SavedScorerRead,
    SavedScorerSummary,
    ScorerVersionRead,
)
from edison.pipeline.score.registry import load_scorer
from edison.workspace.resources.models import Version
from edison.workspace.resources.schemas import SavedVersionReference

# A listener returns how often something uses each of the scorers.
count_uses: Hook[[AsyncSession, Collection[UUID]], Mapping[UUID, int]] = Hook(
    "When scorers are listed, in the transaction of the request."
)

_NAMED_FIELDS = ("id", "name", "description", "archived_at", "created_at", "updated_at")

ScorerRow = tuple[SavedScorer, ScorerVersion, str | None]
RubricRow = tuple[Rubric, RubricVersion, str | None]


def refer_to(version: Version) -> SavedVersionReference:
    return SavedVersionReference(id=version.id, number=version.number, label=version.label)


async def describe_scorers(
    session: AsyncSession, rows: Sequence[ScorerRow]
) -> list[SavedScorerSummary]:
    fields = await _scorer_fields(session, rows)
    return [SavedScorerSummary(**each) for each in fields]


async def describe_scorer(session: AsyncSession, row: ScorerRow) -> SavedScorerRead:
    (fields,) = await _scorer_fields(session, [row])
    return SavedScorerRead(**fields, options=row[1].options)


async def _scorer_fields(session: AsyncSession, rows: Sequence[ScorerRow]) -> list[dict[str, Any]]:
    """A constant number of queries for any number of scorers."""
    rubric_ids = {version.rubric_version_id for _, version, _ in rows if version.rubric_version_id}
    rubrics = await Rubrics(session).list_references(rubric_ids)
    counts = await count_uses.fire(session, [scorer.id for scorer, _, _ in rows])
    described = []
    for scorer, version, author in rows:
        kind = load_scorer(scorer.kind)
        described.append(
            {
                **{field: getattr(scorer, field) for field in _NAMED_FIELDS},
                "kind": scorer.kind,
                "kind_title": kind.title,
                "cost_class": kind.cost_class,
                "needs_expected": kind.needs_expected,
                "threshold": version.threshold,
                "weight": version.weight,
                "is_negated": version.is_negated,
                "latest": refer_to(version),
                "rubric": _rubric_reference(rubrics, version.rubric_version_id),
                "run_count": sum(count.get(scorer.id, 0) for count in counts),
                "author": author,
            }
        )
    return described


def _rubric_reference(
    found: Mapping[UUID, tuple[Rubric, RubricVersion, RubricVersion]], version_id: UUID | None
) -> RubricReference | None:
    if version_id is None or version_id not in found:
        return None
    rubric, version, latest = found[version_id]
    return RubricReference(
        rubric_id=rubric.id,
        name=rubric.name,
        version=refer_to(version),
        latest=refer_to(latest),
    )


def describe_scorer_version(version: ScorerVersion, author: str | None) -> ScorerVersionRead:
    return ScorerVersionRead(
        **dict(refer_to(version)),
        author=author,
        created_at=version.created_at,
        options=version.options,
        threshold=version.threshold,
        weight=version.weight,
        is_negated=version.is_negated,
        rubric_version_id=version.rubric_version_id,
    )


async def describe_rubrics(session: AsyncSession, rows: Sequence[RubricRow]) -> list[RubricSummary]:
    counts = await Rubrics(session).count_scorers([rubric.id for rubric, _, _ in rows])
    return [RubricSummary(**_rubric_fields(row, counts)) for row in rows]


async def describe_rubric(session: AsyncSession, row: RubricRow) -> RubricRead:
    counts = await Rubrics(session).count_scorers([row[0].id])
    return RubricRead.model_validate({**_rubric_fields(row, counts), "criteria": row[1].criteria})


def _rubric_fields(row: RubricRow, counts: Mapping[UUID, int]) -> dict[str, Any]:
    rubric, version, author = row
    return {
        **{field: getattr(rubric, field) for field in _NAMED_FIELDS},
        "criterion_names": [criterion["name"] for criterion in version.criteria],
        "latest": refer_to(version),
        "scorer_count": counts.get(rubric.id, 0),
        "author": author,
    }


def describe_rubric_version(version: RubricVersion, author: str | None) -> RubricVersionRead:
    return RubricVersionRead.model_validate(
        {
            **dict(refer_to(version)),
            "author": author,
            "created_at": version.created_at,
            "criteria": version.criteria,
        }
    )
