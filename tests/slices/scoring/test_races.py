"""Many reviewers of one queue at the same moment."""

import asyncio
from typing import Any

from edison.workspace.projects.models import Role
from tests.factories.projects import MadeMember, make_member
from tests.slices.scoring.conftest import Panel

PEOPLE = 6


async def _work(panel: Panel, who: MadeMember, queue: str) -> int:
    """Scores until nothing is left; returns the number of scores."""
    done = 0
    step: dict[str, Any] = await panel.next(who, queue)
    while step["item"] is not None:
        response = await panel.answer(who, queue, step, answer=1 + done % 5)
        assert response.status_code == 200, response.text
        step = response.json()
        done += 1
    return done


async def test_every_item_is_scored_once_per_seat_under_concurrency(panel: Panel) -> None:
    people = [await make_member(panel.app, panel.project, Role.REVIEWER) for _ in range(PEOPLE)]
    queue = await panel.make_queue(overlap=2)

    # Each of them in two windows.
    await asyncio.gather(*(panel.next(who, queue) for who in people for _ in range(2)))
    counts = await asyncio.gather(*(_work(panel, who, queue) for who in people))

    assert sum(counts) == 12
    progress = (await panel.get(f"/annotation-queues/{queue}"))["progress"]
    assert (progress["done_items"], progress["answers"]) == (6, 12)
    results = await panel.get(f"/annotation-queues/{queue}/results")
    assert (results["agreement"]["items"], results["agreement"]["pairs"]) == (6, 6)
