"""The one door to models: a project's model and a prompt in, an answer out.

Whoever calls a model, from a person trying one to a run of thousands, calls it through here. So
what is shared is shared by all: open connections, the limits of a credential, kept answers, and
the ledger.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import orjson

from edison.db.session import Database
from edison.library.calls.answers import ProjectAnswers
from edison.library.calls.connections import Connection, Connections
from edison.library.models.service import CallableModel
from edison.pipeline.generate.call import Call, Parameters
from edison.pipeline.generate.outcome import CallFailed, FailureReason
from edison.pipeline.generate.path.call_path import (
    Answer,
    CacheMode,
    CallPath,
    Item,
    Question,
)
from edison.pipeline.generate.path.lane import Lane
from edison.pipeline.generate.path.ports import Observer
from edison.pipeline.generate.tokens.counting import count_prompt
from edison.pipeline.render.prompt import RenderedPrompt
from edison.settings import Settings
from edison.workspace.budgets import service as budgets
from edison.workspace.credentials import service as credentials
from edison.workspace.credentials.errors import MissingSecret
from edison.workspace.credentials.models import Credential
from edison.workspace.credentials.service import Vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """`purpose` is written into the ledger. `scope_ids` are what else than the project may have a
    budget, such as an experiment. `keep_for` is how long the answer may be given again;
    None is until it is evicted.
    """

    project_id: UUID
    model: CallableModel
    prompt: RenderedPrompt
    parameters: Parameters
    purpose: str
    scope_ids: tuple[UUID, ...] = ()
    keep_for: timedelta | None = None
    cache: CacheMode = CacheMode.USE


class Gateway:
    def __init__(
        self, database: Database, *, vault: Vault, observer: Observer, settings: Settings
    ) -> None:
        self._database = database
        self._observer = observer
        self._timeout_seconds = settings.call_timeout_seconds
        self._calls_per_credential = settings.calls_per_credential
        self._connections = Connections(vault, make_lane=self._make_lane)

    async def stream(self, ask: Ask) -> AsyncGenerator[Item]:
        """Pieces of text and reasons to wait, then exactly one Answer. Closing it cancels."""
        try:
            async with self._connections.use(ask.model.credential) as connection:
                question = await self._question(ask, connection)
                async with aclosing(self._path(ask).stream(question)) as items:
                    async for item in items:
                        if isinstance(item, Answer):
                            await self._learn(ask, item)
                        yield item
        except MissingSecret as missing:
            yield _unanswered(missing.failure())

    async def answer(self, ask: Ask) -> Answer:
        try:
            async with self._connections.use(ask.model.credential) as connection:
                question = await self._question(ask, connection)
                answer = await self._path(ask).answer(question)
        except MissingSecret as missing:
            return _unanswered(missing.failure())
        await self._learn(ask, answer)
        return answer

    async def close(self) -> None:
        await self._connections.close()

    def _path(self, ask: Ask) -> CallPath:
        return CallPath(
            cache=ProjectAnswers(
                database=self._database, project_id=ask.project_id, keep_for=ask.keep_for
            ),
            till=budgets.open_till(
                self._database,
                project_id=ask.project_id,
                purpose=ask.purpose,
                scope_ids=ask.scope_ids,
            ),
            observer=self._observer,
        )

    async def _question(self, ask: Ask, connection: Connection) -> Question:
        model = ask.model
        # In a thread, as a long text takes a while and the first count loads the encoding.
        counted = await asyncio.to_thread(
            count_prompt, ask.prompt, model=model.provider_model, provider=model.provider
        )
        return Question(
            provider=connection.provider,
            provider_key=model.provider,
            service=model.provider_title,
            endpoint=_endpoint(model.credential),
            lane=connection.lane,
            call=Call(
                model=model.provider_model,
                prompt=ask.prompt,
                parameters=ask.parameters,
                capabilities=model.capabilities,
                timeout_seconds=self._timeout_seconds,
            ),
            prices=model.prices,
            input_tokens=counted.tokens,
            cache=ask.cache,
        )

    async def _learn(self, ask: Ask, answer: Answer) -> None:
        """A key that was refused is marked, so that its owner sees it where keys are kept."""
        outcome = answer.outcome
        if isinstance(outcome, CallFailed) and outcome.reason is FailureReason.INVALID_KEY:
            await credentials.note_refusal(self._database, ask.model.credential)

    def _make_lane(self, credential: Credential) -> Lane:
        title = credentials.title_of(credential)
        return Lane(service=title, concurrency=self._calls_per_credential)


def _endpoint(credential: Credential) -> str:
    """Settings say which server is asked and, for simulated models, how it behaves."""
    return orjson.dumps(credential.settings, option=orjson.OPT_SORT_KEYS).decode()


def _unanswered(failure: CallFailed) -> Answer:
    """Nothing was sent, so nothing was spent."""
    return Answer(
        outcome=failure,
        attempts=0,
        cost_nanos=0,
        usage=None,
        is_cached=False,
        waited_seconds=0,
        price_version=None,
        cache_key="",
    )
