"""Builders for refiner inputs."""

from collections.abc import Mapping

from edison.pipeline.refine.exemplars import Exemplar, ScoredOutput
from edison.pipeline.refine.optimizer import EarlierSuggestion, RefinerInput
from edison.pipeline.refine.weakness import TargetCriterion, WeakCriterion
from edison.pipeline.render.prompt_template import PromptTemplate

PROMPT = "You are an agent.\nReply to the customer.\n\nCustomer message:\n{{message}}"

HELP = TargetCriterion(
    key="c1", name="Helpfulness", description="Solves the customer's problem.", weight=0.6
)
TONE = TargetCriterion(key="c2", name="Tone", description="Is friendly", weight=0.4)


def weak(criterion: TargetCriterion, mean: float = 0.42) -> WeakCriterion:
    return WeakCriterion(criterion=criterion, mean=mean)


def scored(
    case: str,
    scores: Mapping[str, float],
    *,
    output: str | None = None,
    tags: tuple[str, ...] = (),
    variant: str = "v",
) -> ScoredOutput:
    return ScoredOutput(
        case=case,
        variant=variant,
        inputs={"message": f"Message {case}"},
        output=f"Answer {case}" if output is None else output,
        expected=f"Expected {case}",
        tags=tags,
        scores=scores,
        rationales={key: f"Because of {key}." for key in scores},
    )


def exemplar(case: str, **scores: float) -> Exemplar:
    keys = sorted(scores, key=lambda key: scores[key])
    return Exemplar(
        output=scored(case, scores),
        weakest=keys[0],
        mean=sum(scores.values()) / len(scores),
    )


def make_situation(
    *,
    text: str = PROMPT,
    iteration: int = 2,
    exemplars: tuple[Exemplar, ...] = (exemplar("1", c1=0.2, c2=0.4), exemplar("2", c1=0.4)),
    history: tuple[EarlierSuggestion, ...] = (),
    criteria: tuple[TargetCriterion, ...] = (HELP, TONE),
) -> RefinerInput:
    return RefinerInput(
        iteration=iteration,
        goal="Help customers.",
        prompt=PromptTemplate(text=text, system="You are polite."),
        criteria=criteria,
        weak=(weak(HELP), weak(TONE, 0.55)),
        exemplars=exemplars,
        history=history,
    )
