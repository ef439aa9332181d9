"""Runs one generation: calls the model batch by batch and stores the drafts.

Any process can run or resume a generation. It holds a lease that it must renew; without the lease
it neither calls nor writes. The result of a batch is written in one transaction, so the remaining
batches are those without a row. The answer of a batch that was called but not written comes from
the answer cache.
"""

import asyncio
from uuid import UUID

from edison.db.session import Database
from edison.kit import ids
from edison.kit.errors import NotFound
from edison.library.calls.gateway import Gateway
from edison.library.generation.author import Author, BatchAnswer
from edison.library.generation.claims import GenerationFailure, Lease, LeaseLost
from edison.library.generation.draft_store import DraftStore
from edison.library.generation.models import Generation
from edison.library.generation.plan import CALLS_AT_ONCE, GenerationPlan
from edison.library.generation.progress import Finished, next_step
from edison.library.generation.repository.generations import Generations
from edison.library.models import service as models
from edison.library.models.service import CallableModel

RENEW_EVERY_SECONDS = 2.0


async def run_generation(database: Database, gateway: Gateway, generation_id: UUID) -> None:
    """Returns when the generation has ended, was cancelled, or another process holds the lease."""
    claim = Lease(database=database, generation_id=generation_id, worker=ids.new_id())
    taken = await claim.take()
    if taken is None:
        return
    work = asyncio.create_task(_work(gateway, claim, taken))
    try:
        while not (await asyncio.wait([work], timeout=RENEW_EVERY_SECONDS))[0]:
            if not await claim.renew():
                return
        work.result()
    except LeaseLost:
        return
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        # After an error the next attempt need not wait for the lease to expire.
        await claim.release()


async def _work(gateway: Gateway, claim: Lease, generation: Generation) -> None:
    model = await _find_model(claim.database, generation)
    if isinstance(model, GenerationFailure):
        await claim.end(failure=model, note=None)
        return
    plan = GenerationPlan.model_validate(generation.plan)
    author = Author(gateway=gateway, claim=claim, model=model, plan=plan)
    keeper = await DraftStore.open(claim, plan, generation.dataset_id)
    failure, over = await _ask_all(author, keeper)
    if failure is None and over.failure is not None:
        failure = GenerationFailure(reason=over.failure, message=over.note or "")
    await claim.end(failure=failure, note=over.note)


async def _find_model(
    database: Database, generation: Generation
) -> CallableModel | GenerationFailure:
    gone = GenerationFailure(
        reason="model_not_found", message="The model was removed from the project."
    )
    if generation.model_id is None:
        return gone
    async with database.read() as session:
        project_id = await Generations(session).find_project(generation.id)
        if project_id is None:
            return gone
        try:
            return await models.get_callable(
                session, project_id=project_id, model_id=generation.model_id
            )
        except NotFound:
            return gone


async def _ask_all(author: Author, keeper: DraftStore) -> tuple[GenerationFailure | None, Finished]:
    """Keep several calls in flight until no batch is left. After a failure no new call is started;
    calls in flight are paid for, so their results are stored.
    """
    under_way: dict[asyncio.Task[BatchAnswer | GenerationFailure], int] = {}
    failure: GenerationFailure | None = None
    try:
        while True:
            following = next_step(
                keeper.plan, keeper.yields, set(under_way.values()), at_once=CALLS_AT_ONCE
            )
            if failure is None and not isinstance(following, Finished):
                for number in following.batches:
                    under_way[asyncio.create_task(author.write(number))] = number
            if not under_way:
                return failure, following if isinstance(following, Finished) else Finished()
            over, _ = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            for call in over:
                del under_way[call]
                answer = call.result()
                if isinstance(answer, GenerationFailure):
                    failure = failure or answer
                else:
                    await keeper.keep(answer)
    finally:
        for call in under_way:
            call.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
