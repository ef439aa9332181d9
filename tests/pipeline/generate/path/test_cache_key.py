"""Two questions share a cache key exactly when they are equal."""

import hashlib
import json
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.pipeline.generate.call import Call, Capabilities, Parameters
from edison.pipeline.generate.path.cache_key import cache_key
from edison.pipeline.render.prompt import Message, RenderedPrompt, ToolDefinition
from tests.pipeline.generate.asking import EVERYTHING, WEATHER, make_call

# Few letters, including all that could be confused with a separator.
TEXT = st.text(alphabet='a",[]\\:{}\n\ud800', max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
TOOLS = st.builds(
    ToolDefinition,
    name=TEXT,
    description=TEXT,
    parameters=st.dictionaries(TEXT, JSON, max_size=2),
)
NUMBERS = st.none() | st.sampled_from([0.0, 0.5, 1.0])
CALLS = st.builds(
    Call,
    model=TEXT,
    prompt=st.builds(
        RenderedPrompt,
        messages=st.lists(
            st.builds(Message, role=st.sampled_from(["user", "assistant"]), text=TEXT), max_size=2
        ).map(tuple),
        system=st.none() | TEXT,
        tools=st.lists(TOOLS, max_size=2).map(tuple),
        wants_json=st.booleans(),
    ),
    parameters=st.builds(
        Parameters,
        temperature=NUMBERS,
        top_p=NUMBERS,
        max_tokens=st.none() | st.integers(1, 3),
        stop=st.none() | st.lists(TEXT, max_size=2).map(tuple),
        seed=st.none() | st.integers(0, 2),
    ),
)


def key_of(call: Call, *, provider: str = "openai", endpoint: str = "") -> str:
    return cache_key(provider=provider, endpoint=endpoint, call=call)


@given(one=st.tuples(TEXT, TEXT, CALLS), other=st.tuples(TEXT, TEXT, CALLS))
def test_different_questions_have_different_keys(
    one: tuple[str, str, Call], other: tuple[str, str, Call]
) -> None:
    keys = [key_of(call, provider=name, endpoint=where) for name, where, call in (one, other)]
    # Python treats 1, 1.0 and True as equal, JSON does not.
    assert (keys[0] == keys[1]) == (repr(_sorted(one)) == repr(_sorted(other)))


@given(TEXT, TEXT, CALLS, st.none() | TEXT)
def test_the_key_is_the_digest_of_the_question_as_json(
    provider: str, endpoint: str, call: Call, redaction: str | None
) -> None:
    prompt, sampling = call.prompt, call.parameters
    asked = [
        "v1",
        provider,
        endpoint,
        call.model,
        prompt.system,
        [[message.role, message.text] for message in prompt.messages],
        [[tool.name, tool.description, tool.parameters] for tool in prompt.tools],
        prompt.wants_json,
        [
            sampling.max_tokens,
            sampling.stop,
            sampling.seed,
            sampling.temperature,
            sampling.top_p,
            None,
            None,
        ],
        [],
        *([] if redaction is None else [redaction]),
    ]
    written = json.dumps(asked, sort_keys=True, separators=(",", ":"))
    found = cache_key(provider=provider, endpoint=endpoint, call=call, redaction=redaction)
    assert found == hashlib.sha256(written.encode()).hexdigest()


@given(call=CALLS)
def test_the_order_of_names_in_a_schema_does_not_matter(call: Call) -> None:
    turned = tuple(replace(tool, parameters=_turned(tool.parameters)) for tool in call.prompt.tools)
    assert key_of(replace(call, prompt=replace(call.prompt, tools=turned))) == key_of(call)


@pytest.mark.parametrize("name", [field.name for field in fields(Parameters)])
def test_every_parameter_changes_the_key(name: str) -> None:
    without = replace(EVERYTHING, **{name: None})
    assert key_of(make_call(parameters=without)) != key_of(make_call(parameters=EVERYTHING))


def test_a_whole_number_is_the_fraction_it_equals() -> None:
    whole, fraction = (make_call(parameters=Parameters(temperature=t)) for t in (1, 1.0))
    assert key_of(whole) == key_of(fraction)


def test_ignored_parameters_change_the_key() -> None:
    deaf = Capabilities(temperature=False)
    asked = Parameters(temperature=0.5)
    plain, ignored = make_call(parameters=asked), make_call(parameters=asked, capabilities=deaf)
    assert key_of(plain) != key_of(ignored)
    assert key_of(make_call()) == key_of(make_call(capabilities=deaf))


def test_the_timeout_does_not_change_the_key() -> None:
    assert key_of(make_call(timeout_seconds=1)) == key_of(make_call(timeout_seconds=9))


def test_the_encoding_of_version_1_never_changes() -> None:
    written = (
        '["v1","openai","https://x/v1","gpt-x","Be brief.",[["user","Capital of France?"]],'
        '[["weather","The weather in a city.",{"properties":{"city":{"type":"string"}},'
        '"type":"object"}]],true,[50,["END","\\n\\n"],7,0.3,0.9,0.1,0.2],[]]'
    )
    call = make_call(system="Be brief.", tools=(WEATHER,), wants_json=True, parameters=EVERYTHING)
    found = key_of(call, endpoint="https://x/v1")
    assert found == hashlib.sha256(written.encode()).hexdigest()


def _sorted(value: Any) -> Any:
    """The same value with sorted names, for comparison by repr."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [_sorted(each) for each in value]
    if isinstance(value, Call | RenderedPrompt | Parameters | Message | ToolDefinition):
        return [_sorted(getattr(value, field.name)) for field in fields(value)]
    return value


def _turned(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _turned(value[key]) for key in reversed(value)}
    return [_turned(each) for each in value] if isinstance(value, list) else value
