"""What to do with what an experiment has shown: which model to take, and what is left to do."""

from collections.abc import Collection, Sequence

from edison.loops.experiments.models import Experiment
from edison.loops.experiments.reports.files import wording
from edison.loops.experiments.schemas.experiments import BestRead
from edison.loops.experiments.schemas.iterations import IterationMetrics, VariantMetrics
from edison.loops.experiments.schemas.reports import RecommendedModel, WeaknessRead
from edison.pipeline.aggregate.advice import find_cheaper
from edison.pipeline.aggregate.results import Verdict
from edison.pipeline.refine.choose import GateState
from edison.runs.results.schemas.statistics import ComparisonVerdict, EquivalenceRead, MeanRead

# From here on a criterion is no weakness.
FINE = 0.9
MOST_WEAKNESSES = 3
FEW_CASES = 20


def recommend_model(
    metrics: IterationMetrics | None,
    comparisons: Sequence[ComparisonVerdict],
    pruned: Collection[str] = (),
) -> RecommendedModel | None:
    """The best; or, of those that are proven to be as good, one that costs less. That nothing
    shows a difference is not enough: with few cases nothing ever does. Variants that a comparison
    calls worse are never recommended, nor are `pruned` ones, given by their keys. None if that
    leaves no variant.
    """
    if metrics is None:
        return None
    scored = [
        (at, each)
        for at, each in enumerate(metrics.variants)
        if _score(each).value is not None and each.key not in pruned
    ]
    kept = {at for at, _ in scored}
    worse = _list_worse([each for each in comparisons if {each.baseline, each.other} <= kept])
    scored = [(at, each) for at, each in scored if at not in worse]
    if not scored:
        return None
    top_at, top = max(scored, key=lambda pair: _value(pair[1]))
    proofs = {
        each.key: proof
        for at, each in scored
        if at != top_at and (proof := _find_proof(at, top_at, comparisons)) is not None
    }
    costs = {each.key: each.cost_per_answer_usd for _, each in scored}
    cheaper = find_cheaper(top.key, costs, proofs)
    chosen = next((each for _, each in scored if each.key == cheaper), top)
    return RecommendedModel(
        label=chosen.label,
        model_id=chosen.model_id,
        model_name=chosen.model_name,
        score=_score(chosen),
        cost_per_answer_usd=chosen.cost_per_answer_usd,
        parameters=chosen.parameters,
        reasons=_reasons(chosen, top, proofs.get(chosen.key), len(kept))
        + _doubts(chosen, metrics.variants, comparisons, kept),
    )


def _list_worse(comparisons: Sequence[ComparisonVerdict]) -> set[int]:
    """Positions of variants that are worse than another one."""
    return {
        each.other if each.verdict is Verdict.WORSE else each.baseline
        for each in comparisons
        if each.verdict in (Verdict.WORSE, Verdict.BETTER)
    }


def _doubts(
    chosen: VariantMetrics,
    variants: Sequence[VariantMetrics],
    comparisons: Sequence[ComparisonVerdict],
    kept: Collection[int],
) -> list[str]:
    """That the evidence does not separate it from others."""
    own = variants.index(chosen)
    rivals = [
        variants[each.other if each.baseline == own else each.baseline].model_name
        for each in comparisons
        if own in (each.baseline, each.other)
        and {each.baseline, each.other} <= set(kept)
        and each.verdict not in (Verdict.WORSE, Verdict.BETTER)
        and (each.equivalence is None or not _is_equal(each.equivalence))
    ]
    if not rivals:
        return []
    return [f"Not enough evidence that it differs from {' and '.join(rivals)}."]


def _is_equal(found: EquivalenceRead) -> bool:
    return found.baseline_is_as_good and found.other_is_as_good


def _score(variant: VariantMetrics) -> MeanRead:
    held = variant.holdout
    return variant.train if held is None or held.value is None else held


def _value(variant: VariantMetrics) -> float:
    return _score(variant).value or 0.0


def _find_proof(
    other: int, top: int, comparisons: Sequence[ComparisonVerdict]
) -> EquivalenceRead | None:
    """That it is as good as the best; None when nothing proves it."""
    for each in comparisons:
        if {each.baseline, each.other} != {top, other} or each.equivalence is None:
            continue
        found = each.equivalence
        is_as_good = found.other_is_as_good if each.other == other else found.baseline_is_as_good
        return found if is_as_good else None
    return None


def _reasons(
    chosen: VariantMetrics, top: VariantMetrics, proof: EquivalenceRead | None, count: int
) -> list[str]:
    if count == 1:
        return ["The only variant tested."]
    if chosen is top or proof is None:
        reasons = [f"Highest score of {count} variants: {10 * _value(top):.1f}/10."]
    else:
        reasons = [
            f"As good as {top.label} ({10 * _value(chosen):.1f}/10 against "
            f"{10 * _value(top):.1f}/10) at a lower cost.",
            proof.reason,
        ]
    if chosen.cost_per_answer_usd is not None:
        reasons.append(f"Cost per answer: {wording.usd(chosen.cost_per_answer_usd)}.")
    if chosen.failed:
        reasons.append(f"{chosen.failed} of its answers failed.")
    return reasons


def list_weaknesses(metrics: IterationMetrics | None) -> list[WeaknessRead]:
    """Criteria on which the best version still loses most, by what they weigh."""
    if metrics is None:
        return []
    weak = [
        (each.weight * (1 - each.mean), each.name, each.mean)
        for each in metrics.criteria
        if each.mean is not None and each.mean < FINE
    ]
    total = sum(each.weight for each in metrics.criteria) or 1.0
    return [
        WeaknessRead(
            name=name,
            mean=mean,
            message=f"{name}: {10 * mean:.1f}/10, costs {10 * loss / total:.1f} points.",
        )
        for loss, name, mean in sorted(weak, reverse=True)[:MOST_WEAKNESSES]
    ]


def list_next_steps(
    experiment: Experiment,
    best: BestRead | None,
    metrics: IterationMetrics | None,
    weaknesses: Sequence[WeaknessRead],
) -> list[str]:
    if best is None or metrics is None:
        return ["Run an iteration with working judges."]
    steps = []
    gate = best.gate
    if metrics.against_first is not None and metrics.against_first.verdict is Verdict.BETTER:
        steps.append(f"Mark {best.version_label} as the production version.")
    elif gate.state is GateState.FAILED:
        steps.append(
            f"Keep {best.version_label}, or test {gate.version_label} on more held-out cases: "
            "there is not enough evidence that it is better."
        )
    steps += [each for each in best.warnings if gate.state is not GateState.NO_CASES]
    if metrics.holdout is None:
        steps.append("Add held-out cases: without them the score may be overfitted.")
    elif metrics.holdout.cases < FEW_CASES:
        steps.append(
            f"Only {metrics.holdout.cases} held-out cases; add more to detect smaller differences."
        )
    if weaknesses:
        steps.append(f"Review the answers with the lowest scores on {weaknesses[0].name}.")
    if metrics.failed:
        steps.append(f"Find out why {metrics.failed} answers failed.")
    if metrics.safety_findings:
        steps.append(f"Review the {metrics.safety_findings} answers with safety findings.")
    if experiment.stop_reason == "converged":
        steps.append("Changes no longer help: try other models or a more detailed rubric.")
    return steps
