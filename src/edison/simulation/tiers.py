"""The simulated models: quality, prices, speed, and the releases of one of them."""

from dataclasses import replace

from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """`lift`: share of unrequested rules that are met anyway. `ceiling`: how reliably a precise
    instruction is followed. `capacity`: number of instructions followed before they interfere.
    `frailty`: loss of quality on difficult cases. `judge_noise`: standard deviation of a verdict,
    as a share of the scale. `craft`: rate of specific refinements.
    """

    id: str
    display_name: str
    lift: float
    ceiling: float
    capacity: float
    frailty: float
    judge_noise: float
    craft: float
    input_nanos_per_million: int
    output_nanos_per_million: int
    first_token_seconds: float
    tokens_per_second: float
    context_window: int = 128_000


_MOVING = "sim-moving"
_MEDIUM = Tier(
    id="sim-medium",
    display_name="Simulated medium",
    lift=0.12,
    ceiling=0.90,
    capacity=12,
    frailty=0.20,
    judge_noise=0.11,
    craft=0.68,
    input_nanos_per_million=800_000_000,
    output_nanos_per_million=3_200_000_000,
    first_token_seconds=0.45,
    tokens_per_second=110,
)
TIERS = {
    tier.id: tier
    for tier in (
        Tier(
            id="sim-small",
            display_name="Simulated small",
            lift=0.0,
            ceiling=0.80,
            capacity=8,
            frailty=0.30,
            judge_noise=0.16,
            craft=0.45,
            input_nanos_per_million=100_000_000,
            output_nanos_per_million=400_000_000,
            first_token_seconds=0.25,
            tokens_per_second=180,
            context_window=32_000,
        ),
        _MEDIUM,
        Tier(
            id="sim-large",
            display_name="Simulated large",
            lift=0.24,
            ceiling=0.97,
            capacity=18,
            frailty=0.10,
            judge_noise=0.07,
            craft=0.86,
            input_nanos_per_million=3_000_000_000,
            output_nanos_per_million=15_000_000_000,
            first_token_seconds=0.8,
            tokens_per_second=60,
            context_window=200_000,
        ),
        replace(_MEDIUM, id=_MOVING, display_name="Simulated moving"),
    )
}
LATEST_RELEASE = 2


def find_tier(model: str, *, release: int = 1) -> Tier | None:
    """The model as it answers now. Only `sim-moving` has releases: from the second on, it follows
    instructions less well.
    """
    tier = TIERS.get(model)
    if tier is None or tier.id != _MOVING or release == 1:
        return tier
    return replace(tier, lift=0.05, ceiling=0.55, frailty=0.35)
