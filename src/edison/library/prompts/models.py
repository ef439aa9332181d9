"""Tables of prompts, drafts and versions."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, JsonColumn
from edison.workspace.resources.models import LONGEST_NAME, Resource, Version


class PromptKind(StrEnum):
    GENERATOR = "generator"
    GRADER = "grader"


class VersionOrigin(StrEnum):
    """What created a version: a run of a changed draft, a user, a new name, or an accepted
    suggestion.
    """

    RUN = "run"
    MANUAL = "manual"
    RENAME = "rename"
    SUGGESTION = "suggestion"


_SYNTAX_IS_KNOWN = "syntax IN ('double', 'single', 'nunjucks')"


class Prompt(Resource, Base):
    """Archived prompts keep their name, so they can still be fetched by it."""

    NOUN = "prompt"

    __tablename__ = "prompts"
    __table_args__ = (
        UniqueConstraint("project_id", "name"),
        Index(None, "project_id", "updated_at", "id"),
        CheckConstraint("kind IN ('generator', 'grader')", name="kind"),
    )

    kind: Mapped[str] = mapped_column(String(20))
    description: Mapped[str | None] = mapped_column(Text)


class PromptColumns:
    """Contents of a prompt. `few_shots` holds `{"user", "assistant"}`, `tools` holds `{"name",
    "description", "parameters"}`.
    """

    syntax: Mapped[str] = mapped_column(String(10))
    system: Mapped[str | None] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
    few_shots: Mapped[list[dict[str, Any]]] = mapped_column(JsonColumn)
    tools: Mapped[list[dict[str, Any]]] = mapped_column(JsonColumn)


class PromptVersion(Version, PromptColumns, Base):
    """Immutable except for `is_production`.

    `sequence` counts all versions of the prompt. `number` is the displayed one (`v6`) and counts
    versions made under the same `name`.
    """

    __tablename__ = "prompt_versions"
    __table_args__ = (
        UniqueConstraint("prompt_id", "sequence"),
        UniqueConstraint("prompt_id", "name", "number"),
        # At most one per prompt, also under concurrent changes.
        Index(
            "uq_prompt_versions_production",
            "prompt_id",
            unique=True,
            sqlite_where=text("is_production"),
            postgresql_where=text("is_production"),
        ),
        CheckConstraint(_SYNTAX_IS_KNOWN, name="syntax"),
        CheckConstraint("origin IN ('run', 'manual', 'rename', 'suggestion')", name="origin"),
        CheckConstraint("parent_id <> id", name="is_not_its_own_parent"),
    )

    prompt_id: Mapped[UUID] = mapped_column(ForeignKey("prompts.id", ondelete="CASCADE"))
    sequence: Mapped[int]
    name: Mapped[str] = mapped_column(String(LONGEST_NAME))
    parent_id: Mapped[UUID | None] = mapped_column(ForeignKey("prompt_versions.id"), index=True)
    origin: Mapped[str] = mapped_column(String(20))
    changelog: Mapped[str | None] = mapped_column(Text)
    is_production: Mapped[bool] = mapped_column(default=False)


class PromptDraft(PromptColumns, Base):
    """The editable contents. `version` detects concurrent changes; `parent_id` is the version that
    the draft started from and becomes the parent of the next one.
    """

    __tablename__ = "prompt_drafts"
    __table_args__ = (CheckConstraint(_SYNTAX_IS_KNOWN, name="syntax"),)

    prompt_id: Mapped[UUID] = mapped_column(
        ForeignKey("prompts.id", ondelete="CASCADE"), primary_key=True
    )
    parent_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompt_versions.id", ondelete="SET NULL"), index=True
    )
    version: Mapped[int] = mapped_column(default=1)
    updated_at: Mapped[datetime]
