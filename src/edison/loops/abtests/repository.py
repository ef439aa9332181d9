"""All SQL about A/B tests."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, delete, func, select, update

from edison.api.pagination import PageRequest, Slice, Sorting, paginate
from edison.db import upsert
from edison.kit import clock
from edison.library.datasets.models import Case, Dataset
from edison.library.prompts.models import Prompt, PromptVersion
from edison.library.scorers.models import ScorerVersion
from edison.loops.abtests.models import AbAnswer, AbArm, AbBatch, AbJudge, AbScorer, AbTest
from edison.loops.abtests.schemas import AbAnswerFilter, AbTestFilter
from edison.loops.abtests.states import IN_USE, AbTestState, AnswerState
from edison.runs.store.models import Run
from edison.workspace.accounts.models import User
from edison.workspace.resources.repository import Resources

_ANSWERS = Sorting(columns={"number": AbAnswer.number}, default="-number", id=AbAnswer.id)


class AbTests(Resources[AbTest]):
    table = AbTest
    locks_references = True

    @property
    def noun(self) -> str:
        return "A/B test"

    def listed(self) -> Select[*tuple[Any, ...]]:
        """Tests with their authors' emails."""
        return select(AbTest, User.email).outerjoin(User, User.id == AbTest.author_id)

    async def list_of_project(
        self, project_id: UUID, *, wanted: AbTestFilter, page: PageRequest
    ) -> Slice[tuple[AbTest, str | None]]:
        conditions = [] if wanted.state is None else [AbTest.state == wanted.state]
        return await self.page(project_id, status=wanted.status, page=page, conditions=conditions)

    async def find(self, test_id: UUID, *, is_locked: bool = False) -> AbTest | None:
        statement = select(AbTest).where(AbTest.id == test_id)
        if is_locked:
            statement = statement.with_for_update()
        return await self.session.scalar(statement.execution_options(populate_existing=True))

    async def find_names(self, project_id: UUID, ids: Collection[UUID]) -> Mapping[UUID, str]:
        found = await self.session.execute(
            select(AbTest.id, AbTest.name).where(
                AbTest.project_id == project_id, AbTest.id.in_(ids)
            )
        )
        return {id_: name for id_, name in found}

    async def change_state(
        self, test_id: UUID, old: AbTestState, new: AbTestState, values: Mapping[str, Any]
    ) -> AbTest | None:
        """None if it is no longer in the old state."""
        return await self.session.scalar(
            update(AbTest)
            .where(AbTest.id == test_id, AbTest.state == old)
            .values(state=new, updated_at=clock.now(), **values)
            .returning(AbTest)
            .execution_options(populate_existing=True)
        )

    async def set_result(self, test_id: UUID, result: dict[str, Any]) -> None:
        await self.session.execute(
            update(AbTest)
            .where(AbTest.id == test_id, AbTest.state == AbTestState.RUNNING)
            .values(result=result, updated_at=clock.now())
            .execution_options(synchronize_session=False)
        )

    async def add_answer_numbers(self, test_id: UUID, count: int) -> int:
        """Reserves numbers for new answers and returns the first. Locks the test."""
        last = await self.session.scalar(
            update(AbTest)
            .where(AbTest.id == test_id)
            .values(answer_count=AbTest.answer_count + count)
            .returning(AbTest.answer_count)
        )
        return (last or 0) - count + 1

    async def list_running(self) -> Sequence[tuple[UUID, UUID]]:
        """Ids of running tests and their projects, oldest first."""
        found = await self.session.execute(
            select(AbTest.id, AbTest.project_id)
            .where(AbTest.state == AbTestState.RUNNING)
            .order_by(AbTest.id)
        )
        return [(id_, project_id) for id_, project_id in found]

    async def count_running(self, project_id: UUID) -> int:
        found = await self.session.scalar(
            select(func.count())
            .select_from(AbTest)
            .where(AbTest.project_id == project_id, AbTest.state == AbTestState.RUNNING)
        )
        return found or 0

    async def list_arms(self, test_ids: Collection[UUID]) -> Mapping[tuple[UUID, str], AbArm]:
        found = await self.session.scalars(
            select(AbArm)
            .where(AbArm.test_id.in_(test_ids))
            .execution_options(populate_existing=True)
        )
        return {(arm.test_id, arm.arm): arm for arm in found}

    async def set_arms(self, test_id: UUID, rows: Sequence[dict[str, Any]]) -> None:
        await self.session.execute(delete(AbArm).where(AbArm.test_id == test_id))
        await self.session.execute(upsert.insert(self.session, AbArm).values(list(rows)))

    async def set_uses(
        self, test_id: UUID, *, judge_ids: Collection[UUID], version_ids: Collection[UUID]
    ) -> None:
        """Replaces the links to judges and saved scorers, the latter by their versions."""
        scorer_ids = await self.session.scalars(
            select(ScorerVersion.scorer_id).where(ScorerVersion.id.in_(version_ids)).distinct()
        )
        await self.set_links(AbJudge, {"test_id": test_id}, "model_id", judge_ids)
        await self.set_links(AbScorer, {"test_id": test_id}, "scorer_id", scorer_ids)

    async def find_using(
        self, condition: ColumnElement[bool], *joined: type[AbArm | AbJudge | AbScorer]
    ) -> str | None:
        """The name of an unarchived test that is a draft or runs, and meets the condition."""
        statement = select(AbTest.name).where(
            AbTest.archived_at.is_(None), AbTest.state.in_(IN_USE), condition
        )
        for table in joined:
            statement = statement.join(table, table.test_id == AbTest.id)
        return await self.session.scalar(statement.limit(1))

    async def find_prompts(self, ids: Collection[UUID]) -> Mapping[UUID, Prompt]:
        found = await self.session.scalars(select(Prompt).where(Prompt.id.in_(ids)))
        return {prompt.id: prompt for prompt in found}

    async def find_versions(self, ids: Collection[UUID]) -> Mapping[UUID, PromptVersion]:
        found = await self.session.scalars(select(PromptVersion).where(PromptVersion.id.in_(ids)))
        return {version.id: version for version in found}

    async def find_datasets(self, ids: Collection[UUID]) -> Mapping[UUID, Dataset]:
        found = await self.session.scalars(select(Dataset).where(Dataset.id.in_(ids)))
        return {dataset.id: dataset for dataset in found}

    async def list_case_ids(self, dataset_id: UUID) -> Sequence[UUID]:
        found = await self.session.scalars(select(Case.id).where(Case.dataset_id == dataset_id))
        return found.all()

    async def list_batches(self, test_id: UUID) -> Sequence[AbBatch]:
        found = await self.session.scalars(
            select(AbBatch)
            .where(AbBatch.test_id == test_id)
            .order_by(AbBatch.number)
            .execution_options(populate_existing=True)
        )
        return found.all()

    async def add_batch(self, batch: AbBatch) -> None:
        self.session.add(batch)
        await self.session.flush()

    async def end_batch(self, batch_id: UUID, measures: dict[str, Any]) -> bool:
        """False if another process did."""
        ended = await self.session.scalar(
            update(AbBatch)
            .where(AbBatch.id == batch_id, AbBatch.ended_at.is_(None))
            .values(measures=measures, ended_at=clock.now())
            .returning(AbBatch.id)
        )
        return ended is not None

    async def find_of_run(self, run_id: UUID) -> tuple[UUID, UUID] | None:
        """The running test that a run belongs to, with its project."""
        row = (
            await self.session.execute(
                select(AbTest.id, AbTest.project_id)
                .join(AbBatch, AbBatch.test_id == AbTest.id)
                .where(AbBatch.run_id == run_id, AbTest.state == AbTestState.RUNNING)
            )
        ).first()
        return None if row is None else (row[0], row[1])

    async def list_run_ids(self, project_id: UUID) -> Sequence[UUID]:
        found = await self.session.scalars(
            select(AbBatch.run_id)
            .join(AbTest, AbTest.id == AbBatch.test_id)
            .where(AbTest.project_id == project_id)
        )
        return [run_id for run_id in found if run_id is not None]

    async def find_runs(self, run_ids: Collection[UUID]) -> Mapping[UUID, Run]:
        found = await self.session.scalars(
            select(Run).where(Run.id.in_(run_ids)).execution_options(populate_existing=True)
        )
        return {run.id: run for run in found}

    async def sum_costs(self, test_ids: Collection[UUID]) -> Mapping[UUID, int]:
        """Cost of the runs, and of scoring recorded answers, by test."""
        of_runs = (
            select(AbBatch.test_id, func.sum(func.coalesce(Run.cost_nanos, 0)))
            .join(Run, Run.id == AbBatch.run_id)
            .where(AbBatch.test_id.in_(test_ids))
            .group_by(AbBatch.test_id)
        )
        of_answers = (
            select(AbAnswer.test_id, func.sum(AbAnswer.cost_nanos))
            .where(AbAnswer.test_id.in_(test_ids))
            .group_by(AbAnswer.test_id)
        )
        costs: dict[UUID, int] = {}
        for statement in (of_runs, of_answers):
            for test_id, nanos in await self.session.execute(statement):
                costs[test_id] = costs.get(test_id, 0) + int(nanos or 0)
        return costs


class AbAnswers:
    def __init__(self, tests: AbTests) -> None:
        self._session = tests.session

    async def find_recorded(self, test_id: UUID, external_ids: Collection[str]) -> set[str]:
        """Which of these ids were recorded before."""
        found = await self._session.scalars(
            select(AbAnswer.external_id).where(
                AbAnswer.test_id == test_id, AbAnswer.external_id.in_(external_ids)
            )
        )
        return {each for each in found if each is not None}

    async def add(self, rows: Sequence[dict[str, Any]]) -> None:
        if rows:
            await self._session.execute(upsert.insert(self._session, AbAnswer).values(list(rows)))

    async def list_scores(self, test_id: UUID) -> Sequence[tuple[str, str, float | None]]:
        """Arm, state and score of all answers in order of arrival."""
        found = await self._session.execute(
            select(AbAnswer.arm, AbAnswer.state, AbAnswer.score)
            .where(AbAnswer.test_id == test_id)
            .order_by(AbAnswer.number)
        )
        return [(arm, state, score) for arm, state, score in found]

    async def list_pending(self, test_id: UUID, *, limit: int) -> Sequence[AbAnswer]:
        found = await self._session.scalars(
            select(AbAnswer)
            .where(AbAnswer.test_id == test_id, AbAnswer.state == AnswerState.PENDING)
            .order_by(AbAnswer.number)
            .limit(limit)
        )
        return found.all()

    async def count_pending(self, test_id: UUID) -> int:
        found = await self._session.scalar(
            select(func.count())
            .select_from(AbAnswer)
            .where(AbAnswer.test_id == test_id, AbAnswer.state == AnswerState.PENDING)
        )
        return found or 0

    async def set_score(self, answer_id: UUID, values: Mapping[str, Any]) -> None:
        """Once: an answer that has a score keeps it."""
        await self._session.execute(
            update(AbAnswer)
            .where(AbAnswer.id == answer_id, AbAnswer.state == AnswerState.PENDING)
            .values(**values)
            .execution_options(synchronize_session=False)
        )

    async def page_of(
        self, test_id: UUID, *, wanted: AbAnswerFilter, page: PageRequest
    ) -> Slice[AbAnswer]:
        statement = select(AbAnswer).where(AbAnswer.test_id == test_id)
        if wanted.arm is not None:
            statement = statement.where(AbAnswer.arm == wanted.arm)
        if wanted.state is not None:
            statement = statement.where(AbAnswer.state == wanted.state)
        if page.q is not None:
            statement = statement.where(AbAnswer.external_id == page.q)
        return await paginate(self._session, statement, page=page, sorting=_ANSWERS)
