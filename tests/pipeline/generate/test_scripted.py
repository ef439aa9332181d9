"""The scripted provider of other tests."""

import pytest

from edison.pipeline.generate.outcome import CallFailed, Completion, FailureReason, Usage
from edison.pipeline.generate.providers.scripted import Scripted, ScriptExhausted
from tests.pipeline.generate.asking import answer_of, make_call, streamed

TIMEOUT = CallFailed(reason=FailureReason.TIMEOUT, message="Too late.", is_retryable=True)


async def test_gives_its_answers_in_turn_and_records_calls() -> None:
    provider = Scripted(answers=("Paris", TIMEOUT, "Rome"))
    calls = [make_call(model=model) for model in ("a", "b", "c")]
    outcomes = [await provider.complete(call) for call in calls]
    assert isinstance(outcomes[0], Completion)
    assert outcomes[0].text == "Paris"
    assert outcomes[0].usage == Usage(input_tokens=3, output_tokens=1)
    assert outcomes[1] == TIMEOUT
    assert [call.model for call in provider.calls] == ["a", "b", "c"]
    with pytest.raises(ScriptExhausted):
        await provider.complete(calls[0])


async def test_repeats_its_answers() -> None:
    provider = Scripted(answers=("one", "two"), is_repeated=True)
    assert [(await answer_of(provider)).text for _ in range(3)] == ["one", "two", "one"]


async def test_streams_word_by_word() -> None:
    provider = Scripted(answers=("Paris is  the\ncapital.", TIMEOUT))
    pieces, end = await streamed(provider)
    assert len(pieces) == 4
    assert "".join(pieces) == "Paris is  the\ncapital."
    assert isinstance(end, Completion)
    assert await streamed(provider) == ([], TIMEOUT)
    assert await provider.check() is None
