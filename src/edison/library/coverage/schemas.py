"""Schemas of the coverage endpoint."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema


class DimensionKey(StrEnum):
    TAGS = "tags"
    ENTITIES = "entities"
    LENGTH = "length"
    AMBIGUITY = "ambiguity"
    LANGUAGE = "language"
    DIFFICULTY = "difficulty"
    SPLIT = "split"


Share = Annotated[float, Field(ge=0, le=1)]


class BucketRead(Schema):
    """`is_thin`: fewer cases than the dimension's target."""

    value: str
    cases: int
    share: Annotated[Share, Field(description="Of all cases")]
    is_thin: bool


class DimensionRead(Schema):
    """`coverage` is the average share of the target that the buckets reach."""

    key: DimensionKey
    coverage: Share
    target: Annotated[int, Field(description="From this many cases on a bucket is not thin")]
    buckets: list[BucketRead]
    more_buckets: Annotated[int, Field(description="How many buckets are not shown")]
    without: Annotated[int, Field(description="Cases that are in no bucket")]


class CoverageRead(Schema):
    dataset_id: UUID
    cases: int
    dimensions: list[DimensionRead]
    gaps: Annotated[list[str], Field(description="The thinnest buckets in words, thinnest first")]
