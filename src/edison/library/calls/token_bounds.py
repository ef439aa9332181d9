"""Upper bounds of the input tokens of calls, by model. They learn from what providers bill."""

from time import monotonic
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.outages import is_outage
from edison.db.session import Database
from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.models import ModelBilledInput
from edison.library.calls.prompt_tokens import Counter
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.generate.tokens.bound import ENOUGH_BILLS, BilledInput, bound_input, size_of
from edison.pipeline.render.prompt import RenderedPrompt
from edison.workspace.budgets.types import BUDGET_ALERT
from edison.workspace.notifications import service as notifications
from edison.workspace.notifications.schemas import News
from edison.workspace.notifications.types import NotificationSource

NOTIFICATIONS = NotificationSource(entity_type="model", path=lambda _: "/models")

log = structlog.get_logger(__name__)

# Other processes learn, too.
RELOAD_SECONDS = 30.0


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class PromptBound:
    """`counted` is Edison's own count, `tokens` what is reserved, `billed` what it was derived
    from. A prompt without a price is not counted.
    """

    counted: int | None
    tokens: int
    billed: BilledInput


@dataclass(slots=True)
class _Known:
    billed: BilledInput
    loaded_at: float


class TokenBounds:
    """What was billed is kept in memory. It is stored when it tightens or raises a bound, so that
    restarts and other processes begin with it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counter = Counter()
        self._known: dict[UUID, _Known] = {}

    async def bound(self, model: CallableModel, prompt: RenderedPrompt) -> PromptBound:
        if model.prices is None:
            # No money is reserved for it, and to load an encoding takes half a second.
            return PromptBound(counted=None, tokens=size_of(prompt), billed=BilledInput())
        counted = await self._counter.count(
            prompt, model=model.provider_model, provider=model.provider
        )
        known = await self._load(model.id)
        tokens = bound_input(prompt, counted, known.billed)
        return PromptBound(counted=counted.tokens, tokens=tokens, billed=known.billed)

    def is_current(self, model: CallableModel, bound: PromptBound) -> bool:
        """False after a bill that showed the bound to be too low."""
        if bound.counted is None:
            return True
        return not self._known[model.id].billed.is_above(bound.billed)

    async def learn(self, model: CallableModel, bound: PromptBound, answer: Answer) -> None:
        usage = answer.usage
        if answer.is_cached or usage is None or usage.is_estimated or bound.counted is None:
            return
        # Not loaded again: the answer is paid, and must not be lost with the database.
        known = self._known[model.id]
        before, billed = known.billed, usage.input_tokens
        if before.covers(counted=bound.counted, billed=billed):
            return
        known.billed = before.add(counted=bound.counted, billed=billed)
        # Of the calls that were reserved too little together, the first has raised the bound.
        is_raised = known.billed.is_above(before)
        is_exceeded = is_raised and billed > bound.tokens
        is_later = is_raised and known.billed.bills > ENOUGH_BILLS
        if is_exceeded or is_later or known.billed.bills == ENOUGH_BILLS:
            await self._save_if_possible(
                model, known.billed, exceeded=(bound, billed) if is_exceeded else None
            )

    async def _load(self, model_id: UUID) -> _Known:
        known = self._known.get(model_id)
        now = monotonic()
        if known is not None and now - known.loaded_at < RELOAD_SECONDS:
            return known
        if known is not None:
            # Concurrent calls need not load it, too.
            known.loaded_at = now
        async with self._database.read_inline() as session:
            stored = await session.get(ModelBilledInput, model_id)
        known = self._known.setdefault(model_id, _Known(BilledInput(), now))
        if stored is not None:
            known.billed = known.billed.merge(stored.billed)
        return known

    async def _save_if_possible(
        self, model: CallableModel, billed: BilledInput, *, exceeded: tuple[PromptBound, int] | None
    ) -> None:
        """Ignores an outage: the answer is paid for and must not be lost."""
        try:
            await self._save(model, billed, exceeded=exceeded)
        except Exception as failure:
            if not is_outage(failure):
                raise
            log.warning("billed tokens not stored", reason=type(failure).__name__)

    async def _save(
        self, model: CallableModel, billed: BilledInput, *, exceeded: tuple[PromptBound, int] | None
    ) -> None:
        async with self._database.write() as session:
            if not await models.is_kept(session, model_id=model.id):
                return
            row = await session.get(ModelBilledInput, model.id, with_for_update=True)
            before = BilledInput() if row is None else row.billed
            after = before.merge(billed)
            if after == before:
                return
            if row is None:
                row = ModelBilledInput(model_id=model.id)
                session.add(row)
            row.billed = after
            if exceeded is not None and after.is_above(before):
                await _report(session, model, *exceeded)


async def _report(
    session: AsyncSession, model: CallableModel, bound: PromptBound, billed: int
) -> None:
    """Notify those who may spend that a call cost more than was reserved for it."""
    log.warning(
        "bill above reservation", model=model.display_name, billed=billed, reserved=bound.tokens
    )
    await notifications.notify_members(
        session,
        News(
            project_id=model.project_id,
            kind=BUDGET_ALERT,
            entity=("model", model.id),
            title=f"{model.display_name} billed more than was reserved",
            body=(
                f"A prompt was billed {billed:,} input tokens; {bound.tokens:,} were reserved. "
                "From now on Edison reserves more for this model."
            ),
        ),
    )
