"""Browser tests share one server, so no two of them may register the same address."""

import re
from collections import Counter
from pathlib import Path

JOURNEYS = Path(__file__).parents[1] / "e2e"


def test_no_address_is_registered_twice() -> None:
    registered = Counter(
        address
        for file in JOURNEYS.glob("*.py")
        for address in re.findall(r'register\(\s*f?"([^"]+)"', file.read_text())
    )

    assert registered
    assert [address for address, times in registered.items() if times > 1] == []
