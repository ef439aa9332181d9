"""All SQL about optimizations."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, exists, func, select, update
from sqlalchemy.orm import aliased

from edison.api.pagination import PageRequest, Slice, Sorting, paginate
from edison.kit import clock, ids
from edison.library.datasets.models import Case, Dataset
from edison.library.prompts.models import Prompt, PromptVersion
from edison.library.scorers.models import ScorerVersion
from edison.loops.experiments.models import Suggestion
from edison.loops.optimizations.models import (
    Optimization,
    OptimizationCandidate,
    OptimizationEntry,
    OptimizationModel,
    OptimizationRound,
    OptimizationScorer,
)
from edison.loops.optimizations.schemas.optimizations import OptimizationFilter
from edison.loops.optimizations.states import (
    ACTIVE,
    IN_USE,
    CandidateState,
    EntryKind,
    OptimizationPause,
    OptimizationState,
)
from edison.runs.store.models import Output, Run, RunCase, RunScorer, RunVariant, Score
from edison.workspace.accounts.models import User
from edison.workspace.budgets.models import LedgerEntry
from edison.workspace.resources.repository import Resources

_Blocking = aliased(Score)
_ENTRIES = Sorting(
    columns={"created_at": OptimizationEntry.created_at},
    default="-created_at",
    id=OptimizationEntry.id,
)


class Optimizations(Resources[Optimization]):
    table = Optimization
    locks_references = True

    def listed(self) -> Select[*tuple[Any, ...]]:
        """Optimizations with their authors' emails."""
        return select(Optimization, User.email).outerjoin(User, User.id == Optimization.author_id)

    async def list_of_project(
        self, project_id: UUID, *, wanted: OptimizationFilter, page: PageRequest
    ) -> Slice[tuple[Optimization, str | None]]:
        conditions = []
        if wanted.state is not None:
            conditions.append(Optimization.state == wanted.state)
        if wanted.prompt_id is not None:
            conditions.append(Optimization.prompt_id == wanted.prompt_id)
        return await self.page(project_id, status=wanted.status, page=page, conditions=conditions)

    async def find(self, optimization_id: UUID, *, is_locked: bool = False) -> Optimization | None:
        statement = select(Optimization).where(Optimization.id == optimization_id)
        if is_locked:
            statement = statement.with_for_update()
        return await self.session.scalar(statement.execution_options(populate_existing=True))

    async def find_names(self, project_id: UUID, wanted: Collection[UUID]) -> Mapping[UUID, str]:
        found = await self.session.execute(
            select(Optimization.id, Optimization.name).where(
                Optimization.project_id == project_id, Optimization.id.in_(wanted)
            )
        )
        return {id_: name for id_, name in found}

    async def change_state(
        self, row: Optimization, new: OptimizationState, values: Mapping[str, Any]
    ) -> Optimization | None:
        """None if it is no longer in the state of `row`."""
        return await self.session.scalar(
            update(Optimization)
            .where(Optimization.id == row.id, Optimization.state == row.state)
            .values(state=new, updated_at=clock.now(), **values)
            .returning(Optimization)
            .execution_options(populate_existing=True)
        )

    async def set_values(self, optimization_id: UUID, **values: Any) -> None:
        await self.session.execute(
            update(Optimization)
            .where(Optimization.id == optimization_id)
            .values(updated_at=clock.now(), **values)
            .execution_options(synchronize_session=False)
        )

    async def list_unfinished(self) -> Sequence[tuple[UUID, UUID]]:
        """Ids of running optimizations and their projects, oldest first."""
        found = await self.session.execute(
            select(Optimization.id, Optimization.project_id)
            .where(Optimization.state == OptimizationState.RUNNING)
            .order_by(Optimization.id)
        )
        return [(id_, project_id) for id_, project_id in found]

    async def list_paused_by_budget(self, project_id: UUID) -> Sequence[Optimization]:
        found = await self.session.scalars(
            select(Optimization)
            .where(
                Optimization.project_id == project_id,
                Optimization.state == OptimizationState.PAUSED,
                Optimization.reason == OptimizationPause.BUDGET,
            )
            .order_by(Optimization.id)
            .with_for_update()
        )
        return found.all()

    async def list_spenders(self, wanted: Collection[UUID]) -> set[UUID]:
        """Which of these may call models. Locks them until the transaction ends."""
        found = await self.session.scalars(
            select(Optimization.id)
            .where(Optimization.id.in_(wanted), Optimization.state == OptimizationState.RUNNING)
            .order_by(Optimization.id)
            .with_for_update(read=True)
        )
        return set(found)

    async def count_active(self, project_id: UUID) -> int:
        found = await self.session.scalar(
            select(func.count())
            .select_from(Optimization)
            .where(Optimization.project_id == project_id, Optimization.state.in_(ACTIVE))
        )
        return found or 0

    async def set_uses(
        self, row_id: UUID, *, model_ids: Collection[UUID], version_ids: Collection[UUID]
    ) -> None:
        """Replaces the links to models and saved scorers, the latter by their versions."""
        scorer_ids = await self.session.scalars(
            select(ScorerVersion.scorer_id).where(ScorerVersion.id.in_(version_ids)).distinct()
        )
        key = {"optimization_id": row_id}
        await self.set_links(OptimizationModel, key, "model_id", model_ids)
        await self.set_links(OptimizationScorer, key, "scorer_id", scorer_ids)

    async def find_using(
        self,
        condition: ColumnElement[bool],
        *joined: type[OptimizationModel | OptimizationScorer],
    ) -> str | None:
        """The name of an unarchived optimization that has not ended and meets the condition."""
        statement = select(Optimization.name).where(
            Optimization.archived_at.is_(None), Optimization.state.in_(IN_USE), condition
        )
        for table in joined:
            statement = statement.join(table, table.optimization_id == Optimization.id)
        return await self.session.scalar(statement.limit(1))

    async def find_prompt(self, prompt_id: UUID) -> Prompt | None:
        return await self.session.get(Prompt, prompt_id)

    async def find_version(self, prompt_id: UUID, version_id: UUID | None) -> PromptVersion | None:
        """A version of the prompt, or its latest one."""
        statement = select(PromptVersion).where(PromptVersion.prompt_id == prompt_id)
        if version_id is not None:
            statement = statement.where(PromptVersion.id == version_id)
        return await self.session.scalar(statement.order_by(PromptVersion.sequence.desc()).limit(1))

    async def find_datasets(self, wanted: Collection[UUID]) -> Mapping[UUID, Dataset]:
        found = await self.session.scalars(select(Dataset).where(Dataset.id.in_(wanted)))
        return {dataset.id: dataset for dataset in found}

    async def list_cases(self, dataset_id: UUID) -> Sequence[Case]:
        found = await self.session.scalars(select(Case).where(Case.dataset_id == dataset_id))
        return found.all()

    async def find_suggestion_states(self, wanted: Collection[UUID]) -> Mapping[UUID, str]:
        found = await self.session.execute(
            select(Suggestion.id, Suggestion.state).where(Suggestion.id.in_(wanted))
        )
        return {id_: state for id_, state in found}

    async def find_of_suggestion(self, suggestion_id: UUID) -> Optimization | None:
        return await self.session.scalar(
            select(Optimization).where(Optimization.suggestion_id == suggestion_id)
        )


class OptimizationSteps:
    """Candidates, rounds and activity of optimizations."""

    def __init__(self, optimizations: Optimizations) -> None:
        self._session = optimizations.session

    async def list_candidates(
        self, optimization_ids: Collection[UUID]
    ) -> Sequence[OptimizationCandidate]:
        found = await self._session.scalars(
            select(OptimizationCandidate)
            .where(OptimizationCandidate.optimization_id.in_(optimization_ids))
            .order_by(OptimizationCandidate.optimization_id, OptimizationCandidate.number)
            .execution_options(populate_existing=True)
        )
        return found.all()

    async def find_candidate(
        self, optimization_id: UUID, number: int
    ) -> OptimizationCandidate | None:
        return await self._session.scalar(
            select(OptimizationCandidate).where(
                OptimizationCandidate.optimization_id == optimization_id,
                OptimizationCandidate.number == number,
            )
        )

    async def add_candidates(self, rows: Sequence[OptimizationCandidate]) -> None:
        self._session.add_all(rows)
        await self._session.flush()

    async def set_measured(
        self,
        candidate_id: UUID,
        scores: Mapping[str, float],
        *,
        state: CandidateState,
        elimination: Mapping[str, Any] | None,
    ) -> None:
        await self._session.execute(
            update(OptimizationCandidate)
            .where(OptimizationCandidate.id == candidate_id)
            .values(scores=dict(scores), state=state, elimination=elimination)
            .execution_options(synchronize_session=False)
        )

    async def list_rounds(self, optimization_ids: Collection[UUID]) -> Sequence[OptimizationRound]:
        found = await self._session.scalars(
            select(OptimizationRound)
            .where(OptimizationRound.optimization_id.in_(optimization_ids))
            .order_by(OptimizationRound.optimization_id, OptimizationRound.number)
            .execution_options(populate_existing=True)
        )
        return found.all()

    async def add_round(self, row: OptimizationRound) -> None:
        self._session.add(row)
        await self._session.flush()

    async def end_round(self, round_id: UUID) -> bool:
        """False if another process did."""
        ended = await self._session.scalar(
            update(OptimizationRound)
            .where(OptimizationRound.id == round_id, OptimizationRound.ended_at.is_(None))
            .values(ended_at=clock.now())
            .returning(OptimizationRound.id)
        )
        return ended is not None

    async def list_run_ids(self, project_id: UUID) -> Sequence[UUID]:
        found = await self._session.scalars(
            select(OptimizationRound.run_id)
            .join(Optimization, Optimization.id == OptimizationRound.optimization_id)
            .where(Optimization.project_id == project_id)
        )
        return [run_id for run_id in found if run_id is not None]

    async def find_of_run(self, run_id: UUID) -> Optimization | None:
        """The optimization that a run belongs to, unless it is over."""
        return await self._session.scalar(
            select(Optimization)
            .join(OptimizationRound, OptimizationRound.optimization_id == Optimization.id)
            .where(OptimizationRound.run_id == run_id, Optimization.state.in_(ACTIVE))
        )

    async def find_runs(self, run_ids: Collection[UUID]) -> Mapping[UUID, Run]:
        found = await self._session.scalars(
            select(Run).where(Run.id.in_(run_ids)).execution_options(populate_existing=True)
        )
        return {run.id: run for run in found}

    async def sum_costs(self, run_ids: Collection[UUID]) -> Mapping[UUID, int]:
        """The cost of all calls by run, including those of strategies."""
        found = await self._session.execute(
            select(LedgerEntry.run_id, func.sum(LedgerEntry.cost_nanos))
            .where(LedgerEntry.run_id.in_(run_ids))
            .group_by(LedgerEntry.run_id)
        )
        return {run_id: int(nanos or 0) for run_id, nanos in found if run_id is not None}

    async def add_entry(self, optimization_id: UUID, kind: EntryKind, data: dict[str, Any]) -> None:
        self._session.add(
            OptimizationEntry(
                id=ids.new_id(),
                optimization_id=optimization_id,
                kind=kind,
                data=data,
                created_at=clock.now(),
            )
        )
        await self._session.flush()

    async def find_first_entry(
        self, optimization_id: UUID, kind: EntryKind
    ) -> OptimizationEntry | None:
        return await self._session.scalar(
            select(OptimizationEntry)
            .where(
                OptimizationEntry.optimization_id == optimization_id,
                OptimizationEntry.kind == kind,
            )
            .order_by(OptimizationEntry.created_at, OptimizationEntry.id)
            .limit(1)
        )

    async def page_entries(
        self, optimization_id: UUID, *, page: PageRequest
    ) -> Slice[OptimizationEntry]:
        statement = select(OptimizationEntry).where(
            OptimizationEntry.optimization_id == optimization_id
        )
        return await paginate(self._session, statement, page=page, sorting=_ENTRIES)

    async def list_run_cases(self, run_id: UUID) -> Sequence[RunCase]:
        """By position."""
        found = await self._session.scalars(
            select(RunCase).where(RunCase.run_id == run_id).order_by(RunCase.position)
        )
        return found.all()

    async def list_run_scorers(self, run_id: UUID) -> Sequence[RunScorer]:
        found = await self._session.scalars(
            select(RunScorer).where(RunScorer.run_id == run_id).order_by(RunScorer.position)
        )
        return found.all()

    async def mean_costs(self, run_ids: Collection[UUID]) -> Mapping[tuple[UUID, int], int]:
        """Mean cost of an answer, by run and position of the variant. Answers from the cache, which
        cost nothing, are left out.
        """
        found = await self._session.execute(
            select(Output.run_id, Output.variant_position, func.avg(Output.cost_nanos))
            .where(Output.run_id.in_(run_ids), ~Output.is_cached, Output.cost_nanos.is_not(None))
            .group_by(Output.run_id, Output.variant_position)
        )
        return {(run_id, position): round(nanos) for run_id, position, nanos in found}

    async def list_model_names(self, run_id: UUID) -> Sequence[str]:
        """Of the variants, by position."""
        found = await self._session.scalars(
            select(RunVariant.model_name)
            .where(RunVariant.run_id == run_id)
            .order_by(RunVariant.position)
        )
        return found.all()

    async def list_scored(
        self, run_id: UUID, *, variants: Collection[int], scorers: Collection[int], limit: int
    ) -> Sequence[tuple[Output, Score, RunCase]]:
        """The lowest scores of these variants with their answers and cases. Leaves out answers
        flagged by a safety check, which must not be sent to models.
        """
        found = await self._session.execute(
            select(Output, Score, RunCase)
            .join(Score, Score.output_id == Output.id)
            .join(
                RunCase,
                (RunCase.run_id == Output.run_id) & (RunCase.position == Output.case_position),
            )
            .where(
                Output.run_id == run_id,
                Output.variant_position.in_(variants),
                Score.scorer_position.in_(scorers),
                Score.value.is_not(None),
                ~exists().where(_Blocking.output_id == Output.id, _Blocking.flag == "blocked"),
            )
            .order_by(
                Score.value, Output.case_position, Output.variant_position, Score.scorer_position
            )
            .limit(limit)
        )
        return [(output, score, case) for output, score, case in found]
