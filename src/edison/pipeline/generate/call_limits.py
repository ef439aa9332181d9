"""Limits of calls to a model: timeout, concurrency, retries and default max tokens."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, Self

from edison.kit.lazy_dataclasses import dataclass

DEFAULT_RETRIES = 2
DEFAULT_MAX_TOKENS = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLimits:
    """None: not limited here, so the next wider limits apply. The order is model, credential,
    provider, installation. `concurrency` counts calls in all processes together; `retries` follow
    the first attempt.
    """

    timeout_seconds: float | None = None
    concurrency: int | None = None
    retries: int | None = None
    max_tokens: int | None = None

    @classmethod
    def stored(cls, values: Mapping[str, Any]) -> Self:
        """Drops fields that a later version wrote."""
        names = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in values.items() if name in names})

    def over(self, wider: "CallLimits") -> "CallLimits":
        """These limits, completed by the wider ones."""
        own = {name: value for name, value in asdict(self).items() if value is not None}
        return CallLimits(**{**asdict(wider), **own})
