"""`EDISON_CHECKS_AT_ONCE`: further checks wait until one has ended."""

import asyncio
from collections import Counter

import pytest

from edison.settings import Settings
from tests.slices.monitors.conftest import CASES
from tests.slices.monitors.ward import Ward

MONITORS = 5


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"checks_at_once": 2})


async def test_checks_beyond_the_limit_wait(ward: Ward) -> None:
    made = [await ward.make(name=f"Parcels {at}", daily_budget_usd=None) for at in range(MONITORS)]
    ward.server.hold()
    added = await asyncio.gather(*(ward.do(f"/monitors/{each['id']}/run") for each in made))
    await ward.server.was_asked.wait()
    # Time in which a third check would begin, too.
    for _ in range(5):
        await asyncio.sleep(0.1)
        states = Counter([(await ward.monitor(each))["last_check"]["state"] for each in made])
        assert states["running"] <= 2
    assert states == {"running": 2, "due": MONITORS - 2}

    ward.server.release()
    for monitor, check in zip(made, added, strict=True):
        assert (await ward.until_ended(monitor, check["number"]))["state"] == "done"
    assert ward.quality.asked == MONITORS * CASES
