"""Helpers that make calls and inspect their outcomes."""

from typing import Any

from edison.pipeline.generate.call import Call, Capabilities, Parameters
from edison.pipeline.generate.outcome import CallFailed, Completion, Outcome, TextDelta
from edison.pipeline.generate.provider import Provider
from edison.pipeline.render.prompt import Message, RenderedPrompt, ToolDefinition
from tests.fake_providers.scripted_server import Reply, Silence, Stream

WEATHER = ToolDefinition(
    name="weather",
    description="The weather in a city.",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}},
)
FEW_SHOTS = (
    Message(role="user", text="Capital of Italy?"),
    Message(role="assistant", text="Rome."),
    Message(role="user", text="Capital of France?"),
)
EVERYTHING = Parameters(
    temperature=0.3,
    max_tokens=50,
    top_p=0.9,
    frequency_penalty=0.1,
    presence_penalty=0.2,
    stop=("END", "\n\n"),
    seed=7,
)


def make_call(
    *,
    model: str = "gpt-x",
    messages: tuple[Message, ...] = (Message(role="user", text="Capital of France?"),),
    system: str | None = None,
    tools: tuple[ToolDefinition, ...] = (),
    wants_json: bool = False,
    json_schema: dict[str, Any] | None = None,
    parameters: Parameters | None = None,
    capabilities: Capabilities | None = None,
    timeout_seconds: float = 5,
) -> Call:
    return Call(
        model=model,
        prompt=RenderedPrompt(
            messages=messages,
            system=system,
            tools=tools,
            wants_json=wants_json,
            json_schema=json_schema,
        ),
        parameters=parameters or Parameters(),
        capabilities=capabilities or Capabilities(),
        timeout_seconds=timeout_seconds,
    )


def patience(reply: Reply) -> float:
    """Timeout in seconds: short where only the deadline ends a call, long on a busy machine."""
    is_endless = isinstance(reply, Silence) or (isinstance(reply, Stream) and reply.then == "drip")
    return 3 if is_endless else 10


async def answer_of(provider: Provider, **asked: Any) -> Completion:
    outcome = await provider.complete(make_call(**asked))
    assert isinstance(outcome, Completion), outcome
    return outcome


async def failure_of(provider: Provider, **asked: Any) -> CallFailed:
    outcome = await provider.complete(make_call(**asked))
    assert isinstance(outcome, CallFailed), outcome
    return outcome


async def streamed(provider: Provider, **asked: Any) -> tuple[list[str], Outcome]:
    """The deltas and the end; checks that the end comes last and once."""
    items = [item async for item in provider.stream(make_call(**asked))]
    *pieces, end = items
    assert all(isinstance(piece, TextDelta) for piece in pieces), items
    assert isinstance(end, Completion | CallFailed)
    return [piece.text for piece in pieces if isinstance(piece, TextDelta)], end
