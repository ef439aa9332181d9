"""Table of a project's models, with their credentials and prices."""

from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified, JsonColumn, Timestamped


class Model(Identified, Timestamped, Base):
    """`provider_model` is the provider's name for it. `capabilities`, `parameters` and `limits`
    hold fields of the pipeline's `Capabilities`, `Parameters` and `CallLimits`. `prices` is None
    while the price table applies, else the project's own prices in nano-dollars per million tokens.
    """

    __tablename__ = "models"
    __table_args__ = (
        UniqueConstraint("project_id", "display_name"),
        CheckConstraint("context_window > 0", name="context_window_is_positive"),
        # At most one default per project, also under concurrent changes.
        Index(
            "uq_models_default",
            "project_id",
            unique=True,
            sqlite_where=text("is_default"),
            postgresql_where=text("is_default"),
        ),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    credential_id: Mapped[UUID] = mapped_column(ForeignKey("credentials.id"), index=True)
    provider_model: Mapped[str] = mapped_column(String(300))
    display_name: Mapped[str] = mapped_column(String(100))
    context_window: Mapped[int | None]
    capabilities: Mapped[dict[str, Any]]
    parameters: Mapped[dict[str, Any]]
    prices: Mapped[dict[str, Any] | None] = mapped_column(JsonColumn)
    limits: Mapped[dict[str, Any]] = mapped_column(default=dict)
    # Selectable for new work. Disabled models stay in the registry.
    is_enabled: Mapped[bool] = mapped_column(default=True)
    is_default: Mapped[bool] = mapped_column(default=False)
