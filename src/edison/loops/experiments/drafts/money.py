"""Whether the budgets in reach of an experiment suffice for one iteration, and for all of them."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Literal

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import nanos_from_usd, usd_from_nanos
from edison.runs.plan.schemas import BudgetInReach, RunEstimate
from edison.workspace.budgets.types import BudgetLeft


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend:
    """Nano-dollars, real and simulated ones apart."""

    real: int = 0
    simulated: int = 0

    def plus(self, other: "Spend") -> "Spend":
        return Spend(real=self.real + other.real, simulated=self.simulated + other.simulated)

    def times(self, count: int) -> "Spend":
        return Spend(real=self.real * count, simulated=self.simulated * count)

    def from_budget(self, *, counts_simulated: bool) -> int:
        return self.real + (self.simulated if counts_simulated else 0)


def sum_known(runs: Iterable[RunEstimate], end: Literal["low_usd", "high_usd"]) -> Spend:
    """The low or the high ends of what is known of their costs."""
    total = Spend()
    for each in runs:
        known = _nanos(getattr(each.known_cost, end))
        simulated = _nanos(getattr(each.simulated_cost, end))
        total = total.plus(Spend(real=known - simulated, simulated=simulated))
    return total


def fit_budgets(
    left: Sequence[BudgetLeft], *, one: Spend, every: Spend, is_priced: bool
) -> list[BudgetInReach]:
    """`one` is the least that one iteration costs, `every` the most that all of them cost. Nothing
    certainly fits while a price is unknown.
    """
    return [
        BudgetInReach(
            budget_id=each.id,
            name=each.name,
            period=each.period,
            counts_simulated=each.counts_simulated,
            limit_usd=usd_from_nanos(each.limit_nanos),
            left_usd=usd_from_nanos(max(0, each.left_nanos)),
            fit=_fit(
                each.left_nanos,
                least=one.from_budget(counts_simulated=each.counts_simulated),
                most=every.from_budget(counts_simulated=each.counts_simulated),
                is_priced=is_priced,
            ),
        )
        for each in left
    ]


def _fit(
    left: int, *, least: int, most: int, is_priced: bool
) -> Literal["fits", "may_run_out", "too_small"]:
    if is_priced and most == 0:
        return "fits"
    if left <= 0 or least > left:
        return "too_small"
    return "fits" if is_priced and most <= left else "may_run_out"


def _nanos(usd: Decimal | None) -> int:
    return 0 if usd is None else nanos_from_usd(usd)
