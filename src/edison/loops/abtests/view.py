"""Converts A/B tests to response schemas."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import usd_from_nanos
from edison.library.datasets.models import Dataset
from edison.loops.abtests.conclude import read_scores
from edison.loops.abtests.configure import read_scorers
from edison.loops.abtests.evidence import list_looks, plan_of, sum_usage
from edison.loops.abtests.models import AbAnswer, AbArm, AbBatch, AbTest
from edison.loops.abtests.repository import AbAnswers, AbTests
from edison.loops.abtests.schemas import (
    AbAnswerRead,
    AbArmRead,
    AbBatchRead,
    AbDatasetRead,
    AbResultRead,
    AbTestDetail,
    AbTestSummary,
)
from edison.loops.abtests.states import AbArmName
from edison.runs.store.models import Run
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Period
from edison.workspace.budgets.types import ScopeBalance

_COLUMNS = (
    "id",
    "name",
    "state",
    "mode",
    "pairs",
    "worthwhile",
    "created_at",
    "updated_at",
    "started_at",
    "ended_at",
    "archived_at",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _AbTestContext:
    """What a list of tests shows besides their columns, in a fixed number of queries."""

    arms: Mapping[tuple[UUID, str], AbArm]
    datasets: Mapping[UUID, Dataset]
    costs: Mapping[UUID, int]
    balances: Mapping[UUID, ScopeBalance]


async def describe_several(session: AsyncSession, found: Sequence[AbTest]) -> list[AbTestSummary]:
    if not found:
        return []
    around = await _read_surroundings(session, found)
    return [_summary(each, around) for each in found]


async def describe(session: AsyncSession, test: AbTest) -> AbTestDetail:
    tests = AbTests(session)
    summary = _summary(test, await _read_surroundings(session, [test]))
    batches = await tests.list_batches(test.id)
    runs = await tests.find_runs([each.run_id for each in batches if each.run_id is not None])
    return AbTestDetail(
        **{name: getattr(summary, name) for name in AbTestSummary.model_fields},
        author=await tests.find_email(test.author_id),
        scorers=read_scorers(test),
        first_usage=sum_usage(batches, AbArmName.FIRST),
        second_usage=sum_usage(batches, AbArmName.SECOND),
        looks=list_looks(await read_scores(session, test), plan_of(test)),
        batches=[_batch(each, runs) for each in batches],
        answers=test.answer_count,
        pending=await AbAnswers(tests).count_pending(test.id),
        reason=test.reason,
        message=test.message,
        note=test.note,
        stopped_by=await tests.find_email(test.stopped_by_id),
    )


async def _read_surroundings(session: AsyncSession, found: Sequence[AbTest]) -> _AbTestContext:
    tests = AbTests(session)
    ids = [each.id for each in found]
    return _AbTestContext(
        arms=await tests.list_arms(ids),
        datasets=await tests.find_datasets(
            {each.dataset_id for each in found if each.dataset_id is not None}
        ),
        costs=await tests.sum_costs(ids),
        balances=await budgets.list_scope_balances(
            session, project_id=found[0].project_id, scope_ids=ids, period=Period.TOTAL
        ),
    )


def _summary(test: AbTest, around: _AbTestContext) -> AbTestSummary:
    dataset = None if test.dataset_id is None else around.datasets.get(test.dataset_id)
    balance = around.balances.get(test.id)
    return AbTestSummary.model_validate(
        {
            **{name: getattr(test, name) for name in _COLUMNS},
            "first": read_arm(around.arms[test.id, AbArmName.FIRST]),
            "second": read_arm(around.arms[test.id, AbArmName.SECOND]),
            "dataset": dataset and AbDatasetRead(id=dataset.id, name=dataset.name),
            "result": None if test.result is None else AbResultRead.model_validate(test.result),
            "budget_usd": None if balance is None else usd_from_nanos(balance.limit_nanos),
            "cost_usd": usd_from_nanos(around.costs.get(test.id, 0)),
        }
    )


def read_arm(arm: AbArm) -> AbArmRead:
    return AbArmRead.model_validate(arm)


def _batch(batch: AbBatch, runs: Mapping[UUID, Run]) -> AbBatchRead:
    run = None if batch.run_id is None else runs.get(batch.run_id)
    return AbBatchRead(
        number=batch.number,
        cases=len(batch.case_ids),
        run_id=None if run is None else run.id,
        run_state=None if run is None else run.state,
        created_at=batch.created_at,
        ended_at=batch.ended_at,
        cost_usd=usd_from_nanos(0 if run is None else run.cost_nanos or 0),
    )


def read_answer(answer: AbAnswer) -> AbAnswerRead:
    return AbAnswerRead.model_validate(answer)
