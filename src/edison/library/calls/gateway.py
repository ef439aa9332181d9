"""Gateway to models: a project's model and a prompt in, an answer out.

Every model call goes through the gateway, so all calls share open connections, a credential's
concurrency limit, the answer cache and the ledger.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from datetime import timedelta
from functools import partial
from uuid import UUID

from edison.db.session import Database
from edison.jobs.batch_writer import BatchWriter
from edison.kit.fast_frozen import changed
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.answer_cache import ProjectAnswerCache, open_lookups
from edison.library.calls.connections import Connections, OpenLane
from edison.library.calls.shares import Shares
from edison.library.calls.token_bounds import PromptBound, TokenBounds
from edison.library.calls.wave import CallWave, WaveOwner, WaveTools
from edison.library.models.service import CallableModel
from edison.pipeline.generate.call import Call, Parameters
from edison.pipeline.generate.call_limits import DEFAULT_RETRIES
from edison.pipeline.generate.outcome import CallFailed, FailureReason
from edison.pipeline.generate.path.call_path import CallPath
from edison.pipeline.generate.path.fair_queue import NO_GROUP, CallGroup
from edison.pipeline.generate.path.ports import Observer
from edison.pipeline.generate.path.question import (
    NO_LISTENER,
    Answer,
    CacheMode,
    CallListener,
    Item,
    Question,
    Redaction,
    unsent,
)
from edison.pipeline.generate.path.retry import RetryPolicy
from edison.pipeline.render.prompt import RenderedPrompt
from edison.settings import Settings
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.types import LedgerAccount, Permit
from edison.workspace.credentials import service as credentials
from edison.workspace.credentials.errors import MissingSecret
from edison.workspace.credentials.vault import Vault


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """What calls are for and by which rules they are made; the same for many calls.

    `purpose` and `run_id` go into the ledger. `scope_ids` name further budgets to charge, such as
    an experiment's. `keep_for` is how long an answer may be served from the cache; None is until it
    is evicted. `permit` is checked before money is reserved; `call_group` shares turns in the
    dispatch queue. `redaction` is applied to answers.
    """

    purpose: str
    scope_ids: tuple[UUID, ...] = ()
    keep_for: timedelta | None = None
    cache: CacheMode = CacheMode.USE
    run_id: UUID | None = None
    permit: Permit | None = None
    call_group: CallGroup = NO_GROUP
    redaction: Redaction | None = None


class Gateway:
    """The charge and the cached answer of a call go to the batch writer, in this order, and are
    committed shortly after the answer is returned. Await `flush` before reporting an answer, or
    await a later write to the same batch writer.
    """

    def __init__(
        self,
        database: Database,
        *,
        batch_writer: BatchWriter,
        vault: Vault,
        observer: Observer,
        settings: Settings,
    ) -> None:
        self._database = database
        self._batch_writer = batch_writer
        self._lookups = open_lookups(database)
        self._bounds = TokenBounds(database)
        self._observer = observer
        self._timeout_seconds = settings.call_timeout_seconds
        self.calls_per_credential = settings.calls_per_credential
        self._connections = Connections(
            vault, shares=Shares(database, batch_writer.heartbeat, limit=self.calls_per_credential)
        )

    async def stream(
        self,
        model: CallableModel,
        prompt: RenderedPrompt,
        parameters: Parameters,
        *,
        context: CallContext,
    ) -> AsyncGenerator[Item]:
        """Yields text and reasons for waiting, then exactly one Answer, whose charge is committed.
        Closing the generator cancels the call.
        """
        try:
            opened = await self._connections.open(model)
        except MissingSecret as missing:
            yield unsent(missing.failure())
            return
        try:
            call = self._call(model, prompt, parameters)
            bound = await self._bounds.bound(model, call.prompt)
            question = self._question(opened, model, call, context, bound)
            async with aclosing(self._path(model, context).stream(question)) as items:
                async for item in items:
                    if isinstance(item, Answer):
                        await self._learn(model, bound, item)
                        await self.flush()
                    yield item
        finally:
            await self._connections.release(opened)

    async def answer(
        self,
        model: CallableModel,
        prompt: RenderedPrompt,
        parameters: Parameters,
        *,
        context: CallContext,
        listener: CallListener = NO_LISTENER,
    ) -> Answer:
        try:
            opened = await self._connections.open(model)
        except MissingSecret as missing:
            return unsent(missing.failure())
        try:
            call = self._call(model, prompt, parameters)
            bound = await self._bounds.bound(model, call.prompt)
            question = self._question(opened, model, call, context, bound, listener)
            answer = await self._path(model, context).answer(question)
        finally:
            await self._connections.release(opened)
        await self._learn(model, bound, answer)
        return answer

    @asynccontextmanager
    async def open_wave(
        self, model: CallableModel, context: CallContext, owner: WaveOwner
    ) -> AsyncIterator[CallWave]:
        """For many calls of a model without a redaction. Raises MissingSecret."""
        opened = await self._connections.open(model)

        async def ask(
            prompt: RenderedPrompt, parameters: Parameters, listener: CallListener
        ) -> tuple[Question, PromptBound]:
            call = self._call(model, prompt, parameters)
            bound = await self._bounds.bound(model, call.prompt)
            return self._question(opened, model, call, context, bound, listener), bound

        wave = CallWave(
            WaveTools(
                database=self._database,
                path=self._path(model, context),
                cache=self._cache(model, context),
                cache_mode=context.cache,
                observer=self._observer,
                ask=ask,
                is_current=partial(self._bounds.is_current, model),
                learn=partial(self._learn, model),
                ledger=budgets.open_wave_ledger(self._batch_writer, _account(model, context)),
            ),
            owner,
        )
        try:
            yield wave
        finally:
            await wave.stop()
            await self._connections.release(opened)

    async def flush(self) -> None:
        """Returns when the charges of all answers returned so far are committed."""
        await self._batch_writer.flush()

    async def close(self) -> None:
        await self._connections.close()

    def concurrency_of(self, model: CallableModel) -> int:
        """Max concurrent calls of the model or its credential, over all processes."""
        return model.limits.concurrency or self.calls_per_credential

    def _path(self, model: CallableModel, context: CallContext) -> CallPath:
        retries = model.limits.retries
        return CallPath(
            cache=self._cache(model, context),
            ledger=budgets.open_ledger(self._batch_writer, _account(model, context)),
            observer=self._observer,
            retry=RetryPolicy(attempts=1 + (DEFAULT_RETRIES if retries is None else retries)),
        )

    def _cache(self, model: CallableModel, context: CallContext) -> ProjectAnswerCache:
        return ProjectAnswerCache(
            lookups=self._lookups,
            batch_writer=self._batch_writer,
            project_id=model.project_id,
            keep_for=context.keep_for,
        )

    def _call(self, model: CallableModel, prompt: RenderedPrompt, parameters: Parameters) -> Call:
        if prompt.json_schema is not None and not model.capabilities.json_schema:
            # A schema that is not sent is not part of the prompt that is counted and reserved.
            prompt = changed(prompt, json_schema=None)
        return Call(
            model=model.provider_model,
            prompt=prompt,
            parameters=parameters,
            capabilities=model.capabilities,
            timeout_seconds=model.limits.timeout_seconds or self._timeout_seconds,
        )

    def _question(
        self,
        opened: OpenLane,
        model: CallableModel,
        call: Call,
        context: CallContext,
        bound: PromptBound,
        listener: CallListener = NO_LISTENER,
    ) -> Question:
        return Question(
            provider=opened.connection.provider,
            provider_key=model.provider,
            service=opened.service,
            endpoint=opened.connection.endpoint,
            dispatch=opened.dispatch,
            call=call,
            prices=model.prices,
            input_tokens=bound.tokens,
            counted_tokens=bound.counted,
            cache=context.cache,
            call_group=context.call_group,
            listener=listener,
            redaction=context.redaction,
        )

    async def _learn(self, model: CallableModel, bound: PromptBound, answer: Answer) -> None:
        """Learn from the bill, and mark the credential as refused when the provider rejected its
        key.
        """
        await self._bounds.learn(model, bound, answer)
        outcome = answer.outcome
        if isinstance(outcome, CallFailed) and outcome.reason is FailureReason.INVALID_KEY:
            await credentials.mark_refused(self._database, model.credential)


def _account(model: CallableModel, context: CallContext) -> LedgerAccount:
    return LedgerAccount(
        project_id=model.project_id,
        purpose=context.purpose,
        scope_ids=context.scope_ids,
        run_id=context.run_id,
        permit=context.permit,
    )
