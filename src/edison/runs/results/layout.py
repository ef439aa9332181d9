"""The raters and criteria of a run's score table.

A scorer with a rubric has one criterion per rubric criterion; any other scorer is one criterion.
Judges with the same rubric and weight share its criteria, so that their scores can be compared.
Additional values of a scorer, such as the parts of a custom one, are criteria of weight 0.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass
from edison.library.models.names import NamedModel
from edison.pipeline.aggregate.table import TableCriterion, TableScorer
from edison.pipeline.score.registry import load_scorer
from edison.pipeline.score.scorer import CostClass
from edison.pipeline.score.seats import name_seat
from edison.runs.read.schemas import RunScorerRead
from edison.runs.results.schemas.statistics import RaterKind

Models = Mapping[UUID, NamedModel]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rater:
    key: str
    label: str
    kind: RaterKind
    scorer: int | None = None
    family: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidCriterion:
    """`weight` is the weight in the composite; `scorers` are the positions of its scorers."""

    key: str
    name: str
    weight: float
    scorers: tuple[int, ...]


RULE = Rater(key="rule", label="Malformed", kind=RaterKind.RULE)
# The criterion of a run without scorers: malformed answers score 0.
WELL_FORMED = LaidCriterion(key="rule", name="Well-formed", weight=1.0, scorers=())


@dataclass(kw_only=True, slots=True)
class ResultLayout:
    """Grows while rows are read: panel judges, human raters and custom parts are found in the
    scores.
    """

    models: Models
    raters: dict[str, Rater] = field(default_factory=dict)
    criteria: dict[str, LaidCriterion] = field(default_factory=dict)
    # Criterion keys by name, for each scorer; None for a scorer without a rubric.
    rubrics: dict[int, dict[str, str] | None] = field(default_factory=dict)
    # Indexes of raters and criteria in the table.
    rater_places: dict[str, int] = field(default_factory=dict)
    criterion_places: dict[str, int] = field(default_factory=dict)

    def place_rater(self, rater: Rater) -> int:
        self.raters.setdefault(rater.key, rater)
        return self.rater_places.setdefault(rater.key, len(self.rater_places))

    def place_judge(self, scorer: int, label: str, model_id: str) -> int:
        """The index of a panel judge."""
        key = f"s{scorer}:{label}"
        known = self.rater_places.get(key)
        if known is not None:
            return known
        model = self.models.get(UUID(model_id))
        return self.place_rater(
            Rater(
                key=key,
                label=name_seat(label, model and model.name),
                kind=RaterKind.JUDGE,
                scorer=scorer,
                family=None if model is None else model.provider_model,
            )
        )

    def place_criterion(self, criterion: LaidCriterion) -> int:
        self.criteria.setdefault(criterion.key, criterion)
        return self.criterion_places.setdefault(criterion.key, len(self.criterion_places))

    def place_named(self, name: str) -> int | None:
        """The index of the weighted criterion with this name, as used in human scores; None unless
        unique.
        """
        keys = [
            each.key
            for each in self.criteria.values()
            if each.name.casefold() == name.casefold() and each.weight
        ]
        return self.criterion_places[keys[0]] if len(keys) == 1 else None

    def table_scorers(self) -> tuple[TableScorer, ...]:
        return tuple(
            TableScorer(
                key=rater.key,
                family=rater.family,
                is_judge=rater.kind is RaterKind.JUDGE,
                is_human=rater.kind is RaterKind.PERSON,
            )
            for rater in self.raters.values()
        )

    def table_criteria(self) -> tuple[TableCriterion, ...]:
        return tuple(
            TableCriterion(key=each.key, weight=each.weight) for each in self.criteria.values()
        )


def judge_models(scorers: Sequence[RunScorerRead]) -> set[UUID]:
    """The models that the run's scorers call."""
    return {
        UUID(str(model_id))
        for scorer in scorers
        for model_id in (scorer.options.get("model_id"), *scorer.options.get("judges", ()))
        if model_id is not None
    }


def lay_out(scorers: Sequence[RunScorerRead], models: Models) -> ResultLayout:
    layout = ResultLayout(models=models)
    groups: dict[str, list[RunScorerRead]] = {}
    for scorer in scorers:
        layout.place_rater(_rater(scorer, models))
        groups.setdefault(_group(scorer), []).append(scorer)
    for members in groups.values():
        _add_criteria(layout, members)
    layout.place_rater(RULE)
    return layout


def _rater(scorer: RunScorerRead, models: Models) -> Rater:
    model_id = scorer.options.get("model_id")
    model = None if model_id is None else models.get(UUID(str(model_id)))
    asks = load_scorer(scorer.kind).cost_class is CostClass.LLM_CALL
    # The judges of a panel are separate raters.
    is_judge = asks and "judges" not in scorer.options
    return Rater(
        key=f"s{scorer.position}",
        label=scorer.label,
        kind=RaterKind.JUDGE if is_judge else RaterKind.SCORER,
        scorer=scorer.position,
        family=None if model is None else model.provider_model,
    )


def _rubric(scorer: RunScorerRead) -> Sequence[Mapping[str, Any]]:
    return scorer.options.get("criteria") or ()


def _group(scorer: RunScorerRead) -> str:
    if not (rubric := _rubric(scorer)):
        return f"s{scorer.position}"
    return json.dumps([rubric, scorer.weight, scorer.is_negated], sort_keys=True)


def _add_criteria(layout: ResultLayout, members: Sequence[RunScorerRead]) -> None:
    first = members[0]
    places = tuple(member.position for member in members)
    weight = first.weight * len(members)
    rubric = _rubric(first)
    if not rubric:
        key = f"s{first.position}"
        layout.place_criterion(
            LaidCriterion(key=key, name=first.label, weight=weight, scorers=places)
        )
        layout.rubrics[first.position] = None
        return
    total = sum(each.get("weight", 1.0) for each in rubric)
    names = {each["name"]: f"s{first.position}.{at}" for at, each in enumerate(rubric)}
    for each in rubric:
        layout.place_criterion(
            LaidCriterion(
                key=names[each["name"]],
                name=each["name"],
                weight=weight * each.get("weight", 1.0) / total,
                scorers=places,
            )
        )
    for place in places:
        layout.rubrics[place] = names
