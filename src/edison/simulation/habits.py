"""Errors and biases of the simulated judge and refiner. Set by the provider's settings."""

from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """Shares of the scale, except the two rates. `noise` multiplies the tier's own noise."""

    noise: float = 1.0
    leniency: float = 0.05
    verbosity: float = 0.04
    position: float = 0.06
    broken_json_rate: float = 0.01
    broken_diff_rate: float = 0.02
