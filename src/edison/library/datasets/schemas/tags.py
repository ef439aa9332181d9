"""Schemas of the tags of a project's datasets and cases."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema
from edison.library.datasets.schemas.datasets import Tag, Tags


class TaggedDataset(Schema):
    """`cases` is the number of its cases with the tag; `is_tagged`: the dataset itself has it."""

    id: UUID
    name: str
    cases: int
    is_tagged: bool


class CaseTagRead(Schema):
    name: str
    cases: int
    datasets: list[TaggedDataset]


class CaseTagChange(Schema):
    """With `replace_by`, datasets and cases get this tag instead: one tag is renamed, several or an
    existing one are merged. Without it, the tags are removed.
    """

    tags: Annotated[Tags, Field(min_length=1)]
    replace_by: Tag | None = None


class CaseTagResult(Schema):
    """How many cases changed, and in how many datasets the tags or those of cases did."""

    cases: int
    datasets: int
