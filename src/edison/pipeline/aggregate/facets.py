"""Composites by properties of cases: tag, length, difficulty."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from edison.pipeline.aggregate.estimate import estimate_means
from edison.pipeline.aggregate.results import FacetCell, FacetKind
from edison.pipeline.aggregate.table import Floats, TableCase, TableVariant
from edison.pipeline.render.length_bucket import LengthBucket

SMALL = 5
# Fewer resamples, because there are many cells and a heat map needs only two digits.
_RESAMPLES = 1_000

_LENGTHS = list(LengthBucket)


def facet_cells(
    cases: Sequence[TableCase], variants: Sequence[TableVariant], composite: Floats
) -> tuple[FacetCell, ...]:
    """Tags by name, lengths from short to long, difficulties from easy to hard; each with all
    variants, including those without a score.
    """
    return tuple(
        FacetCell(
            kind=kind,
            facet=facet,
            variant=variant.key,
            composite=estimate,
            is_small=estimate.cases < SMALL,
        )
        for kind, facet, places in _facets(cases)
        for variant, estimate in zip(
            variants, estimate_means(composite[places], resamples=_RESAMPLES), strict=True
        )
    )


def _facets(cases: Sequence[TableCase]) -> Iterator[tuple[FacetKind, str, Sequence[int]]]:
    tags: dict[str, list[int]] = defaultdict(list)
    lengths: dict[LengthBucket, list[int]] = defaultdict(list)
    difficulties: dict[int, list[int]] = defaultdict(list)
    for place, case in enumerate(cases):
        for tag in set(case.tags):
            tags[tag].append(place)
        if case.length is not None:
            lengths[case.length].append(place)
        if case.difficulty is not None:
            difficulties[case.difficulty].append(place)
    for tag in sorted(tags):
        yield FacetKind.TAG, tag, tags[tag]
    for length in sorted(lengths, key=_LENGTHS.index):
        yield FacetKind.LENGTH, length, lengths[length]
    for difficulty in sorted(difficulties):
        yield FacetKind.DIFFICULTY, str(difficulty), difficulties[difficulty]
