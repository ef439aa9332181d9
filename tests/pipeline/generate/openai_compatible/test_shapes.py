"""Documents of any shape are read without an exception, and requests that share their parameters
stay apart.
"""

from dataclasses import asdict
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from edison.pipeline.generate.call import Capabilities, Parameters
from edison.pipeline.generate.outcome import FinishReason, Usage
from edison.pipeline.generate.wire.json_value import Json
from edison.pipeline.generate.wire.openai_chat import (
    FINISH_REASONS,
    chat_request,
    read_answer,
    read_chunk,
)
from edison.pipeline.generate.wire.reply import MAX_TOKENS_COUNTED, Reply
from tests.pipeline.generate.asking import make_call

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2**70)
    | st.floats(allow_nan=False)
    | st.text(max_size=3)
    | st.lists(st.none() | st.just("x") | st.just({"text": "part"}), max_size=2)
    | st.just({})
)


def odd(usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return usual | usual | LEAVES


def some_of(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """An object with some of these fields, or something else."""
    return odd(st.fixed_dictionaries({}, optional={n: odd(each) for n, each in fields.items()}))


COUNT = st.integers(0, 300) | st.just(12.0)
DETAILS = some_of(cached_tokens=COUNT, cache_write_tokens=COUNT, reasoning_tokens=COUNT)
USAGE = some_of(
    prompt_tokens=COUNT,
    completion_tokens=COUNT,
    prompt_tokens_details=DETAILS,
    completion_tokens_details=DETAILS,
    prompt_cache_hit_tokens=COUNT,
)
TOOL_CALL = some_of(
    id=st.text(max_size=2),
    index=st.integers(0, 200),
    function=some_of(name=st.text(max_size=2), arguments=st.text(max_size=2)),
)
MESSAGE = some_of(
    content=st.text(max_size=5), refusal=st.text(max_size=3), tool_calls=st.lists(TOOL_CALL)
)
CHOICE = some_of(
    message=MESSAGE, delta=MESSAGE, finish_reason=st.sampled_from([*FINISH_REASONS, "magic"])
)
DOCUMENT = some_of(
    id=st.text(max_size=3), model=st.text(max_size=3), choices=st.lists(CHOICE), usage=USAGE
)


def check(reply: Reply) -> None:
    assert isinstance("".join(reply.pieces) + reply.refusal + reply.model, str)
    assert reply.response_id is None or isinstance(reply.response_id, str)
    assert reply.finish_reason is None or isinstance(reply.finish_reason, FinishReason)
    for call in reply.tool_calls:
        assert isinstance(call.id + call.name + call.arguments, str)
    if reply.usage is not None:
        check_usage(reply.usage)


def check_usage(usage: Usage) -> None:
    counts = asdict(usage)
    assert not counts.pop("is_estimated")
    assert all(type(count) is int and count >= 0 for count in counts.values())
    assert 0 < usage.input_tokens <= MAX_TOKENS_COUNTED
    assert usage.cached_input_tokens + usage.cache_write_tokens <= usage.input_tokens


def new_reply() -> Reply:
    return Reply(started=0, ignored=(), model="gpt-x")


@given(DOCUMENT)
def test_any_document_is_read_or_refused(document: Any) -> None:
    reply = new_reply()
    wrong = read_answer(Json(document), reply)
    check(reply)
    assert reply.is_complete is (wrong is None)


@given(st.lists(DOCUMENT, max_size=4))
def test_any_pieces_are_read(documents: list[Any]) -> None:
    reply = new_reply()
    added = [read_chunk(Json(document), reply) for document in documents]
    check(reply)
    assert "".join(added) == "".join(reply.pieces)


PARAMETERS = st.builds(
    Parameters,
    temperature=st.none() | st.sampled_from([0, 0.5, 1]),
    max_tokens=st.none() | st.integers(1, 3),
    top_p=st.none() | st.just(0.9),
    stop=st.none() | st.just(("END",)),
    seed=st.none() | st.integers(0, 2),
)
CAPABILITIES = st.builds(
    Capabilities, temperature=st.booleans(), top_p=st.booleans(), seed=st.booleans()
)


@given(st.lists(st.tuples(PARAMETERS, CAPABILITIES), min_size=1, max_size=4), st.booleans())
def test_a_request_has_exactly_the_parameters_that_are_set_and_accepted(
    asked: list[tuple[Parameters, Capabilities]], wants_json: bool
) -> None:
    for parameters, capabilities in asked:
        call = make_call(parameters=parameters, capabilities=capabilities, wants_json=wants_json)
        body, ignored = chat_request(call, is_streamed=False)
        given_values = {n: v for n, v in asdict(parameters).items() if v is not None}
        refused = {n for n in given_values if not getattr(capabilities, n, True)}
        assert set(ignored) == refused
        assert {n: body[n] for n in body if n not in {"model", "messages", "response_format"}} == {
            n: v for n, v in given_values.items() if n not in refused
        }
        assert ("response_format" in body) is wants_json
        # Changing one body does not change another.
        body.clear()
