"""Recommends a balanced set of models, and flags expensive ones.

Uses the price as a proxy for capability: models that cost more are usually more capable, and
slower. Unlike measurements, prices are known before any run.
"""

from collections.abc import Sequence
from typing import Literal

from edison.kit.money import usd_from_nanos
from edison.library.models.schemas import Advised, Costly, ModelAdviceRead
from edison.library.models.stored import Registration
from edison.library.models.view import read_model
from edison.pipeline.generate.prices import Prices

COSTLY_NANOS_PER_THOUSAND = 10_000_000

Role = Literal["fast", "balanced", "smart"]
_REASONS: dict[Role, str] = {
    "fast": "The lowest price: for many cases and first tries.",
    "balanced": "A price in the middle: able enough for most work.",
    "smart": "The highest price that is not costly: for difficult cases and for judging.",
}
_SMART_ALTHOUGH_COSTLY = "The highest price: for difficult cases and for judging."


def advise(registrations: Sequence[Registration]) -> ModelAdviceRead:
    """Deterministic."""
    priced = sorted(
        (
            (price, registration)
            for registration in registrations
            if (price := _mean_nanos_per_million(registration.prices)) is not None
        ),
        key=lambda found: (found[0], found[1].model.display_name),
    )
    return ModelAdviceRead(
        balanced_set=_balanced_set(priced),
        costly=[
            _costly(price, registration) for price, registration in priced if _is_costly(price)
        ],
        unpriced=[read_model(entry) for entry in registrations if entry.prices is None],
        limit_usd_per_thousand=usd_from_nanos(COSTLY_NANOS_PER_THOUSAND),
    )


def _mean_nanos_per_million(prices: Prices | None) -> int | None:
    """Mean of the input and output price for small prompts, rounded up."""
    if prices is None:
        return None
    return -(-(prices.input.nanos_per_million + prices.output.nanos_per_million) // 2)


def _is_costly(nanos_per_million: int) -> bool:
    return nanos_per_million > COSTLY_NANOS_PER_THOUSAND * 1000


def _balanced_set(priced: list[tuple[int, Registration]]) -> list[Advised]:
    """The cheapest, the most expensive and one in between; flagged models only if fewer than two
    others have a price.
    """
    affordable = [found for found in priced if not _is_costly(found[0])]
    candidates = _without_twins(affordable if len(affordable) > 1 else priced)
    if len(candidates) < 2:
        return []
    chosen: list[tuple[Role, tuple[int, Registration]]] = [("fast", candidates[0])]
    if len(candidates) > 2:
        chosen.append(("balanced", _nearest_to_middle(candidates)))
    chosen.append(("smart", candidates[-1]))
    return [
        Advised(role=role, model=read_model(registration), reason=_reason(role, price))
        for role, (price, registration) in chosen
    ]


def _without_twins(priced: list[tuple[int, Registration]]) -> list[tuple[int, Registration]]:
    """The same model behind two credentials counts once."""
    seen: set[tuple[str, str]] = set()
    distinct = []
    for price, registration in priced:
        key = (registration.credential.provider, registration.model.provider_model)
        if key not in seen:
            seen.add(key)
            distinct.append((price, registration))
    return distinct


def _nearest_to_middle(priced: list[tuple[int, Registration]]) -> tuple[int, Registration]:
    """Nearest to the geometric mean of the extremes, since prices differ by factors."""
    target = priced[0][0] * priced[-1][0]
    return min(priced[1:-1], key=lambda found: _factor(found[0] ** 2, target))


def _factor(one: int, other: int) -> float:
    low, high = sorted((max(one, 1), max(other, 1)))
    return high / low


def _reason(role: Role, nanos_per_million: int) -> str:
    if role == "smart" and _is_costly(nanos_per_million):
        return _SMART_ALTHOUGH_COSTLY
    return _REASONS[role]


def _costly(nanos_per_million: int, registration: Registration) -> Costly:
    per_thousand = usd_from_nanos(-(-nanos_per_million // 1000))
    limit = usd_from_nanos(COSTLY_NANOS_PER_THOUSAND)
    return Costly(
        model=read_model(registration),
        usd_per_thousand=per_thousand,
        reason=f"Costs ${per_thousand:f} per 1,000 tokens on average, more than ${limit:f}.",
    )
