"""Money is exact, in and out."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.kit.money import nanos_from_usd, usd_from_nanos


@given(st.integers(min_value=-(2**62), max_value=2**62))
def test_amounts_round_trip_exactly(nanos: int) -> None:
    assert nanos_from_usd(usd_from_nanos(nanos)) == nanos


@pytest.mark.parametrize(
    ("nanos", "shown"),
    [
        (0, "0.00"),
        (100_000_000_000, "100.00"),
        (1_500_000_000, "1.50"),
        (1, "0.000000001"),
        (123_456_789, "0.123456789"),
        (10_000_000_000_000, "10000.00"),
    ],
)
def test_amounts_are_formatted_as_money(nanos: int, shown: str) -> None:
    assert f"{usd_from_nanos(nanos):f}" == shown


def test_amounts_finer_than_a_nano_dollar_are_refused() -> None:
    with pytest.raises(ValueError, match="nano-dollar"):
        nanos_from_usd(Decimal("0.0000000001"))
