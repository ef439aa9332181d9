"""Factories for path parameters below a project, by parameter name."""

from collections.abc import Awaitable, Callable
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.models import DeadJob
from edison.kit import clock, ids
from edison.library.datasets import cases
from edison.library.datasets.contents import CaseContents
from edison.library.datasets.models import Case, CaseImport, Dataset
from edison.library.models.models import Model
from edison.library.prompts.models import Prompt, PromptVersion
from edison.loops.experiments.models import Experiment
from edison.loops.monitors.models import Monitor
from edison.loops.optimizations.models import Optimization
from edison.runs.scoring.models import AnnotationItem, AnnotationQueue
from edison.runs.voting.models import VotingMatch, VotingRound
from edison.workspace.accounts.models import User
from edison.workspace.budgets.models import Budget, EntryState
from edison.workspace.credentials.models import Credential
from edison.workspace.deliveries.message import sample_payload
from edison.workspace.deliveries.models import Delivery, Destination
from edison.workspace.projects.models import Invitation, ProjectMember, Role
from tests.factories.abtests import add_ab_test
from tests.factories.evaluations import add_evaluation
from tests.factories.experiments import add_experiment, add_iteration, add_suggestion
from tests.factories.generations import add_draft, add_generation
from tests.factories.ledger import add_entry
from tests.factories.monitors import add_alert, add_check, add_monitor
from tests.factories.optimizations import add_candidate, add_optimization
from tests.factories.prompts import add_prompt, add_version
from tests.factories.runs import add_output, add_run
from tests.factories.scorers import add_rubric, add_scorer
from tests.factories.scoring import add_queue
from tests.factories.voting import add_round


async def a_member(session: AsyncSession, project_id: UUID) -> UUID:
    user = User(id=ids.new_id(), email=f"{ids.new_id().hex}@example.org")
    session.add(user)
    await session.flush()
    member = ProjectMember(
        id=ids.new_id(),
        project_id=project_id,
        user_id=user.id,
        role=Role.VIEWER,
        joined_at=clock.now(),
    )
    session.add(member)
    return member.id


async def an_invitation(session: AsyncSession, project_id: UUID) -> UUID:
    invitation = Invitation(
        id=ids.new_id(),
        project_id=project_id,
        role=Role.VIEWER,
        digest=ids.digest(ids.new_secret()),
        created_at=clock.now(),
        expires_at=clock.now(),
    )
    session.add(invitation)
    return invitation.id


async def a_credential(session: AsyncSession, project_id: UUID) -> UUID:
    credential = Credential(
        id=ids.new_id(),
        project_id=project_id,
        provider="sim",
        label=ids.new_id().hex,
        settings={},
        secrets={},
        is_default=False,
    )
    session.add(credential)
    return credential.id


async def a_model(session: AsyncSession, project_id: UUID) -> UUID:
    model = Model(
        id=ids.new_id(),
        project_id=project_id,
        credential_id=await a_credential(session, project_id),
        provider_model="sim-small",
        display_name=ids.new_id().hex,
        capabilities={},
        parameters={},
    )
    await session.flush()
    session.add(model)
    return model.id


async def a_prompt(session: AsyncSession, project_id: UUID) -> UUID:
    prompt = await add_prompt(session, project_id)
    await add_version(session, prompt)
    return prompt.id


async def a_version(session: AsyncSession, project_id: UUID) -> UUID:
    """Of the prompt made for the same address."""
    newest = select(PromptVersion.id).order_by(PromptVersion.id.desc()).limit(1)
    return (await session.scalars(newest)).one()


async def a_prompt_name(session: AsyncSession, project_id: UUID) -> str:
    return (await session.get_one(Prompt, await a_prompt(session, project_id))).name


async def a_version_label(session: AsyncSession, project_id: UUID) -> str:
    return "latest"


async def a_dataset(session: AsyncSession, project_id: UUID) -> UUID:
    dataset = Dataset(id=ids.new_id(), project_id=project_id, name=ids.new_id().hex, kind="manual")
    session.add(dataset)
    await session.flush()
    return dataset.id


async def a_case(session: AsyncSession, project_id: UUID) -> UUID:
    """In the dataset made last, which is the one in the path."""
    dataset = await _last_dataset(session, project_id)
    row = cases.row_of(CaseContents(inputs={"q": "x"}), dataset=dataset, author_id=None)
    case = Case(**row, position=1)
    session.add(case)
    return case.id


async def an_import(session: AsyncSession, project_id: UUID) -> UUID:
    dataset = await _last_dataset(session, project_id)
    found = CaseImport(
        id=ids.new_id(),
        dataset_id=dataset.id,
        filename="cases.csv",
        state="pending",
        size_bytes=0,
        created_at=clock.now(),
        expires_at=clock.now(),
    )
    session.add(found)
    return found.id


async def _last_dataset(session: AsyncSession, project_id: UUID) -> Dataset:
    statement = select(Dataset).where(Dataset.project_id == project_id)
    return (await session.scalars(statement.order_by(Dataset.id.desc()))).first() or Dataset()


async def a_dead_job(session: AsyncSession, project_id: UUID) -> UUID:
    job = DeadJob(
        id=ids.new_id(),
        key=ids.new_id().hex,
        task="generate_cases",
        project_id=project_id,
        priority=1,
        attempts=4,
        reason="RuntimeError",
        failed_at=clock.now(),
        payload={"generation_id": str(ids.new_id())},
    )
    session.add(job)
    return job.id


async def a_budget(session: AsyncSession, project_id: UUID) -> UUID:
    budget = Budget(
        id=ids.new_id(),
        project_id=project_id,
        scope="experiment",
        scope_id=ids.new_id(),
        period="total",
        limit_nanos=1,
        window_day=clock.now().date(),
        alert_threshold=0.8,
    )
    session.add(budget)
    return budget.id


async def a_generation(session: AsyncSession, project_id: UUID) -> UUID:
    """In the dataset made last, with a draft that could be accepted."""
    dataset = await _last_dataset(session, project_id)
    generation = add_generation(session, dataset.id)
    await session.flush()
    add_draft(session, generation, 0)
    return generation.id


async def a_run(session: AsyncSession, project_id: UUID) -> UUID:
    return (await add_run(session, project_id)).id


async def an_output(session: AsyncSession, project_id: UUID) -> UUID:
    return (await add_output(session, await add_run(session, project_id))).id


async def a_position(session: AsyncSession, project_id: UUID) -> str:
    """Of a row of the run made last."""
    return "0"


async def a_scorer(session: AsyncSession, project_id: UUID) -> UUID:
    return await add_scorer(session, project_id)


async def a_rubric(session: AsyncSession, project_id: UUID) -> UUID:
    return await add_rubric(session, project_id)


async def a_queue(session: AsyncSession, project_id: UUID) -> UUID:
    output_id = await an_output(session, project_id)
    return (await add_queue(session, project_id, [output_id])).id


async def a_round(session: AsyncSession, project_id: UUID) -> UUID:
    return (await add_round(session, project_id)).id


async def a_match(session: AsyncSession, project_id: UUID) -> UUID:
    """In the round made last, which is the one in the path."""
    newest = (
        select(VotingMatch.id)
        .join(VotingRound, VotingRound.id == VotingMatch.round_id)
        .where(VotingRound.project_id == project_id)
        .order_by(VotingMatch.id.desc())
    )
    return (await session.scalars(newest)).first() or ids.new_id()


async def an_item(session: AsyncSession, project_id: UUID) -> UUID:
    """In the queue made last, which is the one in the path."""
    newest = (
        select(AnnotationItem.id)
        .join(AnnotationQueue, AnnotationQueue.id == AnnotationItem.queue_id)
        .where(AnnotationQueue.project_id == project_id)
        .order_by(AnnotationItem.id.desc())
    )
    return (await session.scalars(newest)).first() or ids.new_id()


async def an_experiment(session: AsyncSession, project_id: UUID) -> UUID:
    return (await add_experiment(session, project_id)).id


async def an_iteration(session: AsyncSession, project_id: UUID) -> UUID:
    """In the experiment made last, which is the one in the path."""
    statement = select(Experiment).where(Experiment.project_id == project_id)
    experiment = (await session.scalars(statement.order_by(Experiment.id.desc()))).first()
    if experiment is None:
        return ids.new_id()
    experiment.prompt_id = await a_prompt(session, project_id)
    version_id = await a_version(session, project_id)
    return (await add_iteration(session, experiment, version_id=version_id)).id


async def a_suggestion(session: AsyncSession, project_id: UUID) -> UUID:
    """A suggestion of an experiment with a prompt and a dataset."""
    prompt_id = await a_prompt(session, project_id)
    version_id = await a_version(session, project_id)
    experiment = await add_experiment(
        session,
        project_id,
        state="reviewing",
        prompt_id=prompt_id,
        version_id=version_id,
        dataset_id=await a_dataset(session, project_id),
    )
    iteration = await add_iteration(session, experiment, version_id=version_id)
    return (await add_suggestion(session, iteration, base_version_id=version_id)).id


async def a_step(session: AsyncSession, project_id: UUID) -> str:
    return "objective"


async def a_ledger_entry(session: AsyncSession, project_id: UUID) -> UUID:
    return add_entry(session, project_id, state=EntryState.UNCONFIRMED).id


async def an_optimization(session: AsyncSession, project_id: UUID) -> UUID:
    return (await add_optimization(session, project_id, name=ids.new_id().hex)).id


async def a_candidate_number(session: AsyncSession, project_id: UUID) -> str:
    """Of the optimization made last, which is the one in the path."""
    statement = select(Optimization).where(Optimization.project_id == project_id)
    row = (await session.scalars(statement.order_by(Optimization.id.desc()))).first()
    return "0" if row is None else str((await add_candidate(session, row)).number)


async def an_evaluation(session: AsyncSession, project_id: UUID) -> UUID:
    return (await add_evaluation(session, project_id)).id


async def an_ab_test(session: AsyncSession, project_id: UUID) -> UUID:
    return (await add_ab_test(session, project_id, name=ids.new_id().hex)).id


async def a_monitor(session: AsyncSession, project_id: UUID) -> UUID:
    return (await add_monitor(session, project_id, name=ids.new_id().hex)).id


async def an_alert(session: AsyncSession, project_id: UUID) -> UUID:
    monitor = await add_monitor(session, project_id, name=ids.new_id().hex)
    return (await add_alert(session, monitor)).id


async def a_check(session: AsyncSession, project_id: UUID) -> UUID:
    """Of the monitor made last, which is the one in the path."""
    statement = select(Monitor).where(Monitor.project_id == project_id)
    monitor = (await session.scalars(statement.order_by(Monitor.id.desc()))).first()
    return ids.new_id() if monitor is None else (await add_check(session, monitor)).id


async def a_destination(session: AsyncSession, project_id: UUID) -> UUID:
    destination = Destination(
        id=ids.new_id(),
        project_id=project_id,
        channel="webhook",
        name=f"Hook {ids.new_id()}",
        target="example.org",
        address="",
        secrets={},
        kinds=["review_waiting"],
        includes_content=False,
    )
    session.add(destination)
    await session.flush()
    return destination.id


async def a_delivery(session: AsyncSession, project_id: UUID) -> UUID:
    """To the destination made last, which is the one in the path."""
    newest = select(Destination.id).where(Destination.project_id == project_id)
    destination_id = await session.scalar(newest.order_by(Destination.id.desc()).limit(1))
    delivery = Delivery(
        id=ids.new_id(),
        project_id=project_id,
        destination_id=destination_id or await a_destination(session, project_id),
        channel="webhook",
        kind="review_waiting",
        payload=sample_payload(project_id, project_id),
        state="delivered",
        created_at=clock.now(),
    )
    session.add(delivery)
    return delivery.id


CHILDREN: dict[str, Callable[[AsyncSession, UUID], Awaitable[UUID | str]]] = {
    "member_id": a_member,
    "invitation_id": an_invitation,
    "credential_id": a_credential,
    "destination_id": a_destination,
    "delivery_id": a_delivery,
    "budget_id": a_budget,
    "entry_id": a_ledger_entry,
    "job_id": a_dead_job,
    "prompt_id": a_prompt,
    "version_id": a_version,
    "prompt_name": a_prompt_name,
    "version_label": a_version_label,
    "model_id": a_model,
    "dataset_id": a_dataset,
    "case_id": a_case,
    "generation_id": a_generation,
    "import_id": an_import,
    "run_id": a_run,
    "other_run_id": a_run,
    "output_id": an_output,
    "position": a_position,
    "scorer_id": a_scorer,
    "rubric_id": a_rubric,
    "queue_id": a_queue,
    "item_id": an_item,
    "round_id": a_round,
    "match_id": a_match,
    "experiment_id": an_experiment,
    "other_experiment_id": an_experiment,
    "iteration_id": an_iteration,
    "suggestion_id": a_suggestion,
    "step": a_step,
    "monitor_id": a_monitor,
    "check_id": a_check,
    "ab_test_id": an_ab_test,
    "evaluation_id": an_evaluation,
    "optimization_id": an_optimization,
    "candidate_number": a_candidate_number,
    "alert_id": an_alert,
}
