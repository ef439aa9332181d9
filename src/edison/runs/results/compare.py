"""Compares two runs case by case."""

import itertools
from collections.abc import Sequence

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.compare import Pair, compare_pairs, compare_so_far
from edison.pipeline.aggregate.gaps import Gap, comparable
from edison.pipeline.aggregate.power import ALPHA
from edison.pipeline.aggregate.results import VariantComparison
from edison.pipeline.aggregate.table import Floats, Ints
from edison.runs.read.schemas import RunVariantRead
from edison.runs.results.digest import Digest

# Smaller differences are rounding errors.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """A case in both runs: its positions and its composite scores."""

    baseline_position: int
    position: int
    baseline_score: float
    score: float

    @property
    def difference(self) -> float:
        difference = self.score - self.baseline_score
        return difference if abs(difference) >= _ROUNDING else 0.0


def shared_cases(baseline: Digest, other: Digest) -> Ints:
    """Array of position pairs of the cases that both runs have."""
    place = {key: at for at, key in enumerate(other.case_keys)}
    shared = [(at, place[key]) for at, key in enumerate(baseline.case_keys) if key in place]
    return np.array(shared, dtype=np.int64).reshape(-1, 2)


def compare_digests(
    baseline: Digest, other: Digest, pairs: Sequence[tuple[int, int]], *, is_complete: bool = True
) -> tuple[VariantComparison, ...]:
    """Compares each pair of variants, the baseline's first. There is no verdict unless both runs
    are complete.
    """
    rows = shared_cases(baseline, other)
    before, after = rows[:, 0], rows[:, 1]
    found = [
        Pair(
            baseline=str(first),
            other=str(second),
            baseline_scores=_comparable(baseline)[before, first],
            other_scores=_comparable(other)[after, second],
            baseline_gaps=baseline.gaps[before, first],
            other_gaps=other.gaps[after, second],
        )
        for first, second in pairs
    ]
    return compare_pairs(found) if is_complete else compare_so_far(found, planned_cases=len(rows))


def compare_variants(digest: Digest) -> tuple[VariantComparison, ...]:
    """Compares all pairs of variants of an incomplete run."""
    places = range(digest.composites.shape[1])
    pairs = list(itertools.combinations(places, 2))
    return compare_digests(digest, digest, pairs, is_complete=False)


def _comparable(digest: Digest) -> Floats:
    return comparable(digest.composites, digest.gaps)


def compare_overall(
    baseline: Digest,
    other: Digest,
    pairs: Sequence[tuple[int, int]],
    *,
    is_complete: bool = True,
    alpha: float = ALPHA,
) -> VariantComparison:
    """One comparison over all pairs of variants: each case has the mean over the pairs scored in
    both runs.
    """
    rows = shared_cases(baseline, other)
    firsts, seconds = [first for first, _ in pairs], [second for _, second in pairs]
    before = _comparable(baseline)[rows[:, [0]], firsts]
    after = _comparable(other)[rows[:, [1]], seconds]
    both = ~np.isnan(before + after)
    is_missing = ~both.any(axis=1)
    with np.errstate(invalid="ignore"):
        means = [np.where(both, each, 0).sum(axis=1) / both.sum(axis=1) for each in (before, after)]
    gaps = [baseline.gaps[rows[:, [0]], firsts], other.gaps[rows[:, [1]], seconds]]
    found = Pair(
        baseline="0",
        other="0",
        baseline_scores=means[0],
        other_scores=means[1],
        baseline_gaps=np.where(is_missing, gaps[0].max(axis=1), Gap.NONE),
        other_gaps=np.where(is_missing, gaps[1].max(axis=1), Gap.NONE),
    )
    (comparison,) = (
        compare_pairs([found], alpha=alpha)
        if is_complete
        else compare_so_far([found], planned_cases=len(rows), alpha=alpha)
    )
    return comparison


def pair_up(
    baseline: Digest, other: Digest, pairs: Sequence[tuple[int, int]]
) -> tuple[Floats, Floats]:
    """Composite scores of the shared cases, in the order of the other run, averaged over all pairs
    of variants; NaN where a score is missing.
    """
    rows = shared_cases(baseline, other)
    rows = rows[np.argsort(rows[:, 1])]
    before = baseline.composites[rows[:, [0]], [first for first, _ in pairs]]
    after = other.composites[rows[:, [1]], [second for _, second in pairs]]
    return before.mean(axis=1), after.mean(axis=1)


def list_deltas(baseline: Digest, other: Digest, pair: tuple[int, int]) -> list[Delta]:
    """The cases scored in both runs, largest loss first."""
    rows = shared_cases(baseline, other)
    before = baseline.composites[rows[:, 0], pair[0]]
    after = other.composites[rows[:, 1], pair[1]]
    found = [
        Delta(
            baseline_position=int(rows[at, 0]),
            position=int(rows[at, 1]),
            baseline_score=float(before[at]),
            score=float(after[at]),
        )
        for at in np.flatnonzero(~np.isnan(after - before))
    ]
    return sorted(found, key=lambda delta: (delta.difference, delta.position))


def match_variants(
    baseline: Sequence[RunVariantRead], other: Sequence[RunVariantRead]
) -> list[tuple[int, int]]:
    """Matches variants of two runs: identical ones first, then by model and parameters, then by
    prompt. Two single variants always match.
    """
    pairs: list[tuple[int, int]] = []
    left, right = list(baseline), list(other)
    for alike in (_is_same, _has_same_model, _has_same_prompt):
        for one in list(left):
            match = next((each for each in right if alike(one, each)), None)
            if match is not None:
                pairs.append((one.position, match.position))
                left.remove(one)
                right.remove(match)
    if not pairs and len(baseline) == len(other) == 1:
        return [(baseline[0].position, other[0].position)]
    return sorted(pairs)


def _is_same(one: RunVariantRead, other: RunVariantRead) -> bool:
    return _has_same_model(one, other) and (
        (one.prompt_name, one.version_label, one.prompt_id)
        == (other.prompt_name, other.version_label, other.prompt_id)
    )


def _has_same_model(one: RunVariantRead, other: RunVariantRead) -> bool:
    return (one.provider, one.model_name, one.parameters) == (
        other.provider,
        other.model_name,
        other.parameters,
    )


def _has_same_prompt(one: RunVariantRead, other: RunVariantRead) -> bool:
    return (one.prompt_name, one.prompt_id) == (other.prompt_name, other.prompt_id)
