"""A panel of judges: all get the same prompt, each verdict is stored, and the score is
their mean.
"""

import asyncio
import json
from typing import Any
from uuid import UUID

import pytest

from edison.kit.errors import Exhausted, Invalid
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed, FailureReason
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.apply import ScorerConfig, configure
from edison.pipeline.score.parse import Malformation
from edison.pipeline.score.registry import form_of
from edison.pipeline.score.rubric import Criterion, Scale, normalised
from edison.pipeline.score.scorer import CriterionScore, Flag, JudgeScore, Scored, Subject
from tests.pipeline.score.scoring import COST_NANOS, ScriptedTools, score
from tests.pipeline.score.test_verdict import BAD

ANN, BEN, CEM = (UUID(int=number) for number in (1, 2, 3))
TONE = {"name": "Tone", "description": "Is friendly and polite.", "weight": 0.25, "scale": "0-5"}
FACTS = {"name": "Facts", "description": "Says nothing wrong.", "weight": 0.75, "scale": "0-10"}
SUBJECT = Subject(text="Your parcel is late.", expected="It comes on Friday.", inputs={"n": 1})
FAILED = CallFailed(
    reason=FailureReason.RATE_LIMIT, message="The provider is busy.", is_retryable=True
)
LOWEST = {name: CriterionScore(value=0.0, raw=0.0) for name in ("Tone", "Facts")}


def verdict(tone: float, facts: float, why: str = "") -> str:
    return json.dumps(
        {"rationales": {"Tone": why, "Facts": ""}, "scores": {"Tone": tone, "Facts": facts}}
    )


def options(*judges: UUID, **more: Any) -> dict[str, Any]:
    return {"judges": [str(judge) for judge in judges], "criteria": [TONE, FACTS], **more}


async def judged(
    *answers: str | CallFailed | Exception,
    judges: tuple[UUID, ...] = (ANN, BEN),
    is_negated: bool = False,
) -> tuple[Scored, ScriptedTools]:
    tools = ScriptedTools(answers=list(answers))
    scored = await score(
        "judge_panel", SUBJECT, options=options(*judges), tools=tools, is_negated=is_negated
    )
    return scored, tools


async def test_the_score_is_the_mean_over_judges_and_each_verdict_is_stored() -> None:
    first, second = verdict(4, 6, "Warm."), verdict(2, 10)
    scored, tools = await judged(first, second)
    assert scored.value == pytest.approx((0.65 + 0.85) / 2)
    assert scored.criteria == {
        "Tone": CriterionScore(value=pytest.approx(0.6), raw=3.0),
        "Facts": CriterionScore(value=0.8, raw=8.0),
    }
    assert scored.judges == {
        str(ANN): JudgeScore(
            model_id=ANN,
            value=pytest.approx(0.65),
            criteria={
                "Tone": CriterionScore(value=0.8, raw=4.0, rationale="Warm."),
                "Facts": CriterionScore(value=0.6, raw=6.0),
            },
            raw=first,
        ),
        str(BEN): JudgeScore(
            model_id=BEN,
            value=pytest.approx(0.85),
            criteria={
                "Tone": CriterionScore(value=0.4, raw=2.0),
                "Facts": CriterionScore(value=1.0, raw=10.0),
            },
            raw=second,
        ),
    }
    assert scored.rationale == (
        "Judge 1\nTone 4/5: Warm.\nFacts 6/10: no reason given\n\n"
        "Judge 2\nTone 2/5: no reason given\nFacts 10/10: no reason given"
    )
    assert (scored.flag, scored.judge_text) == (None, "pointwise-1")
    assert scored.cost_nanos == 2 * COST_NANOS
    asked = [(model, parameters) for model, _, parameters in tools.asked]
    same = Parameters(temperature=0.3, seed=42, max_tokens=4000)
    assert asked == [(ANN, same), (BEN, same)]
    assert tools.asked[0][1] == tools.asked[1][1]


async def test_a_panel_sends_the_same_prompt_as_a_single_judge() -> None:
    _, panel = await judged(verdict(1, 1), judges=(ANN,))
    alone = ScriptedTools(answers=[verdict(1, 1)])
    single = {"model_id": str(ANN), "criteria": [TONE, FACTS]}
    await score("judge", SUBJECT, options=single, tools=alone)
    assert panel.asked == alone.asked


async def test_a_model_that_sits_on_the_panel_twice_is_asked_twice() -> None:
    scored, tools = await judged(verdict(5, 10), verdict(0, 0), judges=(ANN, ANN))
    assert [parameters.seed for _, _, parameters in tools.asked] == [42, 43]
    assert list(scored.judges) == [str(ANN), f"{ANN}#2"]
    assert scored.value == 0.5


async def test_judges_work_at_the_same_time() -> None:
    all_judges = asyncio.Barrier(3)

    class WaitingTools(ScriptedTools):
        async def ask(self, *asked: Any) -> Answer:
            await all_judges.wait()
            return await super().ask(*asked)

    tools = WaitingTools(answers=[verdict(5, 10)] * 3)
    async with asyncio.timeout(5):
        scored = await score("judge_panel", SUBJECT, options=options(ANN, BEN, CEM), tools=tools)
    assert scored.value == 1


@pytest.mark.parametrize("name", BAD)
async def test_a_bad_verdict_is_repaired_once(name: str) -> None:
    bad, problem = BAD[name]
    scored, tools = await judged(bad, verdict(4, 6), verdict(4, 6))
    assert [model for model, _, _ in tools.asked] == [ANN, ANN, BEN]
    assert problem in tools.asked[1][1].messages[2].text
    assert (scored.value, scored.flag) == (pytest.approx(0.65), None)


@pytest.mark.parametrize("name", BAD)
async def test_a_judge_without_a_verdict_counts_as_the_lowest_and_is_flagged(name: str) -> None:
    bad, problem = BAD[name]
    scored, _ = await judged(bad, bad, verdict(4, 6))
    assert (scored.value, scored.flag) == (pytest.approx(0.325), Flag.JUDGE_UNREADABLE)
    assert scored.criteria["Tone"] == CriterionScore(value=0.4, raw=2.0)
    without, sound = scored.judges.values()
    assert (without.value, without.criteria, without.flag) == (0.0, LOWEST, Flag.JUDGE_UNREADABLE)
    assert without.raw == bad[:100_000]
    assert (without.problem or "").startswith(f"The judge's verdict cannot be read. {problem}")
    assert (sound.value, sound.flag) == (pytest.approx(0.65), None)
    assert scored.cost_nanos == 3 * COST_NANOS


async def test_a_judge_that_does_not_answer_counts_as_the_lowest_too() -> None:
    scored, _ = await judged(verdict(4, 6), FAILED)
    assert (scored.value, scored.flag) == (pytest.approx(0.325), Flag.JUDGE_FAILED)
    absent = scored.judges[str(BEN)]
    assert (absent.value, absent.criteria, absent.problem) == (0.0, LOWEST, FAILED.message)
    assert scored.rationale is not None
    assert scored.rationale.endswith("Judge 2\nThe provider is busy.")


async def test_a_panel_without_answers_has_no_value() -> None:
    scored, _ = await judged(FAILED, FAILED)
    assert scored == Scored(
        value=None,
        flag=Flag.JUDGE_FAILED,
        rationale="The provider is busy.",
        cost_nanos=2 * COST_NANOS,
    )


async def test_negation_applies_to_readable_verdicts_only() -> None:
    scored, _ = await judged(verdict(4, 6), "prose", "prose", is_negated=True)
    assert scored.value == pytest.approx(0.35 / 2)
    assert [judge.value for judge in scored.judges.values()] == [pytest.approx(0.35), 0.0]
    assert scored.criteria["Facts"].value == pytest.approx(0.2)
    assert scored.flag is Flag.JUDGE_UNREADABLE


async def test_an_exhausted_budget_lets_the_others_end_and_is_not_the_judges_failure() -> None:
    with pytest.raises(Exhausted):
        await judged(Exhausted("The budget is used up."), verdict(4, 6))
    tools = ScriptedTools(answers=[Exhausted("The budget is used up."), verdict(4, 6)])
    with pytest.raises(Exhausted):
        await score("judge_panel", SUBJECT, options=options(ANN, BEN), tools=tools)
    assert [model for model, _, _ in tools.asked] == [ANN, BEN]


async def test_a_malformed_answer_is_not_worth_a_call() -> None:
    malformed = Subject(text="x", malformed=Malformation.NOT_JSON)
    scored = await score("judge_panel", malformed, options=options(ANN, BEN))
    assert (scored.value, scored.flag, scored.criteria) == (0.0, Flag.MALFORMED, LOWEST)


@pytest.mark.parametrize("count", [0, 6])
def test_a_panel_has_one_to_five_judges(count: int) -> None:
    with pytest.raises(Invalid) as refused:
        configure(ScorerConfig(kind="judge_panel", options=options(*[ANN] * count)))
    assert [(one.field, one.message) for one in refused.value.problems] == [
        ("options.judges", "A panel has 1 to 5 judges.")
    ]


def test_a_panel_lists_its_models_and_its_form_has_a_model_list() -> None:
    configured = configure(ScorerConfig(kind="judge_panel", options=options(ANN, BEN)))
    assert configured.scorer.model_ids == (ANN, BEN)
    judges = form_of("judge_panel")["properties"]["judges"]
    assert judges["items"]["x-choose"] == "model"
    assert (judges["minItems"], judges["maxItems"]) == (1, 5)


@pytest.mark.parametrize("scale", list(Scale))
async def test_every_scale_becomes_a_share_of_its_highest(scale: Scale) -> None:
    tone = TONE | {"scale": scale.value}
    said = {"rationales": {"Tone": ""}, "scores": {"Tone": scale.maximum / 4}}
    scored = await score(
        "judge_panel",
        SUBJECT,
        options=options(ANN, criteria=[tone]),
        tools=ScriptedTools(answers=[json.dumps(said)]),
    )
    assert scored.criteria["Tone"] == CriterionScore(value=0.25, raw=scale.maximum / 4)


@pytest.mark.parametrize(
    ("weights", "wanted"),
    [
        ([0.5, 0.5], None),
        ([0.5, 0.495], None),
        ([0.2, 0.3], [0.4, 0.6]),
        ([1, 1, 1], [0.3334, 0.3333, 0.3333]),
        ([0.9, 0.9, 0], [0.5, 0.5, 0]),
        ([0.001], [1]),
    ],
)
def test_weights_are_scaled_to_1_and_the_change_is_reported(
    weights: list[float], wanted: list[float] | None
) -> None:
    criteria = [
        Criterion(name=f"C {at}", description="Something to see.", weight=weight)
        for at, weight in enumerate(weights)
    ]
    found = normalised(criteria)
    assert found.is_changed == (wanted is not None)
    assert [one.weight for one in found.criteria] == (wanted or weights)
    assert [one.name for one in found.criteria] == [one.name for one in criteria]


async def test_errors_of_the_tools_are_raised_for_any_judge() -> None:
    class RefusingTools(ScriptedTools):
        async def ask(
            self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters
        ) -> Answer:
            if model_id in (ANN, CEM):
                raise Exhausted(f"No money for {model_id.int}.")
            return await super().ask(model_id, prompt, parameters)

    with pytest.raises(Exhausted, match="No money for 1"):
        await score(
            "judge_panel",
            SUBJECT,
            options=options(ANN, BEN, CEM),
            tools=RefusingTools(answers=[verdict(1, 1)]),
        )
