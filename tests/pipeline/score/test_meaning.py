"""Semantic similarity: by a judge, and by locally computed embeddings."""

from typing import Any
from uuid import UUID

import pytest
from inline_snapshot import snapshot

from edison.pipeline.generate.outcome import CallFailed, FailureReason
from edison.pipeline.score.registry import load_scorer
from edison.pipeline.score.scorer import Flag, Scored, Subject
from edison.pipeline.score.scorers import embedding_similarity
from tests.pipeline.score.scoring import COST_NANOS, ScriptedTools, score, value

SUBJECT = Subject(
    text="The package is delayed.", expected="The parcel is late.", inputs={"question": "Where?"}
)


async def judged(
    *answers: str | CallFailed, subject: Subject = SUBJECT, **options: Any
) -> tuple[Scored, ScriptedTools]:
    tools = ScriptedTools(answers=list(answers))
    options = {"model_id": str(UUID(int=7)), **options}
    return await score("similarity_judge", subject, options=options, tools=tools), tools


async def test_a_judge_rates_the_similarity_of_meaning() -> None:
    said = '{"rationale": "The same in other words.", "score": 9}'
    scored, tools = await judged(said)
    assert scored == Scored(
        value=0.9,
        rationale="The same in other words.",
        raw=said,
        judge_text="similarity-1",
        cost_nanos=COST_NANOS,
    )
    assert tools.asked[0][1].messages[0].text == snapshot("""\
<input-3561412909210129>
{
 "question": "Where?"
}
</input-3561412909210129>

<expected-3561412909210129>
The parcel is late.
</expected-3561412909210129>

<output-3561412909210129>
The package is delayed.
</output-3561412909210129>

Score the output from 0 to 10 by its meaning: 10 when it says everything that the expected output
says and nothing against it, 5 when it says about half of that, 0 when it says nothing of it or the
contrary. Wording, order and format do not count. Reply with this JSON object and nothing else, with
one or two sentences for the rationale and a number for the score:

{"rationale": "…", "score": <0 to 10>}\
""")


async def test_equal_texts_are_not_worth_a_call_and_none_expected_gives_none() -> None:
    scored, tools = await judged(subject=Subject(text="Yes. ", expected="Yes."))
    assert (scored.value, tools.asked) == (1.0, [])
    missing, _ = await judged(subject=Subject(text="Yes."))
    assert (missing.value, missing.flag) == (None, Flag.NO_EXPECTED)


async def test_the_inputs_can_be_hidden_from_the_judge() -> None:
    _, tools = await judged('{"rationale": "", "score": 1}', shows_inputs=False)
    assert "Where?" not in tools.asked[0][1].messages[0].text


@pytest.mark.parametrize(
    "bad",
    [
        "prose",
        '{"score": 9}',
        '{"rationale": "", "score": 11}',
        '{"rationale": "", "score": NaN}',
        '{"rationale": "", "score": "9"}',
        '{"rationale": "", "score": true}',
        '{"rationale": 1, "score": 9}',
        '{"rationale": "", "score": 9} {"rationale": "", "score": 9}',
    ],
)
async def test_a_bad_verdict_is_repaired_once_and_then_counts_as_0(bad: str) -> None:
    scored, _ = await judged(bad, '{"rationale": "", "score": 4}')
    assert (scored.value, scored.flag) == (0.4, None)
    lost, _ = await judged(bad, bad)
    assert (lost.value, lost.flag, lost.raw) == (0.0, Flag.JUDGE_UNREADABLE, bad)


async def test_a_judge_that_does_not_answer_gives_no_value() -> None:
    busy = CallFailed(reason=FailureReason.TIMEOUT, message="Too slow.", is_retryable=True)
    scored, _ = await judged(busy)
    assert (scored.value, scored.flag) == (None, Flag.JUDGE_FAILED)


async def test_paraphrases_are_more_similar_than_unrelated_texts() -> None:
    expected = "The parcel is late"
    near = await value("embedding_similarity", "The package is delayed", expected)
    far = await value("embedding_similarity", "I like pizza", expected)
    # Computed with wordllama 0.4's own `WordLlamaInference.similarity`.
    assert near == pytest.approx(0.50938, abs=1e-4)
    assert far == pytest.approx(0.05233, abs=1e-4)
    assert await value("embedding_similarity", f" {expected}\n", expected) == 1
    assert await value("embedding_similarity", "", expected) == 0


async def test_an_opposite_direction_counts_as_0_and_long_texts_are_not_compared() -> None:
    from edison.pipeline.score.static_vectors import cosine, load_vectors

    vectors = load_vectors()
    ahead = vectors.embed("yes")
    assert ahead is not None
    assert cosine(ahead, -ahead) == pytest.approx(-1)
    assert cosine(ahead, ahead * 0) == 0
    long = await score("embedding_similarity", "x" * 50_001, "y")
    assert (long.value, long.flag) == (None, Flag.TOO_LONG)


async def test_a_missing_extra_is_reported_with_the_install_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert load_scorer("embedding_similarity").find_obstacle() is None
    monkeypatch.setattr(embedding_similarity, "EXTRA", "edison_has_no_such_package")
    obstacle = load_scorer("embedding_similarity").find_obstacle()
    assert obstacle == (
        "Embeddings are not installed here. Install them with: "
        'pip install "edison-workbench[embeddings]"'
    )
    scored = await score("embedding_similarity", "Hello", "Hi")
    assert (scored.value, scored.flag, scored.rationale) == (None, Flag.EXTRA_MISSING, obstacle)
    assert (await score("embedding_similarity", "Hi", "Hi")).value == 1
