"""A/B tests of a project: create, change, copy, archive, delete; and hooks about their use."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.jobs import job as jobs
from edison.jobs.job import Job
from edison.kit import ids
from edison.kit.errors import FieldProblem, Invalid
from edison.loops.abtests import view
from edison.loops.abtests.conclude import fail_locked
from edison.loops.abtests.configure import ValidTest, batch_size, validate
from edison.loops.abtests.errors import WrongAbTestState
from edison.loops.abtests.models import AbArm, AbJudge, AbScorer, AbTest
from edison.loops.abtests.repository import AbTests
from edison.loops.abtests.schemas import (
    AbTestChange,
    AbTestConfig,
    AbTestDetail,
    AbTestFilter,
    AbTestRequest,
    AbTestSummary,
)
from edison.loops.abtests.states import AbArmName, AbMode, AbTestState
from edison.loops.abtests.transitions import ORIGIN, drive_job
from edison.runs.store.models import Run
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Scope
from edison.workspace.budgets.types import ScopeLimit
from edison.workspace.resources import service as resources

_FIXED = "Only its name can change. Duplicate it to test something else."
_STOP_FIRST = "Stop it first."
_MOST_SEED = 2**31 - 1


async def list_tests(
    session: AsyncSession, *, project_id: UUID, wanted: AbTestFilter, page: PageRequest
) -> Slice[AbTestSummary]:
    found = await AbTests(session).list_of_project(project_id, wanted=wanted, page=page)
    return found.with_items(await view.describe_several(session, [row[0] for row in found.items]))


async def get_test(session: AsyncSession, *, project_id: UUID, test_id: UUID) -> AbTestDetail:
    return await view.describe(session, await AbTests(session).get(project_id, test_id))


async def create_test(
    session: AsyncSession, *, project_id: UUID, wanted: AbTestRequest, author_id: UUID
) -> AbTestDetail:
    """Creates a draft. Raises Invalid with all problems, and DuplicateName."""
    valid = await validate(session, project_id=project_id, wanted=wanted, author_id=author_id)
    tests = AbTests(session)
    await resources.check_name(tests, project_id, wanted.name)
    test = AbTest(
        id=ids.new_id(),
        project_id=project_id,
        name=wanted.name,
        state=AbTestState.DRAFT,
        author_id=author_id,
        seed=secrets.randbelow(_MOST_SEED),
        answer_count=0,
        **_columns(wanted, valid),
    )
    await tests.add(test)
    await _set_links(session, test, wanted, valid)
    after = _described(test, valid.arms, wanted.budget_usd)
    await resources.note(session, test, "created", after=after)
    return await get_test(session, project_id=project_id, test_id=test.id)


async def change_test(
    session: AsyncSession,
    *,
    project_id: UUID,
    test_id: UUID,
    change: AbTestChange,
    author_id: UUID,
) -> AbTestDetail:
    """Changes the fields that were sent. Raises Invalid, DuplicateName, Archived, and
    WrongAbTestState when more than the name of a started test would change.
    """
    tests = AbTests(session)
    test = await resources.lock_active(tests, project_id, test_id)
    given = change.model_dump(exclude_unset=True, exclude={"name"})
    before = {"name": test.name}
    if change.name is not None and change.name != test.name:
        await resources.check_name(tests, project_id, change.name)
        test.name = change.name
    after: dict[str, Any] = {"name": test.name}
    if given:
        if test.state != AbTestState.DRAFT:
            raise WrongAbTestState(AbTestState(test.state), advice=_FIXED, path=next(iter(given)))
        wanted = await read_config(session, test, changes=given)
        valid = await validate(session, project_id=project_id, wanted=wanted, author_id=author_id)
        for name, value in _columns(wanted, valid).items():
            setattr(test, name, value)
        await session.flush()
        await _set_links(session, test, wanted, valid)
        after = _described(test, valid.arms, wanted.budget_usd)
    await session.flush()
    await resources.note(session, test, "changed", before=before, after=after)
    return await get_test(session, project_id=project_id, test_id=test_id)


async def read_config(
    session: AsyncSession, test: AbTest, *, changes: Mapping[str, Any] | None = None
) -> AbTestConfig:
    """The test as in a request, with changes. Raises Invalid, also for parts that were deleted."""
    arms = await AbTests(session).list_arms([test.id])
    limit = await budgets.find_scope_limit(session, project_id=test.project_id, scope_id=test.id)
    fields = {
        **{arm.value: _arm_fields(arms[test.id, arm]) for arm in AbArmName},
        "dataset_id": test.dataset_id,
        "scorers": test.config["scorers"],
        "pairs": test.pairs,
        "worthwhile": test.worthwhile,
        "budget_usd": limit.limit_usd,
        **(changes or {}),
    }
    try:
        return AbTestConfig.model_validate(fields)
    except ValidationError as wrong:
        raise Invalid(
            *(
                FieldProblem(
                    field=".".join(str(part) for part in each["loc"]),
                    message=each["msg"].removeprefix("Value error, "),
                    code=each["type"],
                )
                for each in wrong.errors()
            )
        ) from wrong


def _arm_fields(arm: AbArm) -> dict[str, Any]:
    return {
        "prompt_id": arm.prompt_id,
        "version_id": arm.version_id,
        "model_id": arm.model_id,
        "parameters": arm.parameters,
    }


def _columns(wanted: AbTestConfig, valid: ValidTest) -> dict[str, Any]:
    is_recorded = wanted.dataset_id is None
    return {
        "mode": AbMode.RECORDED if is_recorded else AbMode.SAMPLED,
        "dataset_id": wanted.dataset_id,
        "pairs": wanted.pairs,
        "worthwhile": wanted.worthwhile,
        "batch_pairs": batch_size(wanted.pairs),
        "config": {"scorers": [each.model_dump(mode="json") for each in valid.scorers]},
    }


async def _set_links(
    session: AsyncSession, test: AbTest, wanted: AbTestConfig, valid: ValidTest
) -> None:
    tests = AbTests(session)
    await tests.set_arms(test.id, [{"test_id": test.id, **row} for row in valid.arms])
    await tests.set_uses(test.id, judge_ids=valid.judge_ids, version_ids=valid.scorer_version_ids)
    await budgets.set_scope_limit(
        session,
        project_id=test.project_id,
        scope=(Scope.AB_TEST, test.id),
        limit=ScopeLimit(limit_usd=wanted.budget_usd, counts_simulated=valid.is_simulated),
    )


async def duplicate_test(
    session: AsyncSession, *, project_id: UUID, test_id: UUID, name: str | None, author_id: UUID
) -> AbTestDetail:
    """Creates a draft with the same configuration. Raises Invalid when a part of it was deleted."""
    tests = AbTests(session)
    original = await tests.get(project_id, test_id)
    config = await read_config(session, original)
    name = name or await resources.find_copy_name(tests, project_id, original.name)
    wanted = AbTestRequest(**{**dict(config), "name": name})
    return await create_test(session, project_id=project_id, wanted=wanted, author_id=author_id)


async def set_archived(
    session: AsyncSession, *, project_id: UUID, test_id: UUID, is_archived: bool
) -> AbTestDetail:
    """Raises WrongAbTestState while the test runs."""
    tests = AbTests(session)
    test = await tests.get(project_id, test_id, to_change=True)
    _check_idle(test)
    await resources.set_archived(tests, test, is_archived=is_archived)
    return await get_test(session, project_id=project_id, test_id=test_id)


async def delete_test(session: AsyncSession, *, project_id: UUID, test_id: UUID) -> None:
    """Deletes the test with its recorded answers. Runs and ledger entries are kept. Raises
    WrongAbTestState while it runs.
    """
    tests = AbTests(session)
    test = await tests.get(project_id, test_id, to_change=True)
    _check_idle(test)
    await budgets.delete_scope_budgets(session, project_id=project_id, scope_id=test_id)
    before = {"name": test.name, "state": test.state}
    await tests.remove(test_id)
    await resources.note(session, test, "deleted", before=before)


def _check_idle(test: AbTest) -> None:
    if test.state == AbTestState.RUNNING:
        raise WrongAbTestState(AbTestState.RUNNING, advice=_STOP_FIRST)


def _described(
    test: AbTest, arms: Sequence[Mapping[str, Any]], budget_usd: Decimal | None
) -> dict[str, Any]:
    return {
        "name": test.name,
        "mode": test.mode,
        "dataset_id": None if test.dataset_id is None else str(test.dataset_id),
        "pairs": test.pairs,
        "worthwhile": test.worthwhile,
        "budget_usd": None if budget_usd is None else f"{budget_usd:f}",
        **{
            row["arm"]: f"{row['prompt_name']} {row['version_label']} · {row['model_name']}"
            for row in arms
        },
    }


async def find_names(
    session: AsyncSession, project_id: UUID, test_ids: Collection[UUID]
) -> Mapping[UUID, str]:
    """Hook of `workspace/budgets`: names of A/B tests as budget scopes."""
    return await AbTests(session).find_names(project_id, test_ids)


async def find_use_of_prompt(session: AsyncSession, prompt_id: UUID) -> str | None:
    name = await AbTests(session).find_using(AbArm.prompt_id == prompt_id, AbArm)
    return None if name is None else f"The A/B test {name} compares this prompt."


async def find_use_of_dataset(session: AsyncSession, dataset_id: UUID) -> str | None:
    name = await AbTests(session).find_using(AbTest.dataset_id == dataset_id)
    return None if name is None else f"The A/B test {name} uses this dataset."


async def find_use_of_model(session: AsyncSession, model_id: UUID) -> str | None:
    tests = AbTests(session)
    name = await tests.find_using(AbArm.model_id == model_id, AbArm)
    name = name or await tests.find_using(AbJudge.model_id == model_id, AbJudge)
    return None if name is None else f"The A/B test {name} uses this model."


async def find_use_of_scorer(session: AsyncSession, scorer_id: UUID) -> str | None:
    name = await AbTests(session).find_using(AbScorer.scorer_id == scorer_id, AbScorer)
    return None if name is None else f"The A/B test {name} uses this scorer."


async def find_active_work(session: AsyncSession, project_id: UUID) -> str | None:
    """Hook of `workspace/projects`: whether a test is running."""
    if await AbTests(session).count_running(project_id):
        return "An A/B test of this project is running."
    return None


async def list_missing_jobs(session: AsyncSession) -> Sequence[Job]:
    """Hook of the job sweep: running tests. A test that only waits ends its job at once."""
    return [drive_job(*each) for each in await AbTests(session).list_running()]


async def note_run_moved(session: AsyncSession, run: Run) -> None:
    """Hook of runs: queues the test's job when the run of its batch changes state."""
    if run.origin != ORIGIN:
        return
    found = await AbTests(session).find_of_run(run.id)
    if found is not None:
        jobs.request(session, drive_job(*found))


async def find_evidence(session: AsyncSession, project_id: UUID) -> Collection[UUID]:
    """Hook of retention: the runs of tests."""
    return await AbTests(session).list_run_ids(project_id)


async def find_resume_objection(session: AsyncSession, run: Run) -> str | None:
    """Hook of runs: more money does not resume the runs of a test that has ended."""
    if run.origin == ORIGIN and await AbTests(session).find_of_run(run.id) is None:
        return "The A/B test of this run has ended."
    return None


async def note_dead_job(session: AsyncSession, payload: Mapping[str, Any], reason: str) -> None:
    """Hook of the job queue: the test's job has failed too often."""
    message = f"Edison could not go on: {reason}."
    await fail_locked(session, UUID(payload["test_id"]), reason="internal", message=message)
