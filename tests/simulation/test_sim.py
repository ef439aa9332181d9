"""The simulated provider: streams, counts tokens, has latency, fails on demand, and says that it is
simulated.
"""

import asyncio
import json
from collections import Counter
from dataclasses import asdict

import pytest
from pydantic import ValidationError

from edison.kit.registry import load_plugin
from edison.pipeline.generate.call import Call, Capabilities, Parameters
from edison.pipeline.generate.outcome import CallFailed, Completion, FailureReason, TextDelta
from edison.pipeline.generate.provider import Provider
from edison.pipeline.generate.providers.sim import REMEMBERED_CALLS, Sim
from edison.pipeline.render.prompt import Message, RenderedPrompt, ToolDefinition
from edison.simulation.material import demo_tasks
from edison.simulation.tiers import TIERS
from tests.simulation.playing import TASK_KEYS, fill

DEFAULTS = Parameters()


def make_call(
    text: str = "Give me five ideas for a party",
    model: str = "sim-small",
    parameters: Parameters = DEFAULTS,
    **fields: float,
) -> Call:
    prompt = RenderedPrompt(messages=(Message(role="user", text=text),))
    return Call(model=model, prompt=prompt, parameters=parameters, **fields)  # type: ignore[arg-type] # numbers only


async def test_a_stream_is_the_completion_in_pieces() -> None:
    sim = Sim(latency_scale=0)
    items = [item async for item in sim.stream(make_call())]
    *pieces, last = items
    whole = await sim.complete(make_call())
    assert isinstance(last, Completion)
    assert isinstance(whole, Completion)
    assert len(pieces) > 3
    assert "".join(p.text for p in pieces if isinstance(p, TextDelta)) == last.text == whole.text
    assert last.usage == whole.usage
    assert last.request_id == whole.request_id


async def test_it_is_a_plug_in_that_says_it_is_simulated() -> None:
    assert load_plugin("edison.pipeline.generate.providers", "sim", Provider) is Sim
    assert Sim.is_simulated
    models = await Sim().list_models()
    assert isinstance(models, list)
    assert [model.id for model in models] == [*TIERS]
    assert await Sim().check() is None


async def test_max_tokens_and_stop_sequences_are_respected() -> None:
    sim = Sim(latency_scale=0)
    short = await sim.complete(make_call(parameters=Parameters(max_tokens=5)))
    assert isinstance(short, Completion)
    assert short.finish_reason == "length"
    assert short.usage
    assert short.usage.output_tokens == 5
    stopped = await sim.complete(make_call(parameters=Parameters(stop=("2.",))))
    assert isinstance(stopped, Completion)
    assert "2." not in stopped.text


async def test_refused_parameters_are_named() -> None:
    call = make_call(parameters=Parameters(seed=3))
    without = Call(model=call.model, prompt=call.prompt, parameters=call.parameters,
                   capabilities=Capabilities(seed=False))  # fmt: skip
    outcome = await Sim(latency_scale=0).complete(without)
    assert isinstance(outcome, Completion)
    assert outcome.ignored_parameters == ("seed",)


async def test_ignored_parameters_are_reported_regardless_of_capabilities() -> None:
    tool = ToolDefinition(name="look_up", description="Finds an order.", parameters={})
    prompt = RenderedPrompt(messages=(Message(role="user", text="Hello"),), tools=(tool,))
    given = Parameters(
        temperature=0.5, top_p=0.9, frequency_penalty=1, presence_penalty=1, seed=1, max_tokens=50
    )
    outcome = await Sim(latency_scale=0).complete(
        Call(model="sim-small", prompt=prompt, parameters=given)
    )
    assert isinstance(outcome, Completion)
    named = ("top_p", "frequency_penalty", "presence_penalty", "tools")
    assert outcome.ignored_parameters == named
    able = Sim.capabilities_of("sim-small")
    assert tuple(name for name, is_able in asdict(able).items() if not is_able) == (
        *named,
        "json_schema",
    )


@pytest.mark.parametrize("key", TASK_KEYS)
async def test_json_output_is_json(key: str) -> None:
    demo, sim = demo_tasks()[key], Sim(latency_scale=0)
    for case in demo.cases:
        text = fill(demo.starter, case.inputs)
        prompt = RenderedPrompt(messages=(Message(role="user", text=text),), wants_json=True)
        outcome = await sim.complete(Call(model="sim-small", prompt=prompt))
        assert isinstance(outcome, Completion)
        assert isinstance(json.loads(outcome.text), dict)


async def test_json_output_without_the_capability_is_ignored() -> None:
    prompt = RenderedPrompt(messages=(Message(role="user", text="Hello"),), wants_json=True)
    call = Call(model="sim-small", prompt=prompt, capabilities=Capabilities(json_output=False))
    outcome = await Sim(latency_scale=0).complete(call)
    assert isinstance(outcome, Completion)
    assert outcome.ignored_parameters == ("json_output",)
    assert not outcome.text.startswith("{")


async def test_the_earliest_of_several_stops_ends_the_answer() -> None:
    sim = Sim(latency_scale=0)
    whole = await sim.complete(make_call())
    stopped = await sim.complete(make_call(parameters=Parameters(stop=("4.", "3.", "9."))))
    assert isinstance(whole, Completion)
    assert isinstance(stopped, Completion)
    assert stopped.text == whole.text.partition("3.")[0]
    assert stopped.finish_reason == "stop"


async def test_the_number_of_recorded_calls_is_limited() -> None:
    sim = Sim(latency_scale=0, rate_limit_rate=1)
    for number in range(REMEMBERED_CALLS + 20):
        await sim.complete(make_call(f"Question {number}?"))
    assert len(sim._attempts) == REMEMBERED_CALLS


async def test_unknown_models_and_endless_prompts_are_failures() -> None:
    sim = Sim(latency_scale=0)
    unknown = await sim.complete(make_call(model="gpt-x"))
    assert isinstance(unknown, CallFailed)
    assert unknown.reason is FailureReason.MODEL_NOT_FOUND
    endless = await sim.complete(make_call("word " * 40_000))
    assert isinstance(endless, CallFailed)
    assert endless.reason is FailureReason.CONTEXT_LENGTH


async def test_latency_is_real_and_bounded_by_the_timeout() -> None:
    quick = await Sim(latency_scale=0.02).complete(make_call())
    assert isinstance(quick, Completion)
    assert quick.latency_seconds > 0.003
    assert quick.first_token_seconds is not None
    slow = await Sim(latency_scale=10).complete(make_call(timeout_seconds=0.05))
    assert isinstance(slow, CallFailed)
    assert slow.reason is FailureReason.TIMEOUT


async def test_cancelling_stops_at_once() -> None:
    task = asyncio.ensure_future(Sim(latency_scale=10).complete(make_call()))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        ("rate_limit_rate", FailureReason.RATE_LIMIT),
        ("timeout_rate", FailureReason.TIMEOUT),
        ("server_error_rate", FailureReason.PROVIDER),
        ("malformed_rate", FailureReason.MALFORMED_RESPONSE),
        ("content_filter_rate", FailureReason.CONTENT_FILTER),
        ("truncated_rate", FailureReason.NETWORK),
    ],
)
async def test_faults_occur_at_their_rate_and_reproducibly(
    field: str, reason: FailureReason
) -> None:
    async def failing() -> list[bool]:
        sim = Sim(latency_scale=0, fault_seed=4, **{field: 0.3})  # type: ignore[arg-type] # a rate
        calls = [make_call(f"Question {number}?") for number in range(400)]
        outcomes = [await sim.complete(call) for call in calls]
        failed = [one for one in outcomes if isinstance(one, CallFailed)]
        assert Counter(one.reason for one in failed) == {reason: len(failed)}
        return [isinstance(one, CallFailed) for one in outcomes]

    first = await failing()
    assert 0.23 < sum(first) / 400 < 0.37
    assert first == await failing()


async def test_a_retry_draws_a_new_random_number() -> None:
    sim = Sim(latency_scale=0, rate_limit_rate=0.5)
    outcomes = {type(await sim.complete(make_call())) for _ in range(12)}
    assert outcomes == {Completion, CallFailed}


async def test_a_broken_stream_gives_some_text_first() -> None:
    items = [item async for item in Sim(latency_scale=0, truncated_rate=1).stream(make_call())]
    assert isinstance(items[0], TextDelta)
    assert isinstance(items[-1], CallFailed)


def test_rates_may_not_exceed_one() -> None:
    with pytest.raises(ValidationError, match="more than 1"):
        Sim(rate_limit_rate=0.6, timeout_rate=0.6)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Hello", "simulated"),
        ("12 * 7?", "84"),
        ("Write a poem about rain", "rain"),
        ("Give me five ideas for a party", "5."),
        ("What is the capital of France?", "imulated answer"),
        ("Reply with <response> tags. Customer message:\nWhere is it?", "<response>"),
        ("", ""),
    ],
)
async def test_prompts_outside_the_demo_tasks_get_a_sensible_answer(text: str, part: str) -> None:
    outcome = await Sim(latency_scale=0).complete(make_call(text))
    assert isinstance(outcome, Completion)
    assert outcome.text
    assert part in outcome.text
