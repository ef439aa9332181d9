"""The demo project's monitor, A/B test and arena, set up and executed in the background.

A model of the demo moves from release 1 to release 2 after a few checks, and the next check finds
the drop. Each step is chosen from the rows: the release in the model's credential, the monitor and
the number of its checks. So a restart continues, and what a user deletes stays deleted.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.app.demo import arena, background, lookup, votes
from edison.db.session import Database
from edison.jobs.job import Job, Task
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.models import Dataset
from edison.library.models import bulk
from edison.library.models.schemas import ModelImport
from edison.library.prompts import service as prompts
from edison.library.prompts import versions
from edison.library.prompts.schemas import PromptRequest, VersionRequest
from edison.loops.abtests import control as ab_control
from edison.loops.abtests import service as ab_tests
from edison.loops.abtests.models import AbTest
from edison.loops.abtests.schemas import AbTestRequest
from edison.loops.monitors import control as monitor_control
from edison.loops.monitors import service as monitors
from edison.loops.monitors.errors import CheckUnderWay
from edison.loops.monitors.models import Monitor
from edison.loops.monitors.schemas.monitors import MonitorRequest
from edison.simulation.data import read_data
from edison.workspace.budgets.errors import BudgetExhausted
from edison.workspace.credentials import service as credentials
from edison.workspace.credentials.models import Credential
from edison.workspace.credentials.schemas import CredentialChange
from edison.workspace.credentials.vault import Vault
from edison.workspace.projects.models import Project

TASK = "demo.advance"
CREDENTIAL = "Moving releases"
MODEL = "sim-moving"
MONITOR = "Support replies in production"
AB_TEST = "Is the small model good enough?"
PROMPT = "Support replies, in production"
CHANGELOG = "States the house rules for replies."
SCORER = "Similarity to the expected answer"
DEMO_TASK = "support"
# Checks before the release moves.
BASELINE_CHECKS = 3
# Bounds the estimates, which the daily budget must cover.
PARAMETERS = {"max_tokens": 400}
# In use today, and the challenger.
AB_MODELS = ("sim-medium", "sim-small")
# All cases of the demo's dataset.
AB_PAIRS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class _Story:
    """`check_count` is None without a monitor. `is_over`: no step is left."""

    credential_id: UUID
    settings: Mapping[str, Any]
    monitor_id: UUID | None
    check_count: int | None

    @property
    def release(self) -> int:
        return int(self.settings.get("release", 1))

    @property
    def is_over(self) -> bool:
        if self.release == 1:
            return False
        return self.check_count is None or self.check_count > BASELINE_CHECKS


async def add_model(session: AsyncSession, project: Project) -> None:
    """Adds the model whose release moves, with a credential of its own."""
    credential = await credentials.add_simulated(
        session,
        project_id=project.id,
        label=CREDENTIAL,
        settings={"release": 1},
        is_default=False,
    )
    wanted = ModelImport(credential_id=credential.id, provider_models=[MODEL])
    await bulk.import_models(session, project_id=project.id, wanted=wanted)


async def list_missing_jobs(session: AsyncSession) -> Sequence[Job]:
    """Hook of the job sweep: demo projects with a step left. They come after all other work."""

    async def has_step(project_id: UUID) -> bool:
        story = await _find_story(session, project_id)
        return story is not None and not story.is_over

    return await background.list_demo_jobs(session, TASK, has_step)


def advance_demo(database: Database, vault: Vault) -> Task:
    async def run(payload: Mapping[str, Any]) -> None:
        await advance(database, vault, UUID(payload["project_id"]))

    return run


async def advance(database: Database, vault: Vault, project_id: UUID) -> None:
    """Takes the next step, unless runs or checks of the project are under way."""
    async with database.read() as session:
        story = await _find_story(session, project_id)
        owner_id = await background.find_owner(session, project_id)
        is_working = await background.is_busy(session, project_id)
    if story is None or story.is_over or is_working or owner_id is None:
        return
    if story.monitor_id is None:
        async with database.write() as session:
            await _set_up(session, project_id, owner_id)
    elif story.release == 1 and (story.check_count or 0) >= BASELINE_CHECKS:
        # The run of the arena is over: no run is under way. The step is taken once, so that a
        # round that a user deletes stays deleted.
        async with database.write() as session:
            await votes.add_round(session, project_id, owner_id)
        await credentials.change_credential(
            database,
            project_id=project_id,
            credential_id=story.credential_id,
            change=CredentialChange(settings={**story.settings, "release": 2}),
            vault=vault,
        )
    else:
        with suppress(CheckUnderWay, BudgetExhausted):
            async with database.write() as session:
                await monitor_control.run_now(
                    session,
                    project_id=project_id,
                    monitor_id=story.monitor_id,
                    author_id=owner_id,
                )


async def _find_story(session: AsyncSession, project_id: UUID) -> _Story | None:
    credential = await session.scalar(
        select(Credential).where(
            Credential.project_id == project_id, Credential.label == CREDENTIAL
        )
    )
    if credential is None:
        return None
    row = (
        await session.execute(
            select(Monitor.id, Monitor.check_count).where(
                Monitor.project_id == project_id,
                Monitor.name == MONITOR,
                Monitor.archived_at.is_(None),
            )
        )
    ).first()
    if row is None and await _has_ab_test(session, project_id):
        return None
    return _Story(
        credential_id=credential.id,
        settings=credential.settings,
        monitor_id=None if row is None else row[0],
        check_count=None if row is None else row[1],
    )


async def _has_ab_test(session: AsyncSession, project_id: UUID) -> bool:
    """It is made together with the monitor: if it is there alone, a user deleted the monitor."""
    found = await session.scalar(
        select(AbTest.id).where(AbTest.project_id == project_id, AbTest.name == AB_TEST)
    )
    return found is not None


async def _set_up(session: AsyncSession, project_id: UUID, owner_id: UUID) -> None:
    """A prompt in production, the monitor with its first check, the A/B test and a run for the
    arena. Does nothing when a user has deleted what they need.
    """
    task = read_data("demo")[DEMO_TASK]
    model_ids = await lookup.list_models(session, project_id)
    dataset_id = await lookup.find(session, Dataset, project_id, f"{task['name']} cases")
    scorer_id = await lookup.find_scorer(session, project_id, SCORER)
    if (
        dataset_id is None
        or scorer_id is None
        or {MODEL, *AB_MODELS, *arena.MODELS} - model_ids.keys()
    ):
        return
    prompt_id, version_id = await _add_prompt(
        session, project_id, task["improved"].strip(), owner_id
    )
    scorers = [{"scorer_version_id": str(scorer_id)}]
    await arena.add_run(
        session,
        project_id,
        prompt=(prompt_id, version_id),
        dataset_id=dataset_id,
        model_ids=model_ids,
        scorers=scorers,
    )
    monitor = await monitors.create_monitor(
        session,
        project_id=project_id,
        wanted=MonitorRequest.model_validate(
            {
                "name": MONITOR,
                "prompt_id": prompt_id,
                "dataset_id": dataset_id,
                "models": [{"model_id": model_ids[MODEL], "parameters": PARAMETERS}],
                "scorers": scorers,
                "cron": "0 9 * * *",
                # The latency of simulated models is that of the machine.
                "rules": {"latency": {"is_on": False}},
            }
        ),
        author_id=owner_id,
    )
    await monitor_control.run_now(
        session, project_id=project_id, monitor_id=monitor.id, author_id=owner_id
    )
    first, second = (
        {
            "prompt_id": prompt_id,
            "version_id": version_id,
            "model_id": model_ids[name],
            "parameters": PARAMETERS,
        }
        for name in AB_MODELS
    )
    test = await ab_tests.create_test(
        session,
        project_id=project_id,
        wanted=AbTestRequest.model_validate(
            {
                "name": AB_TEST,
                "first": first,
                "second": second,
                "dataset_id": dataset_id,
                "scorers": scorers,
                "pairs": AB_PAIRS,
            }
        ),
        author_id=owner_id,
    )
    await ab_control.start_test(session, project_id=project_id, test_id=test.id, author_id=owner_id)


async def _add_prompt(
    session: AsyncSession, project_id: UUID, text: str, owner_id: UUID
) -> tuple[UUID, UUID]:
    prompt = await prompts.create_prompt(
        session,
        project_id=project_id,
        wanted=PromptRequest(name=PROMPT, description="What the monitor watches.", text=text),
    )
    version = await versions.save_version(
        session,
        project_id=project_id,
        prompt_id=prompt.id,
        wanted=VersionRequest(version=1, changelog=CHANGELOG),
        author_id=owner_id,
    )
    await versions.mark_production(
        session, project_id=project_id, prompt_id=prompt.id, version_id=version.id
    )
    return prompt.id, version.id
