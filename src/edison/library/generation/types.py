"""Types of generations that other slices use."""

from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseGenerator:
    """The model that wrote a case. `model_id` is None if it was deleted."""

    model_id: UUID | None
    name: str

    @property
    def key(self) -> str:
        return self.name if self.model_id is None else str(self.model_id)
