"""How values are spread: histograms and percentiles."""

from collections.abc import Sequence

import numpy as np

from edison.pipeline.aggregate.results import Distribution
from edison.pipeline.aggregate.table import Floats

BINS = 10


def histogram(scores: Floats, *, bins: int = BINS) -> Distribution:
    """Of scores in 0..1, without NaN."""
    known = scores[~np.isnan(scores)]
    edges = np.linspace(0, 1, bins + 1)
    # Means such as 0.3 lie a rounding error beside their edge.
    places = np.clip(np.floor(known * bins + 1e-9).astype(np.int64), 0, bins - 1)
    counts = np.bincount(places, minlength=bins)
    return Distribution(edges=tuple(edges.tolist()), counts=tuple(counts.tolist()))


def percentiles(values: Floats, shares: Sequence[float]) -> tuple[float, ...] | None:
    """Below which value each share lies, by linear interpolation; None of nothing."""
    known = values[~np.isnan(values)]
    if not known.size:
        return None
    return tuple(np.quantile(known, shares).tolist())
