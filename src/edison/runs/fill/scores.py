"""Scores while filling: the judges' calls and refused keys."""

import asyncio
import hashlib
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import fields, replace
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from edison.db.session import Database
from edison.jobs.batch_writer import BatchWriter
from edison.kit import ascii_json, clock, ids
from edison.kit.errors import NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.awaited_calls import AwaitedCalls
from edison.library.calls.gateway import Gateway
from edison.library.calls.wave import CallWave
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed, FailureReason
from edison.pipeline.generate.path.fair_queue import CallGroup
from edison.pipeline.generate.path.question import Answer, CallListener
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.scorer import Scored, Tools
from edison.runs.fill.answers import CallTracker, ProgressSink, unanswered
from edison.runs.fill.work import Work
from edison.runs.store.answers import sent_text
from edison.runs.store.types import CellOutput, NewScore
from edison.workspace.credentials import service as credentials
from edison.workspace.credentials.errors import MissingSecret
from edison.workspace.credentials.models import Credential


class _KeyRefused(Exception):
    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


class RefusedKeys:
    """Credentials whose key was refused or missing during one chunk. Refusals found by other
    chunks are read from the credential; refusals older than the run's current working period are
    ignored, since the key may have been fixed.
    """

    def __init__(self, work: Work) -> None:
        self._since = work.run.active_since
        # Why, by the credential's id.
        self._refused: dict[UUID, str] = {}

    def answer_for(self, model: CallableModel) -> Answer | None:
        """The failure for a model whose key was refused; None for any other model."""
        credential = model.credential
        reason = self._refused.get(credential.id)
        if reason is None and self._is_known(credential):
            reason = _sentence(credential)
        return None if reason is None else unanswered(FailureReason.INVALID_KEY, reason)

    def learn(self, model: CallableModel, answer: Answer) -> Answer:
        """Records a refused key, and names its credential in the failure message."""
        outcome = answer.outcome
        if not isinstance(outcome, CallFailed) or outcome.reason is not FailureReason.INVALID_KEY:
            return answer
        if outcome.is_unsent:
            # The key is missing; the message says so.
            self._refused[model.credential.id] = outcome.message
            return answer
        reason = self._refused[model.credential.id] = _sentence(model.credential)
        return replace(answer, outcome=replace(outcome, message=f"{reason} {outcome.message}"))

    def _is_known(self, credential: Credential) -> bool:
        return (
            credential.failure == FailureReason.INVALID_KEY
            and credential.tested_at is not None
            and self._since is not None
            and credential.tested_at >= self._since
        )


def _sentence(credential: Credential) -> str:
    title = credentials.title_of(credential)
    return f"{title} refused the judge's key, that of the credential “{credential.label}”."


PURPOSE = "judge"
_PARAMETERS = [field.name for field in fields(Parameters)]


@dataclass(frozen=True, slots=True)
class _JudgeModel:
    """A model with the wave of its calls. Without one, calls are made one by one."""

    model: CallableModel
    wave: CallWave | None


class LiveJudges:
    """Lets scorers call models on behalf of a run. Opens a wave of calls for each model, until the
    stack is closed.
    """

    def __init__(
        self,
        database: Database,
        gateway: Gateway,
        batch_writer: BatchWriter,
        work: Work,
        call_group: CallGroup,
        stack: AsyncExitStack,
    ) -> None:
        self._database = database
        self._gateway = gateway
        self._work = work
        self._context = work.call_context(PURPOSE, call_group, is_judging=True)
        self._stack = stack
        self._calls = AwaitedCalls(batch_writer)
        self._models: dict[UUID, _JudgeModel | None] = {}
        self._looking = asyncio.Lock()
        self._refused_keys = RefusedKeys(work)

    def reporting_to(self, progress: CallTracker) -> Tools:
        return _LiveTools(self, progress)

    async def ask(
        self,
        model_id: UUID,
        prompt: RenderedPrompt,
        parameters: Parameters,
        progress: ProgressSink,
    ) -> Answer:
        judge = await self._find(model_id)
        if judge is None:
            return unanswered(
                FailureReason.MODEL_NOT_FOUND, "The judge's model was removed from the project."
            )
        known = self._refused_keys.answer_for(judge.model)
        if known is not None:
            return known
        listener = CallListener(on_wait=progress.waits, on_leave=progress.leaves)
        if judge.wave is None:
            answer = await self._gateway.answer(
                judge.model, prompt, parameters, context=self._context, listener=listener
            )
        else:
            try:
                answer = await self._calls.answer(judge.wave, prompt, parameters, listener)
            except _KeyRefused as refused:
                return refused.answer
        return self._learn(judge.model, answer)

    def _learn(self, model: CallableModel, answer: Answer) -> Answer:
        answer = self._refused_keys.learn(model, answer)
        for judge in self._models.values() if isinstance(answer.outcome, CallFailed) else ():
            if judge is None or judge.wave is None:
                continue
            refused = self._refused_keys.answer_for(judge.model)
            if refused is not None:
                judge.wave.refuse(_KeyRefused(refused))
        return answer

    async def _find(self, model_id: UUID) -> _JudgeModel | None:
        """Cached per chunk. The lock prevents concurrent lookups of the same model."""
        if model_id not in self._models:
            async with self._looking:
                if model_id not in self._models:
                    self._models[model_id] = await self._look_up(model_id)
        return self._models[model_id]

    async def _look_up(self, model_id: UUID) -> _JudgeModel | None:
        async with self._database.read() as session:
            try:
                model = await models.get_callable(
                    session, project_id=self._work.project_id, model_id=model_id
                )
            except NotFound:
                return None
        return _JudgeModel(model, await self._open_wave(model))

    async def _open_wave(self, model: CallableModel) -> CallWave | None:
        if self._context.redaction is not None:
            return None
        opening = self._gateway.open_wave(model, self._context, self._calls)
        try:
            return await self._stack.enter_async_context(opening)
        except MissingSecret:
            return None


class _LiveTools:
    def __init__(self, judges: LiveJudges, progress: CallTracker) -> None:
        self._judges = judges
        self._progress = progress

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        call = self._progress.begin_call()
        try:
            return await self._judges.ask(model_id, prompt, parameters, call)
        finally:
            call.ends()


class _NoJudges:
    """For free scorers, which must not call a model."""

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        raise RuntimeError("A scorer that declares no model calls a model.")


NO_JUDGES = _NoJudges()


class RecordingTools:
    """Records the answers of a scorer's calls by question digest, for a replay."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self.answers: dict[str, Answer] = {}

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        answer = await self._tools.ask(model_id, prompt, parameters)
        self.answers[digest_of_question(model_id, prompt, parameters)] = answer
        return answer


def digest_of_question(model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> str:
    asked = f'["{model_id}",{ascii_json.encode_text(sent_text(prompt))},{_written(parameters)}]'
    return hashlib.sha256(asked.encode()).hexdigest()


# A judge asks all its questions with the same parameters.
@lru_cache(maxsize=64)
def _written(parameters: Parameters) -> str:
    return ascii_json.encode({name: getattr(parameters, name) for name in _PARAMETERS})


def new_score(
    work: Work,
    output: CellOutput,
    scorer: int,
    scored: Scored,
    answers: Mapping[str, Answer],
    *,
    now: datetime | None = None,
) -> NewScore:
    return NewScore(
        id=ids.new_id(),
        output=output,
        scorer_position=scorer,
        scored=scored,
        answers=answers,
        charged_nanos=0 if work.is_replay else scored.cost_nanos,
        created_at=now or clock.now(),
    )
