"""Try a model: send one prompt and stream the answer."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit import clock
from edison.kit.money import usd_from_nanos
from edison.library.calls.connections import endpoint_of
from edison.library.calls.gateway import CallContext, Gateway
from edison.library.calls.repository import CachedAnswers
from edison.library.calls.schemas import TryRequest
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.pipeline.generate.call import Call, Parameters
from edison.pipeline.generate.outcome import CallFailed, Completion, TextDelta, Usage
from edison.pipeline.generate.path.cache_key import cache_key
from edison.pipeline.generate.path.fair_queue import CallGroup
from edison.pipeline.generate.path.question import Answer, CacheMode, Item, Restarted
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.workspace.audit import service as audit
from edison.workspace.budgets import service as budgets

PURPOSE = "try"


async def prepare_try(
    database: Database, *, project_id: UUID, model_id: UUID, wanted: TryRequest
) -> CallableModel:
    """Validate the request and write the audit entry, before any call is made. Raises Invalid when
    the model does not accept the parameters.
    """
    async with database.write() as session:
        model = await models.get_callable(session, project_id=project_id, model_id=model_id)
        parameters = models.choose_parameters(model, wanted.parameters)
        need = models.least_need([replace(model, parameters=parameters)])
        await budgets.check_open(session, project_id=project_id, need=need)
        audit.record(
            session,
            "model.tried",
            entity=("model", model_id),
            project_id=project_id,
            after={"model": model.display_name},
        )
    return model


async def try_model(
    gateway: Gateway, model: CallableModel, wanted: TryRequest
) -> AsyncGenerator[tuple[str, Mapping[str, Any]]]:
    """Server-sent events as (name, data); the last is `answered` or `failed`."""
    prompt = RenderedPrompt(
        messages=(Message(role="user", text=wanted.prompt),), system=wanted.system or None
    )
    parameters = models.choose_parameters(model, wanted.parameters)
    context = CallContext(
        purpose=PURPOSE,
        cache=CacheMode.BYPASS if wanted.is_cache_bypassed else CacheMode.USE,
        call_group=CallGroup(key=PURPOSE, is_interactive=True),
    )
    async with aclosing(gateway.stream(model, prompt, parameters, context=context)) as items:
        async for item in items:
            yield _event(model, item)


async def count_cached(
    session: AsyncSession,
    model: CallableModel,
    prompts: Sequence[RenderedPrompt],
    parameters: Parameters,
    *,
    redaction: str | None,
) -> int:
    """How many of the prompts the project's cache answers now."""
    keys = [
        cache_key(
            provider=model.provider,
            endpoint=endpoint_of(model.credential),
            call=Call(
                model=model.provider_model,
                prompt=prompt,
                parameters=parameters,
                capabilities=model.capabilities,
            ),
            redaction=redaction,
        )
        for prompt in prompts
    ]
    wanted = {(model.project_id, key) for key in keys}
    found = await CachedAnswers(session).find_keys(wanted, now=clock.now())
    return sum((model.project_id, key) in found for key in keys)


async def delete_expired(session: AsyncSession) -> None:
    await CachedAnswers(session).forget_expired(clock.now())


def _event(model: CallableModel, item: Item) -> tuple[str, Mapping[str, Any]]:
    if isinstance(item, TextDelta):
        return "delta", {"text": item.text}
    if isinstance(item, Restarted):
        return "restarted", {"attempt": item.attempt}
    if isinstance(item, Answer):
        return _end(model, item)
    return "waiting", {
        "reason": item.reason,
        "seconds": item.seconds,
        "sentence": item.sentence,
    }


def _end(model: CallableModel, answer: Answer) -> tuple[str, Mapping[str, Any]]:
    outcome = answer.outcome
    spent = {
        "attempts": answer.attempts,
        "cost_usd": None if answer.cost_nanos is None else f"{usd_from_nanos(answer.cost_nanos):f}",
        "price_version": answer.price_version,
        "waited_seconds": answer.waited_seconds,
        "usage": _usage(answer.usage),
        "is_simulated": model.is_simulated,
        "request_id": outcome.request_id,
    }
    if isinstance(outcome, CallFailed):
        return "failed", spent | {"reason": outcome.reason, "message": outcome.message}
    return "answered", spent | _answered(outcome) | {"is_cached": answer.is_cached}


def _answered(completion: Completion) -> dict[str, Any]:
    return {
        "text": completion.text,
        "finish_reason": completion.finish_reason,
        "model": completion.model,
        "tool_calls": [
            {"id": call.id, "name": call.name, "arguments": call.arguments}
            for call in completion.tool_calls
        ],
        "ignored_parameters": list(completion.ignored_parameters),
        "latency_seconds": completion.latency_seconds,
        "first_token_seconds": completion.first_token_seconds,
    }


def _usage(usage: Usage | None) -> dict[str, Any] | None:
    if usage is None:
        return None
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cached_input_tokens": usage.cached_input_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        "is_estimated": usage.is_estimated,
    }
