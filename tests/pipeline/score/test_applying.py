"""Rules that apply to every scorer."""

from typing import Any
from uuid import UUID

import pytest

from edison.kit.errors import Exhausted, Invalid
from edison.pipeline.generate.call import Parameters
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.pipeline.score.apply import ConfiguredScorer, ScorerConfig, apply, configure
from edison.pipeline.score.parse import Malformation
from edison.pipeline.score.scorer import (
    CriterionScore,
    Flag,
    Scored,
    Scorer,
    Subject,
    Tools,
)
from tests.pipeline.score.scoring import COST_NANOS, ScriptedTools, score

SUBJECT = Subject(text="yes", expected="yes")


class Fixed(Scorer):
    """Returns a fixed result."""

    given: Any

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        if isinstance(self.given, Exception):
            raise self.given
        assert isinstance(self.given, Scored)
        return self.given


async def applied(
    given: Scored | Exception, *, threshold: float | None = None, is_negated: bool = False
) -> Scored:
    config = ScorerConfig(kind="exact", options={}, threshold=threshold, is_negated=is_negated)
    return await apply(
        ConfiguredScorer(config=config, scorer=Fixed(given=given)), SUBJECT, ScriptedTools()
    )


async def test_a_pass_or_fail_scorer_passes_with_1() -> None:
    assert (await score("exact", "yes", "yes")).is_passed is True
    assert (await score("exact", "no", "yes")).is_passed is False


async def test_a_graded_scorer_passes_only_by_a_threshold() -> None:
    given = Scored(value=0.6)
    assert (await applied(given)).is_passed is None
    assert (await applied(given, threshold=0.6)).is_passed is True
    assert (await applied(given, threshold=0.61)).is_passed is False


async def test_a_rounding_error_misses_no_threshold() -> None:
    assert 0.1 + 0.7 < 0.8
    assert (await applied(Scored(value=0.1 + 0.7), threshold=0.8)).is_passed is True


async def test_negation_turns_values_and_criteria_round_and_leaves_the_raw_value() -> None:
    given = Scored(value=0.25, criteria={"Tone": CriterionScore(value=0.25, raw=1, rationale="x")})
    assert await applied(given, threshold=0.7, is_negated=True) == Scored(
        value=0.75,
        criteria={"Tone": CriterionScore(value=0.75, raw=1, rationale="x")},
        is_passed=True,
    )


async def test_negation_does_not_apply_to_unreadable_verdicts() -> None:
    given = Scored(value=0.0, flag=Flag.JUDGE_UNREADABLE)
    assert (await applied(given, is_negated=True)).value == 0


@pytest.mark.parametrize("is_negated", [False, True])
async def test_a_malformed_answer_counts_as_0(is_negated: bool) -> None:
    subject = Subject(text="yes", expected="yes", malformed=Malformation.NOT_JSON)
    assert await score("exact", subject, is_negated=is_negated) == Scored(
        value=0.0,
        flag=Flag.MALFORMED,
        rationale="The answer is malformed: not_json.",
        is_passed=False,
    )


async def test_without_an_expected_answer_there_is_no_value() -> None:
    assert await score("exact", "yes", is_negated=True) == Scored(
        value=None, flag=Flag.NO_EXPECTED, rationale="The case has no expected answer."
    )


async def test_a_scorer_that_fails_gives_no_value() -> None:
    scored = await applied(ZeroDivisionError("1/0"), threshold=0.5)
    assert scored == Scored(
        value=None, flag=Flag.SCORER_FAILED, rationale="The scorer failed: ZeroDivisionError."
    )


@pytest.mark.parametrize("strange", [-0.01, 1.01, float("nan"), float("inf")])
async def test_a_value_outside_of_0_to_1_is_a_failure(strange: float) -> None:
    assert (await applied(Scored(value=strange))).flag is Flag.SCORER_FAILED
    criteria = {"Tone": CriterionScore(value=strange, raw=0)}
    assert (await applied(Scored(value=0.5, criteria=criteria))).flag is Flag.SCORER_FAILED


class AskingThenFailing(Scorer):
    async def score(self, subject: Subject, tools: Tools) -> Scored:
        prompt = RenderedPrompt(messages=(Message(role="user", text="Is it?"),))
        await tools.ask(UUID(int=1), prompt, Parameters())
        raise ZeroDivisionError


ASKING = ConfiguredScorer(config=ScorerConfig(kind="exact", options={}), scorer=AskingThenFailing())


async def test_errors_of_the_tools_are_raised_to_the_caller() -> None:
    tools = ScriptedTools(answers=[Exhausted("The budget is used up.")])
    with pytest.raises(Exhausted, match="used up"):
        await apply(ASKING, SUBJECT, tools)


async def test_the_cost_of_a_failed_scorer_is_reported() -> None:
    scored = await apply(ASKING, SUBJECT, ScriptedTools(answers=["yes"]))
    assert (scored.value, scored.flag, scored.cost_nanos) == (None, Flag.SCORER_FAILED, COST_NANOS)


@pytest.mark.parametrize(
    ("config", "field", "message"),
    [
        ({"kind": "guess"}, "kind", "There is no such scorer."),
        ({"threshold": 1.2}, "threshold", "A threshold is a number from 0 to 1."),
        ({"threshold": float("nan")}, "threshold", "A threshold is a number from 0 to 1."),
        ({"weight": -1.0}, "weight", "A weight is a number that is not negative."),
        ({"options": {"speed": 1}}, "options.speed", "Extra inputs are not permitted"),
    ],
)
def test_invalid_options_are_refused_by_field(
    config: dict[str, Any], field: str, message: str
) -> None:
    with pytest.raises(Invalid) as refused:
        configure(ScorerConfig(**{"kind": "exact", "options": {}} | config))
    assert [(one.field, one.message) for one in refused.value.problems] == [(field, message)]
