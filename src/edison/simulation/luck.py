"""Seeded random numbers by hashing. Unlike `random` and `hash()`, identical in every process and
version.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from math import sqrt
from statistics import NormalDist
from struct import unpack
from typing import TypeVar

Item = TypeVar("Item")

_NORMAL = NormalDist()
_SHARED = sqrt(0.5)


def uniforms(*parts: object) -> tuple[float, ...]:
    """Sixteen independent numbers strictly between 0 and 1."""
    digest = blake2b("\x1f".join(map(str, parts)).encode(), digest_size=64).digest()
    return tuple((number + 0.5) / 4294967296 for number in unpack("<16I", digest))


def uniform(*parts: object) -> float:
    digest = blake2b("\x1f".join(map(str, parts)).encode(), digest_size=4).digest()
    return (int.from_bytes(digest, "little") + 0.5) / 4294967296


def normal(*parts: object) -> float:
    return _NORMAL.inv_cdf(uniform(*parts))


@lru_cache(maxsize=65536)
def threshold(probability: float) -> float:
    """Quantile of the standard normal distribution."""
    return _NORMAL.inv_cdf(probability)


def blended(*, case: Sequence[object], prompt: Sequence[object]) -> tuple[float, ...]:
    """Sixteen standard normal numbers; half of their variance depends only on the case and is the
    same for every prompt, so that paired comparisons of prompts have more power, as with real
    models.
    """
    return tuple(
        _SHARED * (_NORMAL.inv_cdf(shared) + _NORMAL.inv_cdf(own))
        for shared, own in zip(uniforms("case", *case), uniforms("prompt", *prompt), strict=True)
    )


def pick(items: Sequence[Item], *parts: object) -> Item:
    return items[int(uniform(*parts) * len(items))]


def shuffled(items: Sequence[Item], *parts: object) -> list[Item]:
    order = sorted(range(len(items)), key=lambda index: uniform(index, *parts))
    return [items[index] for index in order]
