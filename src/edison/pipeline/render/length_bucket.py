"""Length of a case's inputs in five buckets, shared by reports, generators and users.

Lengths are in characters of all rendered values together, because words are not comparable across
scripts.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from edison.pipeline.render.values import value_text


class LengthBucket(StrEnum):
    XS = "XS"
    S = "S"
    M = "M"
    L = "L"
    XL = "XL"

    @property
    def shortest(self) -> int:
        return _BOUNDS[self][0]

    @property
    def longest(self) -> int:
        """The last bucket has no upper bound; its value is a reasonable maximum for generators."""
        return _BOUNDS[self][1]


_BOUNDS = {
    LengthBucket.XS: (0, 50),
    LengthBucket.S: (51, 200),
    LengthBucket.M: (201, 800),
    LengthBucket.L: (801, 3_000),
    LengthBucket.XL: (3_001, 8_000),
}


def length_of(inputs: Mapping[str, Any]) -> int:
    return sum(len(value_text(value)) for value in inputs.values())


def bucket_of(length: int) -> LengthBucket:
    for bucket, (_, longest) in _BOUNDS.items():
        if length <= longest:
            return bucket
    return LengthBucket.XL
