"""Queries of saved rubrics."""

from collections.abc import Collection, Mapping
from uuid import UUID

from sqlalchemy import Select, func, select
from sqlalchemy.orm import aliased

from edison.library.scorers.models import Rubric, RubricVersion, SavedScorer, ScorerVersion
from edison.workspace.resources.repository import VersionedResources


class Rubrics(VersionedResources[Rubric, RubricVersion]):
    table = Rubric
    versions = RubricVersion
    owner_column = "rubric_id"

    async def find_version(
        self, project_id: UUID, version_id: UUID
    ) -> tuple[Rubric, RubricVersion] | None:
        row = (
            await self.session.execute(
                select(Rubric, RubricVersion)
                .join(RubricVersion, RubricVersion.rubric_id == Rubric.id)
                .where(Rubric.project_id == project_id, RubricVersion.id == version_id)
            )
        ).one_or_none()
        return row

    async def list_references(
        self, version_ids: Collection[UUID]
    ) -> Mapping[UUID, tuple[Rubric, RubricVersion, RubricVersion]]:
        """For each version: its rubric, itself, and the latest version of its rubric."""
        latest = aliased(RubricVersion)
        rows = await self.session.execute(
            select(Rubric, RubricVersion, latest)
            .join(RubricVersion, RubricVersion.rubric_id == Rubric.id)
            .join(latest, (latest.rubric_id == Rubric.id) & (latest.number == Rubric.latest_number))
            .where(RubricVersion.id.in_(version_ids))
        )
        return {version.id: (rubric, version, newest) for rubric, version, newest in rows}

    async def count_scorers(self, rubric_ids: Collection[UUID]) -> Mapping[UUID, int]:
        """Number of scorers that use the rubric in their latest version."""
        rows = await self.session.execute(
            _uses(rubric_ids)
            .with_only_columns(RubricVersion.rubric_id, func.count())
            .group_by(RubricVersion.rubric_id)
        )
        return {rubric_id: count for rubric_id, count in rows}

    async def list_scorer_names(self, rubric_id: UUID) -> list[str]:
        rows = await self.session.scalars(
            _uses([rubric_id]).with_only_columns(SavedScorer.name).order_by(SavedScorer.name)
        )
        return list(rows)


def _uses(rubric_ids: Collection[UUID]) -> Select[SavedScorer]:
    return (
        select(SavedScorer)
        .join(
            ScorerVersion,
            (ScorerVersion.scorer_id == SavedScorer.id)
            & (ScorerVersion.number == SavedScorer.latest_number),
        )
        .join(RubricVersion, RubricVersion.id == ScorerVersion.rubric_version_id)
        .where(RubricVersion.rubric_id.in_(rubric_ids))
    )
