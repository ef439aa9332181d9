"""All SQL about reviews and comments, and the review queue."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.library.prompts.models import Prompt, PromptVersion
from edison.loops.experiments.models import Experiment, Iteration, Suggestion
from edison.loops.experiments.states import IterationState, SuggestionState
from edison.loops.optimizations.models import Optimization
from edison.loops.reviews.models import Review, ReviewComment
from edison.loops.reviews.schemas import SuggestionFilter
from edison.workspace.accounts.models import User
from edison.workspace.projects.models import ProjectSettings

_QUEUE = Sorting(
    columns={"created_at": Suggestion.created_at}, default="created_at", id=Suggestion.id
)
_COMMENTS = Sorting(
    columns={"created_at": ReviewComment.created_at}, default="created_at", id=ReviewComment.id
)


class SuggestionSource(NamedTuple):
    """Where a suggestion comes from: an iteration of an experiment, an optimization, or a person
    who proposed a change of a prompt. `prompt_name` is None if the base version was deleted.
    """

    experiment_name: str | None
    iteration_number: int | None
    optimization_id: UUID | None
    optimization_name: str | None
    prompt_name: str | None


class Reviews:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def page_suggestions(
        self, project_id: UUID, *, wanted: SuggestionFilter, page: PageRequest
    ) -> Slice[tuple[Suggestion, SuggestionSource, str | None, str | None]]:
        """Suggestions with their place, author and reviewer, oldest first; of an iteration, in the
        order of their trial.
        """
        statement = (
            select(
                Suggestion,
                Experiment.name,
                Iteration.number,
                Optimization.id,
                Optimization.name,
                Prompt.name,
                User.email,
                Review.reviewer,
            )
            .outerjoin(Experiment, Experiment.id == Suggestion.experiment_id)
            .outerjoin(Iteration, Iteration.id == Suggestion.iteration_id)
            .outerjoin(Optimization, Optimization.suggestion_id == Suggestion.id)
            .outerjoin(PromptVersion, PromptVersion.id == Suggestion.base_version_id)
            .outerjoin(Prompt, Prompt.id == PromptVersion.prompt_id)
            .outerjoin(User, User.id == Suggestion.author_id)
            .outerjoin(Review, Review.suggestion_id == Suggestion.id)
            # Suggestions are offered after their trial.
            .where(
                Suggestion.project_id == project_id,
                func.coalesce(Iteration.state, "") != IterationState.TRYING,
            )
        )
        if wanted.state != "all":
            statement = statement.where(Suggestion.state == wanted.state)
        if wanted.experiment_id is not None:
            statement = statement.where(Suggestion.experiment_id == wanted.experiment_id)
        if wanted.iteration_id is not None:
            statement = statement.where(Suggestion.iteration_id == wanted.iteration_id)
        if page.q is not None:
            statement = statement.where(
                or_(
                    contains(Suggestion.note, page.q),
                    contains(Experiment.name, page.q),
                    contains(Optimization.name, page.q),
                    contains(Prompt.name, page.q),
                )
            )
        found = await paginate(self._session, statement, page=page, sorting=_QUEUE)
        return found.with_items(
            [(row[0], SuggestionSource(*row[1:6]), row[6], row[7]) for row in found.items]
        )

    async def get_place(
        self, suggestion: Suggestion
    ) -> tuple[SuggestionSource, Experiment | None, Optimization | None]:
        """Where the suggestion comes from."""
        row = (
            await self._session.execute(
                select(Experiment, Iteration.number, Optimization, Prompt.name)
                .select_from(Suggestion)
                .outerjoin(Experiment, Experiment.id == Suggestion.experiment_id)
                .outerjoin(Iteration, Iteration.id == Suggestion.iteration_id)
                .outerjoin(Optimization, Optimization.suggestion_id == Suggestion.id)
                .outerjoin(PromptVersion, PromptVersion.id == Suggestion.base_version_id)
                .outerjoin(Prompt, Prompt.id == PromptVersion.prompt_id)
                .where(Suggestion.id == suggestion.id)
            )
        ).one()
        experiment, number, optimization, prompt_name = row
        place = SuggestionSource(
            None if experiment is None else experiment.name,
            number,
            None if optimization is None else optimization.id,
            None if optimization is None else optimization.name,
            prompt_name,
        )
        return place, experiment, optimization

    async def find_latest_version(self, prompt_id: UUID) -> PromptVersion | None:
        return await self._session.scalar(
            select(PromptVersion)
            .where(PromptVersion.prompt_id == prompt_id)
            .order_by(PromptVersion.sequence.desc())
            .limit(1)
        )

    async def find_version(self, version_id: UUID) -> PromptVersion | None:
        return await self._session.get(PromptVersion, version_id)

    async def add(self, row: Review | ReviewComment) -> None:
        self._session.add(row)
        await self._session.flush()

    async def find_review(self, suggestion_id: UUID) -> Review | None:
        return await self._session.scalar(
            select(Review).where(Review.suggestion_id == suggestion_id)
        )

    async def page_comments(
        self, suggestion_id: UUID, *, page: PageRequest
    ) -> Slice[tuple[ReviewComment, str | None]]:
        """Comments with their authors' emails, oldest first."""
        statement = (
            select(ReviewComment, User.email)
            .outerjoin(User, User.id == ReviewComment.author_id)
            .where(ReviewComment.suggestion_id == suggestion_id)
        )
        return await paginate(self._session, statement, page=page, sorting=_COMMENTS)

    async def count_comments(self, suggestion_id: UUID) -> int:
        found = await self._session.scalar(
            select(func.count()).where(ReviewComment.suggestion_id == suggestion_id)
        )
        return found or 0

    async def find_email(self, user_id: UUID | None) -> str | None:
        return await self._session.scalar(select(User.email).where(User.id == user_id))

    async def list_unreviewed(self) -> Sequence[tuple[UUID, UUID]]:
        """Iterations with pending suggestions in projects without required review, with their
        projects.
        """
        has_pending = exists().where(
            Suggestion.iteration_id == Iteration.id, Suggestion.state == SuggestionState.PENDING
        )
        found = await self._session.execute(
            select(Iteration.id, Experiment.project_id)
            .join(Experiment, Experiment.id == Iteration.experiment_id)
            .join(ProjectSettings, ProjectSettings.project_id == Experiment.project_id)
            .where(
                Iteration.state == IterationState.REVIEWING,
                ~ProjectSettings.require_review_approval,
                has_pending,
            )
        )
        return [(iteration_id, project_id) for iteration_id, project_id in found]

    async def find_first_pending(self, iteration_id: UUID) -> Suggestion | None:
        return await self._session.scalar(
            select(Suggestion)
            .where(
                Suggestion.iteration_id == iteration_id,
                Suggestion.state == SuggestionState.PENDING,
            )
            .order_by(Suggestion.created_at, Suggestion.number)
            .limit(1)
        )
