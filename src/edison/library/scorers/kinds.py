"""The available kinds of scorers."""

from collections.abc import Collection

from edison.library.scorers.schemas.scorers import ScorerKindRead
from edison.pipeline.score.registry import form_of, load_scorer, scorer_kinds
from edison.pipeline.score.scorer import CostClass

# The option that a saved rubric fills.
CRITERIA = "criteria"


def list_kinds() -> list[ScorerKindRead]:
    kinds = []
    for kind in scorer_kinds():
        scorer = load_scorer(kind)
        kinds.append(
            ScorerKindRead(
                kind=kind,
                title=scorer.title,
                description=scorer.description,
                group=scorer.group,
                example=scorer.example,
                cost_class=scorer.cost_class,
                needs_expected=scorer.needs_expected,
                takes_rubric=takes_rubric(kind),
                obstacle=scorer.find_obstacle(),
                options_schema=form_of(kind),
            )
        )
    return kinds


def takes_rubric(kind: str) -> bool:
    return kind in scorer_kinds() and CRITERIA in load_scorer(kind).model_fields


def kinds_costing(cost_class: CostClass) -> Collection[str]:
    return [kind for kind in scorer_kinds() if load_scorer(kind).cost_class is cost_class]
