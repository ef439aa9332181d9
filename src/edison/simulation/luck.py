"""Seeded chance. Hashes instead of `random` and `hash()`: the same in every process and forever."""

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
    """Below which a standard normal number falls with this probability."""
    return _NORMAL.inv_cdf(probability)


def blended(*, case: Sequence[object], prompt: Sequence[object]) -> tuple[float, ...]:
    """Sixteen standard normal numbers; half of their variance is the case's and the same for every
    prompt, so that comparing two prompts case by case is worth while, as with real models.
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
