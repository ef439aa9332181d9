"""Queries of saved scorers."""

from collections.abc import Collection, Sequence
from uuid import UUID

from sqlalchemy import Text, cast, select

from edison.library.scorers.models import SavedScorer, ScorerVersion
from edison.workspace.resources.repository import VersionedResources


class Scorers(VersionedResources[SavedScorer, ScorerVersion]):
    table = SavedScorer
    versions = ScorerVersion
    owner_column = "scorer_id"

    async def find_versions(
        self, project_id: UUID, version_ids: Collection[UUID]
    ) -> Sequence[tuple[SavedScorer, ScorerVersion]]:
        """Only versions in this project."""
        rows = await self.session.execute(
            select(SavedScorer, ScorerVersion)
            .join(ScorerVersion, ScorerVersion.scorer_id == SavedScorer.id)
            .where(SavedScorer.project_id == project_id, ScorerVersion.id.in_(version_ids))
        )
        return rows.all()

    async def find_name_using_model(self, model_id: UUID) -> str | None:
        """An active scorer whose latest version uses this model."""
        return await self.session.scalar(
            select(SavedScorer.name)
            .join(
                ScorerVersion,
                (ScorerVersion.scorer_id == SavedScorer.id)
                & (ScorerVersion.number == SavedScorer.latest_number),
            )
            .where(
                SavedScorer.archived_at.is_(None),
                cast(ScorerVersion.options, Text).contains(str(model_id)),
            )
            .order_by(SavedScorer.name)
            .limit(1)
        )
