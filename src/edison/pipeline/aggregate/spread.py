"""Histograms and percentiles."""

from collections.abc import Sequence

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.results import Distribution
from edison.pipeline.aggregate.table import Floats

BINS = 10


def histogram(scores: Floats, *, bins: int = BINS) -> Distribution:
    """Histogram of scores in 0..1, ignoring NaN."""
    known = scores[~np.isnan(scores)]
    edges = np.linspace(0, 1, bins + 1)
    # Means such as 0.3 can miss a bin edge by a rounding error.
    places = np.clip(np.floor(known * bins + 1e-9).astype(np.int64), 0, bins - 1)
    counts = np.bincount(places, minlength=bins)
    return Distribution(edges=tuple(edges.tolist()), counts=tuple(counts.tolist()))


def percentiles(values: Floats, shares: Sequence[float]) -> tuple[float, ...] | None:
    """Percentiles by linear interpolation; None without values."""
    known = values[~np.isnan(values)]
    if not known.size:
        return None
    return tuple(np.quantile(known, shares).tolist())
