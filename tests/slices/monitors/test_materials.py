"""What a monitor uses changes under it: archived, or edited while a check runs."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from sqlalchemy import update

from edison.kit import clock
from edison.loops.monitors.models import Monitor
from tests.slices.monitors.ward import Ward
from tests.support.patience import PATIENCE_SECONDS


async def test_a_due_check_of_an_archived_prompt_fails_with_a_reason(ward: Ward) -> None:
    monitor = await ward.make(daily_budget_usd=None)
    archived = await ward.post(f"/prompts/{ward.prompt.id}/archive")
    assert archived.status_code == 200, archived.text
    refused = await ward.post(f"/monitors/{monitor['id']}/run")
    assert (refused.status_code, refused.json()["error"]["path"]) == (400, "prompt_id")
    async with ward.app.state.database.write() as session:
        await session.execute(update(Monitor).values(next_run_at=clock.now()))
    await ward.fire()
    check = await ward.until_ended(monitor, 1)
    assert (check["state"], check["reason"]) == ("failed", "cannot_start")
    assert (
        check["message"] == "The prompt Replies is archived. Unarchive it, or choose another one."
    )
    assert ward.quality.asked == 0
    (alert,) = await ward.alerts()
    assert alert["rule"] == "not_running"


async def test_a_due_check_says_what_it_lacks_and_the_next_one_works(ward: Ward) -> None:
    monitor = await ward.make(daily_budget_usd=None, cases={"limit": 2})

    async def change(path: str, **values: bool) -> None:
        changed = await ward.dataset.editor.patch(f"{ward.project_url}{path}", json=values)
        assert changed.status_code == 200, changed.text

    archive = partial(change, f"/datasets/{ward.dataset.id}")
    enable = partial(change, f"/models/{ward.model.id}")
    lacking: list[tuple[Callable[[], Awaitable[None]], Callable[[], Awaitable[None]], str]] = [
        (
            partial(ward.mark_production, None),
            partial(ward.mark_production, ward.version.id),
            "production",
        ),
        (partial(archive, is_archived=True), partial(archive, is_archived=False), "archived"),
        (partial(enable, is_enabled=False), partial(enable, is_enabled=True), "switched off"),
    ]
    for number, (spoil, restore, word) in enumerate(lacking, start=1):
        await spoil()
        async with ward.app.state.database.write() as session:
            await session.execute(update(Monitor).values(next_run_at=clock.now()))
        await ward.fire()
        check = await ward.until_ended(monitor, number)
        assert (check["state"], check["reason"]) == ("failed", "cannot_start"), check
        assert word in check["message"], check
        await restore()
    assert ward.quality.asked == 0
    assert [each["rule"] for each in await ward.alerts()] == ["not_running"]
    assert (await ward.check(monitor))["state"] == "done"


async def test_a_check_keeps_the_cases_it_began_with(ward: Ward) -> None:
    monitor = await ward.make(daily_budget_usd=None)
    first = await ward.check(monitor)
    is_running = asyncio.Event()
    ward.quality.at[ward.quality.asked + 1] = is_running.set
    await ward.do(f"/monitors/{monitor['id']}/run")
    async with asyncio.timeout(PATIENCE_SECONDS):
        await is_running.wait()
    cases = (await ward.get(f"/datasets/{ward.dataset.id}/cases", limit=100))["items"]
    for case in cases[:10]:
        changed = await ward.dataset.editor.patch(
            f"{ward.project_url}/datasets/{ward.dataset.id}/cases/{case['id']}",
            json={"inputs": {"question": "Where is my money?"}, "version": case["version"]},
        )
        assert changed.status_code == 200, changed.text
    second = await ward.until_ended(monitor, 2)
    assert (second["state"], second["verdict"]) == ("done", "good")
    assert second["measures"]["cases"] == first["measures"]["cases"] == 24
    shown = await ward.get(f"/runs/{second['run_id']}/compare/{first['run_id']}/cases", limit=1)
    assert shown["total"] == 24
    third = await ward.check(monitor)
    assert third["verdict"] == "not_comparable"
