"""Results are cached until the run changes, and visible only with access to the run."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import update

from edison.runs.results import cache, digest, service
from edison.runs.results.digest import Digest
from edison.runs.store.models import Run
from tests.factories.projects import make_project
from tests.factories.scoring import MadeRun, ScorerOf
from tests.slices.results.conftest import Desk


async def _number(desk: Desk, run: MadeRun) -> int:
    number: int = (await desk.read(str(run.id)))["last_number"]
    return number


async def test_human_scores_are_in_the_next_summary(desk: Desk) -> None:
    run = await desk.make_run([[(0.5,)], [(0.9,)]], ScorerOf(label="S"))
    untouched = await desk.read(f"{run.id}/summary")
    assert await desk.read(f"{run.id}/summary") == untouched

    url = f"/api/v1/projects/{desk.project.slug}/outputs/{run.outputs[0, 0]}/scores"
    for answer, composite in ((5, 0.95), (1, 0.45)):
        await desk.reviewer.browser.put(url, json={"question": "rating", "answer": answer})
        found = await desk.read(f"{run.id}/summary")
        assert found["variants"][0]["composite"]["value"] == pytest.approx(composite)
    # A comment changes no score, but changes the state of the human scores.
    before = await _number(desk, run)
    said = {"question": "rating", "answer": 1, "comment": "Rude."}
    await desk.reviewer.browser.put(url, json=said)
    assert await _number(desk, run) == before + 1

    await desk.reviewer.browser.delete(url)
    assert await desk.read(f"{run.id}/summary") == untouched


async def test_cached_results_equal_computed_results(desk: Desk) -> None:
    run = await desk.make_run([[(0.5,), (0.7,)], [(0.9,), (0.7,)]], ScorerOf(label="S"))
    twice = [await desk.get(f"{run.id}/summary") for _ in range(2)]
    computed = await service.get_results(
        desk.app.state.database, project_id=desk.project.id, run_id=run.id
    )
    assert [each.content for each in twice] == [computed.model_dump_json().encode()] * 2
    assert twice[1].headers["Content-Type"] == "application/json"


async def test_cached_results_are_not_visible_to_other_projects(desk: Desk) -> None:
    run = await desk.make_run([[(0.5,)]], ScorerOf(label="S"))
    await desk.read(f"{run.id}/summary")
    foreign = await make_project(desk.app, owner=desk.viewer.user)
    url = f"/api/v1/projects/{foreign.slug}/runs/{run.id}/summary"
    assert (await desk.viewer.browser.get(url)).status_code == 404
    assert (await desk.viewer.browser.delete(url.removesuffix("/summary"))).status_code == 404


async def test_an_older_snapshot_of_a_run_uses_the_newer_digest(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await desk.make_run([[(0.5,)]], ScorerOf(label="S"))
    database, project_id = desk.app.state.database, desk.project.id
    seen = await service.get_run(database, project_id, run.id)
    url = f"/api/v1/projects/{desk.project.slug}/outputs/{run.outputs[0, 0]}/scores"
    await desk.reviewer.browser.put(url, json={"question": "rating", "answer": 5})
    newer = await service.digest_run(database, project_id=project_id, run_id=run.id)
    assert newer.number > seen.last_number

    monkeypatch.setattr(cache, "digest_run", None)
    assert await cache.get_digest(database, project_id=project_id, run=seen) is newer


class TestRunsInProgress:
    """The digest of a large run takes seconds, in which the run changes several times."""

    @pytest.fixture(autouse=True)
    def due_at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cache, "RENEW_AFTER_SECONDS", 0.0)
        monkeypatch.setattr(cache, "RENEW_AFTER_TIMES", 0)

    async def test_readers_get_the_last_summary_while_a_new_one_is_computed(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = await desk.make_run([[(0.5,)], [(0.9,)]], ScorerOf(label="S"))
        await _put_to_work(desk, run)
        first = await desk.read(f"{run.id}/summary")
        assert (first["is_final"], first["as_of"] is not None) == (False, True)

        begun, may_end, made = asyncio.Event(), asyncio.Event(), 0
        real = digest.digest_run

        async def digest_slowly(*args: Any, **options: Any) -> Digest:
            nonlocal made
            made += 1
            begun.set()
            await may_end.wait()
            return await real(*args, **options)

        monkeypatch.setattr(cache, "digest_run", digest_slowly)
        for _ in range(10):
            await _put_to_work(desk, run)
            assert await desk.read(f"{run.id}/summary") == first
        await begun.wait()
        assert made == 1
        may_end.set()
        await cache.wait_for_renewals()
        renewed = await desk.read(f"{run.id}/summary")
        assert renewed["as_of"] > first["as_of"]

    async def test_the_end_of_the_run_is_never_stale(self, desk: Desk) -> None:
        run = await desk.make_run([[(0.5,)], [(0.9,)]], ScorerOf(label="S"))
        exact = await desk.read(f"{run.id}/summary")
        await _put_to_work(desk, run)
        assert not (await desk.read(f"{run.id}/summary"))["is_final"]
        await _put_to_work(desk, run, state="completed")
        assert await desk.read(f"{run.id}/summary") == exact
        assert exact["as_of"] is None


async def _put_to_work(desk: Desk, run: MadeRun, state: str = "executing") -> None:
    async with desk.app.state.database.write() as session:
        await session.execute(
            update(Run).where(Run.id == run.id).values(state=state, last_number=Run.last_number + 1)
        )
