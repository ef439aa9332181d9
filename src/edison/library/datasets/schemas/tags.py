"""Schemas of the tags of a project's cases."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema
from edison.library.datasets.schemas.datasets import Tag, Tags


class TaggedDataset(Schema):
    """`cases` is the number of its cases with the tag."""

    id: UUID
    name: str
    cases: int


class CaseTagRead(Schema):
    name: str
    cases: int
    datasets: list[TaggedDataset]


class CaseTagChange(Schema):
    """With `replace_by`, the cases get this tag instead: one tag is renamed, several or an existing
    one are merged. Without it, the tags are removed.
    """

    tags: Annotated[Tags, Field(min_length=1)]
    replace_by: Tag | None = None


class CaseTagResult(Schema):
    """How many cases changed, in how many datasets."""

    cases: int
    datasets: int
