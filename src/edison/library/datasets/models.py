"""Tables of datasets, cases, their history, and pending imports.

Every transaction that writes cases first updates the dataset's row, which serialises the writers of
one dataset on both databases.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Dialect,
    ForeignKey,
    Index,
    LargeBinary,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
    Uuid,
)
from sqlalchemy.orm import Mapped, declared_attr, mapped_column
from sqlalchemy.types import TypeDecorator

from edison.db.base import Base, Identified
from edison.library.datasets.fingerprints import DEFAULT_HOLDOUT_PERCENT
from edison.workspace.resources.models import Resource

_KINDS = "('golden', 'synthetic', 'adversarial', 'questions', 'manual')"
# Unlike JSONB, keeps the order of variables and the notation of numbers.
_Json = JSON(none_as_null=True)


class TagList(TypeDecorator[list[str]]):
    """Tags in one text, each between line feeds, so that plain SQL can find, add and remove a tag
    in thousands of rows at once, the same way on both databases.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: list[str] | None, dialect: Dialect) -> str | None:
        return None if value is None else "\n" + "".join(f"{tag}\n" for tag in value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> list[str] | None:
        return None if value is None else value.split("\n")[1:-1]


class Dataset(Resource, Base):
    NOUN = "dataset"

    __tablename__ = "datasets"
    __table_args__ = (
        UniqueConstraint("project_id", "name"),
        CheckConstraint(f"kind IN {_KINDS}", name="kind"),
    )

    kind: Mapped[str] = mapped_column(String(20))
    description: Mapped[str | None] = mapped_column(Text)
    # Of the dataset itself; cases have their own.
    tags: Mapped[list[str]] = mapped_column(TagList, default=list, server_default="\n")
    # Default share of new cases that is held out.
    holdout_percent: Mapped[int] = mapped_column(
        default=DEFAULT_HOLDOUT_PERCENT, server_default=str(DEFAULT_HOLDOUT_PERCENT)
    )
    # Updated by every change of the cases, in its transaction.
    case_count: Mapped[int] = mapped_column(default=0, server_default="0")
    # Never decreases, so a restored case finds its position free.
    next_position: Mapped[int] = mapped_column(default=1, server_default="1")
    # When cases were last sent to a model.
    last_used_at: Mapped[datetime | None]


class CaseColumns:
    """Columns shared by a case and its versions. The long columns come last, so that SQLite need
    not read them to reach the others.
    """

    @declared_attr
    def dataset_id(cls) -> Mapped[UUID]:  # noqa: N805 - SQLAlchemy passes the class
        return mapped_column(ForeignKey("datasets.id", ondelete="CASCADE"), sort_order=-1)

    version: Mapped[int]
    position: Mapped[int]
    split: Mapped[str] = mapped_column(String(10))
    origin: Mapped[str] = mapped_column(String(20))
    difficulty: Mapped[int | None] = mapped_column(SmallInteger)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    # The import or addition the case came with, if any; a pending import may have been deleted.
    import_id: Mapped[UUID | None] = mapped_column(Uuid())

    @declared_attr
    def author_id(cls) -> Mapped[UUID | None]:  # noqa: N805 - SQLAlchemy passes the class
        return mapped_column(ForeignKey("users.id", ondelete="SET NULL"))

    input_hash: Mapped[str] = mapped_column(String(64))
    tags: Mapped[list[str]] = mapped_column(TagList, sort_order=1)
    expected: Mapped[str | None] = mapped_column(Text, sort_order=1)
    notes: Mapped[str | None] = mapped_column(Text, sort_order=1)
    inputs: Mapped[dict[str, Any]] = mapped_column(_Json, sort_order=1)
    # Normalised, for search.
    text: Mapped[str] = mapped_column(Text, deferred=True, sort_order=1)


class Case(CaseColumns, Base):
    """`version` increases with every change; `author_id` wrote the current one, at `updated_at`."""

    __tablename__ = "cases"
    __table_args__ = (
        # Serves lists in this order; includes the columns they filter by.
        Index("ix_cases_list", "dataset_id", "position", "id", "split", "origin", "difficulty"),
        Index(None, "dataset_id", "input_hash"),
        Index(None, "dataset_id", "updated_at", "id"),
        CheckConstraint("difficulty BETWEEN 1 AND 5", name="difficulty_in_range"),
        CheckConstraint("split IN ('train', 'holdout')", name="split"),
        CheckConstraint(f"origin IN {_KINDS}", name="origin"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-2)


class CaseVersion(CaseColumns, Base):
    """A case before it was changed or deleted. Immutable.

    `change_id` is the bulk change that ended this version, for undo. No foreign key to the case,
    which may have been deleted.
    """

    __tablename__ = "case_versions"
    __table_args__ = (Index(None, "dataset_id", "change_id"),)

    case_id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-3)
    version: Mapped[int] = mapped_column(primary_key=True, sort_order=-2)
    change_id: Mapped[UUID | None] = mapped_column(Uuid())


class BulkChange(Base):
    """The last bulk change while it can be undone: one per dataset."""

    __tablename__ = "bulk_changes"

    dataset_id: Mapped[UUID] = mapped_column(
        ForeignKey("datasets.id", ondelete="CASCADE"), primary_key=True
    )
    change_id: Mapped[UUID] = mapped_column(Uuid())
    action: Mapped[str] = mapped_column(String(20))
    count: Mapped[int]
    author_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[datetime]


class CaseImport(Identified, Base):
    """An uploaded file that can be mapped, committed or abandoned.

    Stored in the database, because the next request may reach another server process.
    """

    __tablename__ = "case_imports"
    __table_args__ = (
        Index(None, "dataset_id"),
        Index(None, "expires_at"),
        CheckConstraint("state IN ('uploading', 'pending', 'committed')", name="state"),
    )

    dataset_id: Mapped[UUID] = mapped_column(ForeignKey("datasets.id", ondelete="CASCADE"))
    author_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    filename: Mapped[str] = mapped_column(String(200))
    state: Mapped[str] = mapped_column(String(20))
    size_bytes: Mapped[int]
    # How the file is read, and the result; None until known.
    preview: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    result: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class CaseImportBlock(Base):
    """A block of an uploaded file."""

    __tablename__ = "case_import_blocks"

    import_id: Mapped[UUID] = mapped_column(
        ForeignKey("case_imports.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)
