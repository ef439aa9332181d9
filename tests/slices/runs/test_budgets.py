"""Runs and the money they may spend."""

from decimal import Decimal

import pytest

from edison.runs.engine.filling.halting import Halting
from edison.settings import Settings
from edison.workspace.budgets.errors import BudgetExhausted
from edison.workspace.credentials.models import Credential
from edison.workspace.projects.models import Role
from tests.conftest import TurnableClock
from tests.factories.models import make_model
from tests.factories.projects import make_member
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Answer
from tests.slices.runs.conftest import Desk
from tests.support.browser import fields_of

# A call reserves at most this: its few prompt tokens, and 100 tokens of answer.
PARAMETERS = {"max_tokens": 100}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"calls_per_credential": 2})


async def limit(desk: Desk, usd: str, period: str = "total") -> str:
    admin = await make_member(desk.app, desk.dataset.project, Role.ADMIN)
    response = await admin.browser.post(
        f"{desk.project_url}/budgets", json={"period": period, "limit_usd": usd}
    )
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


@pytest.fixture
def costly() -> Answer:
    """An answer that uses all it may: 0.0008 dollars of output."""
    return openai.completion(
        "Long.", usage={"prompt_tokens": 10, "completion_tokens": 100, "total_tokens": 110}
    )


async def test_a_run_pauses_at_the_limit_and_goes_on_when_it_is_raised(
    desk: Desk, costly: Answer
) -> None:
    desk.server.script(costly)
    budget = await limit(desk, "0.0025")
    run = await desk.start(variants=[desk.variant(parameters=PARAMETERS)])

    paused = await desk.until(run["id"], "paused")
    assert paused["reason"] == "budget"
    assert "budget" in paused["message"]
    assert paused["done_count"] < 6
    assert Decimal(paused["cost_usd"]) <= Decimal("0.0025")

    admin = await make_member(desk.app, desk.dataset.project, Role.ADMIN)
    raised = await admin.browser.patch(
        f"{desk.project_url}/budgets/{budget}", json={"limit_usd": "1"}
    )
    assert raised.status_code == 200, raised.text
    ended = await desk.finish(run["id"])
    assert (ended["state"], ended["done_count"]) == ("completed", 6)
    assert len(desk.server.received) == 6


async def test_money_that_comes_while_the_run_is_about_to_pause_is_not_overlooked(
    desk: Desk, costly: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.server.script(costly)
    budget = await limit(desk, "0.0025")
    admin = await make_member(desk.app, desk.dataset.project, Role.ADMIN)
    pause_for = Halting.pause_for

    async def pause_too_late(halting: Halting, exhausted: BudgetExhausted) -> bool:
        raised = await admin.browser.patch(
            f"{desk.project_url}/budgets/{budget}", json={"limit_usd": "1"}
        )
        assert raised.status_code == 200, raised.text
        return await pause_for(halting, exhausted)

    monkeypatch.setattr(Halting, "pause_for", pause_too_late)
    run = await desk.run(variants=[desk.variant(parameters=PARAMETERS)])
    assert (run["state"], run["done_count"]) == ("completed", 6), run["message"]


async def test_what_calls_under_way_have_reserved_only_makes_others_wait(
    desk: Desk,
) -> None:
    """The budget is enough for all answers, though not for two worst cases at a time."""
    await limit(desk, "0.0015")
    run = await desk.run(variants=[desk.variant(parameters=PARAMETERS)])

    assert (run["state"], run["done_count"]) == ("completed", 6), run["message"]


async def test_a_budget_of_a_day_lets_the_run_go_on_the_next_day(
    desk: Desk, costly: Answer, turnable_clock: TurnableClock
) -> None:
    desk.server.script(costly)
    await limit(desk, "0.0025", period="day")
    run = await desk.start(variants=[desk.variant(parameters=PARAMETERS)])
    paused = await desk.until(run["id"], "paused")

    turnable_clock.advance(days=1)
    later = await desk.until_it(run["id"], lambda found: found["done_count"] > paused["done_count"])
    assert later["done_count"] <= 6


async def test_a_run_does_not_begin_on_a_budget_that_is_used_up(desk: Desk, costly: Answer) -> None:
    desk.server.script(costly)
    await limit(desk, "0")

    response = await desk.post("/runs", **desk.body())
    assert response.status_code == 402
    assert (await desk.get("/runs"))["total"] == 0


async def test_a_model_without_a_price_cannot_run_on_a_budget(desk: Desk) -> None:
    await limit(desk, "1")
    async with desk.app.state.database.read() as session:
        credential = await session.get_one(Credential, desk.model.credential_id)
    unpriced = await make_model(desk.app, credential, "gpt-unknown")

    response = await desk.post(
        "/runs", **desk.body(variants=[desk.variant(model_id=str(unpriced.id))])
    )
    assert fields_of(response) == {"variants.0.model_id"}
