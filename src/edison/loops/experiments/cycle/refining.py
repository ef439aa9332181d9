"""Asks for changes of the prompt, from what its answers lack. One process at a time does it.

Answers of models are kept for a while, so that whoever takes over from a process that died asks
the same questions at no cost. Only cases that may be learned from are ever shown to a refiner.
"""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs.recorder import Recorder
from edison.kit.errors import Exhausted, NotFound
from edison.library.calls.gateway import Ask, Gateway
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.loops.experiments.cycle.proposing import Proposed, keep_proposals
from edison.loops.experiments.cycle.situations import Groundwork, lay_groundwork
from edison.loops.experiments.drafts.configuring import read_config, refiner_of
from edison.loops.experiments.models import Iteration
from edison.loops.experiments.repository.iterations import Iterations
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed, FailureReason
from edison.pipeline.generate.path.question import Answer, CacheMode, unsent
from edison.pipeline.refine.registry import open_optimizer
from edison.pipeline.render.prompt import RenderedPrompt
from edison.workspace.budgets.errors import NotPermitted
from edison.workspace.budgets.types import Permit

OPTIMIZER = "reflective_diff"
PURPOSE = "refine"
# Long enough for an outage to be mended.
ANSWERS_KEPT = timedelta(days=2)


async def refine(
    database: Database, gateway: Gateway, recorder: Recorder, iteration_id: UUID
) -> None:
    """Returns when there are suggestions, or a reason why not; or when another process does it."""
    if recorder.presence.beat == 0:
        # The iteration's row refers to the process's, which is written with its first beat.
        await recorder.beat()
    process_id = recorder.presence.id
    async with database.write() as session:
        iteration = await Iterations(session).claim(iteration_id, process_id=process_id)
    if iteration is None:
        return
    try:
        proposed = await _propose(database, gateway, iteration)
        await gateway.settled()
        async with database.write() as session:
            await keep_proposals(session, iteration_id, proposed)
    except NotPermitted:
        return
    finally:
        async with database.write() as session:
            await Iterations(session).release(iteration_id, process_id=process_id)


async def _propose(database: Database, gateway: Gateway, iteration: Iteration) -> Proposed:
    groundwork = await lay_groundwork(database, iteration)
    if isinstance(groundwork, str):
        return Proposed(failures=(groundwork,))
    config = read_config(iteration.config)
    optimizer = open_optimizer(
        OPTIMIZER,
        {"model_id": str(refiner_of(config)), "candidates": config.limits.candidates},
    )
    tools = _Tools(database=database, gateway=gateway, iteration=iteration, ground=groundwork)
    try:
        proposals = await optimizer.propose(groundwork.situation, tools)
    except Exhausted as exhausted:
        return Proposed(failures=(exhausted.message,), is_budget=True)
    return Proposed.of(proposals, groundwork)


class _Tools:
    """Lets optimizers ask models, in the name of an iteration."""

    def __init__(
        self, *, database: Database, gateway: Gateway, iteration: Iteration, ground: Groundwork
    ) -> None:
        self._database = database
        self._gateway = gateway
        self._iteration = iteration
        self._ground = ground
        # Whoever asks again wants another answer than the one that led nowhere.
        self._cache = CacheMode.USE if iteration.refinement is None else CacheMode.BYPASS

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        model = await self._find(model_id)
        if model is None:
            return _gone()
        return await self._gateway.answer(
            Ask(
                project_id=model.project_id,
                model=model,
                prompt=prompt,
                parameters=parameters,
                purpose=PURPOSE,
                scope_ids=(self._iteration.experiment_id,),
                keep_for=ANSWERS_KEPT,
                cache=self._cache,
                run_id=self._iteration.run_id,
                permit=Permit(check=_list_refined, subject_id=self._iteration.id),
            )
        )

    async def _find(self, model_id: UUID) -> CallableModel | None:
        async with self._database.read() as session:
            try:
                return await models.get_callable(
                    session, project_id=self._ground.project_id, model_id=model_id
                )
            except NotFound:
                return None


async def _list_refined(session: AsyncSession, ids: Collection[UUID]) -> Collection[UUID]:
    return await Iterations(session).list_refined(ids)


def _gone() -> Answer:
    failure = CallFailed(
        reason=FailureReason.MODEL_NOT_FOUND,
        message="The refiner's model was removed from the project.",
        is_retryable=False,
    )
    return unsent(failure)
