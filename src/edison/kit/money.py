"""Money as exact integers: one dollar is 1,000,000,000 nano-dollars."""

from decimal import Decimal

NANOS_PER_USD = 1_000_000_000


def nanos_from_usd(amount: Decimal) -> int:
    """Exact. Raises ValueError for amounts finer than a nano-dollar."""
    nanos = amount * NANOS_PER_USD
    if nanos != nanos.to_integral_value():
        raise ValueError("Amounts finer than a nano-dollar cannot be stored.")
    return int(nanos)


def usd_from_nanos(nanos: int) -> Decimal:
    """At least two decimals, more only if the amount needs them."""
    amount = Decimal(nanos).scaleb(-9)
    cents = amount.quantize(Decimal("0.01"))
    return cents if cents == amount else Decimal(f"{amount:f}".rstrip("0"))
