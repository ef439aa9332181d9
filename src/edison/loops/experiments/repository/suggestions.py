"""All SQL about suggestions."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock
from edison.kit.errors import NotFound
from edison.library.prompts.models import Prompt, PromptVersion
from edison.loops.experiments.models import Iteration, Suggestion
from edison.loops.experiments.states import IterationState, SuggestionState

# Maximum number of versions in a lineage; newer ones take precedence.
MOST_VERSIONS = 300


class Suggestions:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of_iterations(
        self, iteration_ids: Collection[UUID]
    ) -> Mapping[UUID, Sequence[Suggestion]]:
        found = await self._session.scalars(
            select(Suggestion)
            .where(Suggestion.iteration_id.in_(iteration_ids))
            .order_by(Suggestion.iteration_id, Suggestion.created_at, Suggestion.number)
            .execution_options(populate_existing=True)
        )
        grouped: dict[UUID, list[Suggestion]] = {each: [] for each in iteration_ids}
        for suggestion in found:
            if suggestion.iteration_id is not None:
                grouped[suggestion.iteration_id].append(suggestion)
        return grouped

    async def list_of_experiment(self, experiment_id: UUID) -> Sequence[Suggestion]:
        """Oldest first."""
        found = await self._session.scalars(
            select(Suggestion)
            .where(Suggestion.experiment_id == experiment_id)
            .order_by(Suggestion.created_at, Suggestion.number, Suggestion.id)
        )
        return found.all()

    async def count_pending(self, experiment_ids: Collection[UUID]) -> Mapping[UUID, int]:
        """Without those that are being tried."""
        found = await self._session.execute(
            select(Suggestion.experiment_id, func.count())
            .join(Iteration, Iteration.id == Suggestion.iteration_id)
            .where(
                Suggestion.experiment_id.in_(experiment_ids),
                Suggestion.state == SuggestionState.PENDING,
                Iteration.state != IterationState.TRYING,
            )
            .group_by(Suggestion.experiment_id)
        )
        return {each: count for each, count in found if each is not None}

    async def get(self, project_id: UUID, suggestion_id: UUID) -> Suggestion:
        found = await self._session.scalar(
            select(Suggestion)
            .where(Suggestion.project_id == project_id, Suggestion.id == suggestion_id)
            .execution_options(populate_existing=True)
        )
        if found is None:
            raise NotFound("There is no such suggestion.")
        return found

    async def add_all(self, suggestions: Sequence[Suggestion]) -> None:
        self._session.add_all(suggestions)
        await self._session.flush()

    async def decide(
        self, suggestion_id: UUID, state: SuggestionState, values: Mapping[str, Any]
    ) -> Suggestion | None:
        """None if it was already decided."""
        return await self._session.scalar(
            update(Suggestion)
            .where(Suggestion.id == suggestion_id, Suggestion.state == SuggestionState.PENDING)
            .values(state=state, **values)
            .returning(Suggestion)
            .execution_options(populate_existing=True)
        )

    async def list_tried(self, iteration_id: UUID) -> Sequence[Suggestion]:
        """The pending suggestions that were not written by a person, by number."""
        found = await self._session.scalars(
            select(Suggestion)
            .where(
                Suggestion.iteration_id == iteration_id,
                Suggestion.state == SuggestionState.PENDING,
                Suggestion.origin != "person",
            )
            .order_by(Suggestion.number)
            .execution_options(populate_existing=True)
        )
        return found.all()

    async def change(self, suggestion_id: UUID, values: dict[str, Any]) -> None:
        await self._session.execute(
            update(Suggestion)
            .where(Suggestion.id == suggestion_id)
            .values(**values)
            .execution_options(synchronize_session=False)
        )

    async def set_version(self, suggestion_id: UUID, version_id: UUID) -> None:
        await self._session.execute(
            update(Suggestion).where(Suggestion.id == suggestion_id).values(version_id=version_id)
        )

    async def supersede_all(self, iteration_id: UUID) -> None:
        """Marks pending suggestions as superseded."""
        await self._session.execute(
            update(Suggestion)
            .where(
                Suggestion.iteration_id == iteration_id,
                Suggestion.state == SuggestionState.PENDING,
            )
            .values(state=SuggestionState.SUPERSEDED, decided_at=clock.now())
            .execution_options(synchronize_session=False)
        )

    async def count_pending_of(self, iteration_id: UUID) -> int:
        found = await self._session.scalar(
            select(func.count()).where(
                Suggestion.iteration_id == iteration_id,
                Suggestion.state == SuggestionState.PENDING,
            )
        )
        return found or 0

    async def next_number(self, iteration_id: UUID) -> int:
        found = await self._session.scalar(
            select(func.max(Suggestion.number)).where(Suggestion.iteration_id == iteration_id)
        )
        return (found or 0) + 1

    async def find_version(self, project_id: UUID, version_id: UUID) -> PromptVersion | None:
        """A version of a prompt of the project."""
        return await self._session.scalar(
            select(PromptVersion)
            .join(Prompt, Prompt.id == PromptVersion.prompt_id)
            .where(PromptVersion.id == version_id, Prompt.project_id == project_id)
        )

    async def list_versions(self, prompt_id: UUID) -> Sequence[PromptVersion]:
        """Oldest first; the newest `MOST_VERSIONS` only."""
        found = await self._session.scalars(
            select(PromptVersion)
            .where(PromptVersion.prompt_id == prompt_id)
            .order_by(PromptVersion.sequence.desc())
            .limit(MOST_VERSIONS)
        )
        return list(reversed(found.all()))
