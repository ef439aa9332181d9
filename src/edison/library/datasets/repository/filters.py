"""SQL conditions that select cases by filter, search or id."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import ColumnElement, Text, func, type_coerce
from sqlalchemy.orm import InstrumentedAttribute

from edison.library.datasets.fingerprints import normalise
from edison.library.datasets.models import Case
from edison.library.datasets.schemas.datasets import CaseFilter

Condition = ColumnElement[bool]


def matching(dataset_id: UUID, wanted: CaseFilter, *, q: str | None) -> list[Condition]:
    """The dataset's condition comes first; alone it selects all of its cases."""
    conditions: list[Condition] = [Case.dataset_id == dataset_id]
    if q is not None and (searched := normalise(q)):
        conditions.append(Case.text.contains(searched, autoescape=True))
    if wanted.tag is not None:
        conditions.append(has_tag(wanted.tag))
    if wanted.split is not None:
        conditions.append(Case.split == wanted.split)
    if wanted.difficulty is not None:
        conditions.append(Case.difficulty == wanted.difficulty)
    if wanted.origin is not None:
        conditions.append(Case.origin == wanted.origin)
    if wanted.has_expected is not None:
        has_none = Case.expected.is_(None)
        conditions.append(~has_none if wanted.has_expected else has_none)
    return conditions


def with_ids(dataset_id: UUID, ids: Sequence[UUID]) -> list[Condition]:
    return [Case.dataset_id == dataset_id, Case.id.in_(ids)]


def has_tag(tag: str, tags: InstrumentedAttribute[list[str]] = Case.tags) -> Condition:
    """Exact match; `LIKE` would be case insensitive on SQLite."""
    return tag_text(tags) != without_tag(tag_text(tags), tag)


def tag_text(tags: InstrumentedAttribute[list[str]] = Case.tags) -> ColumnElement[str]:
    """The tags as stored."""
    return type_coerce(tags, Text)


def with_tag(tag: str) -> ColumnElement[str]:
    return tag_text() + f"{tag}\n"


def without_tag(text: ColumnElement[str], tag: str) -> ColumnElement[str]:
    return func.replace(text, f"\n{tag}\n", "\n", type_=Text)


def count_tags() -> ColumnElement[int]:
    return func.length(tag_text()) - func.length(func.replace(tag_text(), "\n", "")) - 1
