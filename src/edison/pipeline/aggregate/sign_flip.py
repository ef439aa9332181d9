"""The paired test behind every "better" and "worse": would chance alone, turning the sign of each
case's difference, get as far from zero?

It assumes nothing about how scores are distributed. With few cases all signs are tried and the
p-value is exact; otherwise random ones, counting the data among them, so that it is never 0.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from edison.pipeline.aggregate.table import Floats

FLIPS = 9_999
SEED = 42
_MOST_ENUMERATED = 13
_BLOCK = 4_000_000
# Sums of scores that are equal on paper differ by a rounding error.
_ROUNDING = 1e-6


def sign_flip_p_values(differences: Floats, *, flips: int = FLIPS, seed: int = SEED) -> Floats:
    """Two-sided, of every column; rows are cases. NaN is a case that a column does not have; a
    column without any case has no p-value, which is NaN too.
    """
    has_value = ~np.isnan(differences)
    values = np.where(has_value, differences, 0)
    # Cases that differ nowhere change no sum, and without them more can be enumerated.
    values = values[np.any(values != 0, axis=1)]
    total = values.sum(axis=0)
    tolerance = _ROUNDING * np.abs(values).sum(axis=0)
    is_exact = len(values) <= _MOST_ENUMERATED
    signs = _all_signs(len(values)) if is_exact else _random_signs(len(values), flips, seed)
    single = values.astype(np.float32)
    tried = np.zeros(len(total))
    extreme = np.zeros(len(total))
    for is_kept in signs:
        sums = 2 * (is_kept @ single) - total
        extreme += (np.abs(sums) >= np.abs(total) - tolerance).sum(axis=0)
        tried += len(is_kept)
    p_values = extreme / tried if is_exact else (extreme + 1) / (tried + 1)
    return np.where(has_value.any(axis=0), p_values, np.nan)


def _all_signs(cases: int) -> Iterator[NDArray[np.float32]]:
    numbers = np.arange(2**cases, dtype=np.int64)[:, None]
    yield ((numbers >> np.arange(cases)) & 1).astype(np.float32)


def _random_signs(cases: int, flips: int, seed: int) -> Iterator[NDArray[np.float32]]:
    """1 where a difference keeps its sign and 0 where it is turned."""
    random = np.random.Generator(np.random.SFC64(seed))
    rows = max(1, _BLOCK // cases)
    for start in range(0, flips, rows):
        count = min(rows, flips - start)
        raw = np.frombuffer(random.bytes(count * ((cases + 7) // 8)), dtype=np.uint8)
        yield np.unpackbits(raw.reshape(count, -1), axis=1, count=cases).astype(np.float32)
