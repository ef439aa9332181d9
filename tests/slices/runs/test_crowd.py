"""Many users start runs at the same moment: all wait, and all succeed. With `make torture` there
are 200 of them.
"""

import asyncio
from collections import Counter

import pytest
from fastapi import FastAPI

from edison.settings import Settings
from tests.slices.runs.conftest import Desk
from tests.support.thorough import rounds

STARTS = rounds(25, thorough=200)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """As in production, on a machine that may be slow."""
    return settings.model_copy(
        update={"database_connections": 20, "database_wait_seconds": 120, "sweep_seconds": 60}
    )


async def test_starts_at_the_same_moment_all_succeed(desk: Desk, app: FastAPI) -> None:
    editor = desk.dataset.editor
    body = desk.body(dataset_id=None, inputs=[{"question": "Where is it?"}])
    responses = await asyncio.gather(*(editor.post(desk.url, json=body) for _ in range(STARTS)))
    assert Counter(response.status_code for response in responses) == {201: STARTS}
    assert len({response.json()["id"] for response in responses}) == STARTS
    pools = [app.state.database.engine.pool, app.state.background_database.engine.pool]
    assert [pool.waiting_room.refused_count for pool in pools] == [0, 0]


class TestOverload:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"database_connections": 2, "database_wait_seconds": 1})

    async def test_the_refusal_has_retry_after(self, desk: Desk, app: FastAPI) -> None:
        async with app.state.database.read() as session:
            await session.connection()
            response = await desk.dataset.editor.get(desk.url)
        assert response.status_code == 503
        assert int(response.headers["Retry-After"]) > 0
        assert (await desk.dataset.editor.get(desk.url)).status_code == 200
