"""Facts about a model that are known without calling it."""

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.prices import Prices


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """None means unknown, never free or unlimited. `is_retired`: the provider no longer offers it,
    or will soon stop; `successor` is the name of a newer one of its kind.
    """

    display_name: str | None = None
    context_window: int | None = None
    prices: Prices | None = None
    is_retired: bool = False
    successor: str | None = None
