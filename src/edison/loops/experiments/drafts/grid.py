"""The configurations that an experiment tries: models x combinations of parameters."""

from collections.abc import Sequence
from itertools import product
from typing import Any
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass
from edison.library.models.schemas import ParameterValues
from edison.loops.experiments.schemas.drafts import ModelsStep

VARIED = ("temperature", "max_tokens", "top_p")


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """A model with its parameters, without the prompt. `key` is the same in every iteration."""

    model_id: UUID
    parameters: ParameterValues | None

    @property
    def key(self) -> str:
        values = self.parameters.model_dump(exclude_none=True) if self.parameters else {}
        values_text = ",".join(f"{name}={values[name]}" for name in sorted(values))
        return f"{self.model_id}:{values_text}"


def count_combinations(step: ModelsStep) -> int:
    """Number of configurations per model."""
    count = 1
    for name in VARIED:
        count *= len(set(getattr(step.grid, name))) or 1
    return count


def list_configurations(step: ModelsStep) -> Sequence[Configuration]:
    """Every model with every combination; the grid's values override the model's own. Duplicates
    are listed once.
    """
    varied = {name: dict.fromkeys(getattr(step.grid, name)) for name in VARIED}
    axes = [[(name, value) for value in values] for name, values in varied.items() if values]
    found: dict[str, Configuration] = {}
    for choice in step.models:
        for combination in product(*axes):
            own: dict[str, Any] = (
                {} if choice.parameters is None else choice.parameters.model_dump(exclude_none=True)
            )
            values = own | dict(combination)
            configuration = Configuration(
                model_id=choice.model_id,
                parameters=ParameterValues.model_validate(values) if values else None,
            )
            found.setdefault(configuration.key, configuration)
    return list(found.values())
