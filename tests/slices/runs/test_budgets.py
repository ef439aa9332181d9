"""Runs and budgets."""

from decimal import Decimal
from uuid import UUID

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from edison.runs.fill import service as run_control
from edison.runs.fill.halt import Halting
from edison.runs.store.models import Run
from edison.settings import Settings
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.errors import BudgetExhausted
from edison.workspace.budgets.types import LedgerAccount
from edison.workspace.credentials.models import Credential
from edison.workspace.projects.models import Role
from tests.conftest import TurnableClock
from tests.factories.budgets import exhaust_budget
from tests.factories.models import make_model
from tests.factories.projects import make_member
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Answer
from tests.slices.budgets.conftest import intent
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
    """An answer of max tokens: 0.0008 dollars of output."""
    return openai.completion(
        "Long.", usage={"prompt_tokens": 10, "completion_tokens": 100, "total_tokens": 110}
    )


async def test_a_run_pauses_at_the_limit_and_continues_when_it_is_raised(
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


async def test_the_owner_of_a_paused_run_may_refuse_more_money(
    desk: Desk, costly: Answer, turnable_clock: TurnableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a raised budget nor a new day resumes it; a person still can."""
    desk.server.script(costly)
    budget = await limit(desk, "0.0025", period="day")
    run = await desk.start(variants=[desk.variant(parameters=PARAMETERS)])
    await desk.until(run["id"], "paused")

    async def object_to(_session: AsyncSession, paused: Run) -> str | None:
        return "It is outdated." if paused.id == UUID(run["id"]) else None

    monkeypatch.setattr(run_control.find_resume_objection, "listeners", (object_to,))
    admin = await make_member(desk.app, desk.dataset.project, Role.ADMIN)
    raised = await admin.browser.patch(
        f"{desk.project_url}/budgets/{budget}", json={"limit_usd": "1"}
    )
    assert raised.status_code == 200, raised.text
    turnable_clock.advance(days=1)
    async with desk.app.state.database.write() as session:
        assert await run_control.list_missing_jobs(session) == []
        await run_control.resume_after_budget_reset(session, run_id=UUID(run["id"]))
    assert (await desk.get(f"/runs/{run['id']}"))["state"] == "paused"

    assert (await desk.post(f"/runs/{run['id']}/resume")).status_code == 200
    assert (await desk.finish(run["id"]))["done_count"] == 6


async def test_a_budget_raised_during_the_pause_resumes_the_run(
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


async def test_reservations_of_calls_in_progress_only_delay_others(
    desk: Desk,
) -> None:
    """The budget covers all answers, but not two worst cases at a time."""
    await limit(desk, "0.0018")
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


async def test_a_run_does_not_start_on_an_exhausted_budget(desk: Desk, costly: Answer) -> None:
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


async def test_nothing_starts_or_continues_on_an_exhausted_budget(desk: Desk) -> None:
    desk.server.script(openai.completion("Fine."), openai.error(401))
    run = await desk.run(variants=[desk.variant(parameters=PARAMETERS)])
    cell = next(each for each in await desk.cells(run["id"]) if each["status"] == "error")
    budget_id = str(await exhaust_budget(desk.app, desk.dataset.project.id))
    before = await desk.get(f"/runs/{run['id']}")
    for path, body in (
        ("/runs", desk.body()),
        (f"/runs/{run['id']}/again", {}),
        (f"/runs/{run['id']}/retry", {}),
        (f"/outputs/{cell['id']}/rerun", {}),
    ):
        response = await desk.post(path, **body)
        assert response.status_code == 402, (path, response.text)
        error = response.json()["error"]
        assert error["code"] == "BUDGET_EXCEEDED"
        assert error["message"].startswith("The budget of the project ($1.00 in total) is used up")
        assert error["details"]["budget_id"] == budget_id
        assert (error["details"]["scope"], error["details"]["period"]) == ("project", "total")
        assert error["details"]["left_usd"] == "0.00"
    assert (await desk.get("/runs"))["total"] == 1
    after = await desk.get(f"/runs/{run['id']}")
    assert (after["state"], after["last_number"]) == (before["state"], before["last_number"])


async def test_a_paused_run_is_not_resumed_on_an_exhausted_budget(desk: Desk) -> None:
    desk.server.hold()
    run = await desk.start(variants=[desk.variant(parameters=PARAMETERS)])
    await desk.until_asked(1)
    assert (await desk.post(f"/runs/{run['id']}/pause")).status_code == 200
    desk.server.release()
    await exhaust_budget(desk.app, desk.dataset.project.id)
    response = await desk.post(f"/runs/{run['id']}/resume")
    assert response.status_code == 402
    assert (await desk.get(f"/runs/{run['id']}"))["state"] == "paused"


async def test_a_run_whose_low_estimate_does_not_fit_does_not_begin(desk: Desk) -> None:
    await limit(desk, "0.0001")
    estimate = (await desk.post("/runs/estimate", **desk.body())).json()
    response = await desk.post("/runs", **desk.body())
    assert response.status_code == 402
    details = response.json()["error"]["details"]
    assert details["left_usd"] == "0.0001"
    # One call of 4,096 tokens at $8 per million needs more than the low estimate of all.
    assert Decimal(details["needed_usd"]) == Decimal("0.032768")
    assert Decimal(details["needed_usd"]) > Decimal(estimate["cost"]["low_usd"])
    assert [(each["fit"], each["left_usd"]) for each in estimate["budgets"]] == [
        ("too_small", "0.0001")
    ]
    assert "has $0.0001 left, and this needs at least $" in response.json()["error"]["message"]
    assert (await desk.get("/runs"))["total"] == 0
    assert desk.server.received == []


async def test_the_cost_of_a_run_is_the_sum_of_its_ledger_entries(desk: Desk) -> None:
    """Including calls whose answer was never stored."""
    desk.server.hold()
    run = await desk.start(variants=[desk.variant(parameters=PARAMETERS)])
    await desk.until_asked(1)
    assert (await desk.post(f"/runs/{run['id']}/cancel")).status_code == 200
    desk.server.release()
    await desk.until_it(run["id"], lambda found: Decimal(found["cost_usd"]) > 0)
    await desk.app.state.batch_writer.flush()
    cancelled = await desk.get(f"/runs/{run['id']}")
    totals = await desk.get("/ledger/totals", run_id=run["id"])
    assert totals["reserved_usd"] == "0.00"
    assert Decimal(cancelled["cost_usd"]) == Decimal(totals["cost_usd"])
    assert cancelled["unconfirmed_usd"] == "0.00"


async def test_unconfirmed_charges_count_in_the_cost_of_a_run(desk: Desk) -> None:
    run = await desk.run(variants=[desk.variant(parameters=PARAMETERS)])
    before = Decimal(run["cost_usd"])
    ledger = budgets.open_ledger(
        desk.app.state.batch_writer,
        LedgerAccount(project_id=desk.dataset.project.id, purpose="answer", run_id=UUID(run["id"])),
    )
    for nanos in (1_000_000, 2_000_000):
        await ledger.reserve(intent(nanos))
    async with desk.app.state.database.write() as session:
        await budgets.reap_process(session, desk.app.state.batch_writer.heartbeat.id)
    lost = await desk.get(f"/runs/{run['id']}")
    assert Decimal(lost["cost_usd"]) == before + Decimal("0.003")
    assert lost["unconfirmed_usd"] == "0.003"

    admin = (await make_member(desk.app, desk.dataset.project, Role.ADMIN)).browser
    entries = await desk.get("/ledger", state="unconfirmed", sort="created_at")
    first, second = (f"{desk.project_url}/ledger/{each['id']}" for each in entries["items"])
    note = "Compared with the invoice."
    editor = await desk.dataset.editor.post(f"{first}/void", json={"note": note})
    assert editor.status_code == 403
    settled = await admin.post(f"{first}/settle", json={"amount_usd": "0.0004", "note": note})
    assert settled.status_code == 200, settled.text
    assert (await admin.post(f"{second}/void", json={"note": note})).status_code == 200
    resolved = await desk.get(f"/runs/{run['id']}")
    assert Decimal(resolved["cost_usd"]) == before + Decimal("0.0004")
    assert resolved["unconfirmed_usd"] == "0.00"
    totals = await desk.get("/ledger/totals", run_id=run["id"])
    assert Decimal(resolved["cost_usd"]) == Decimal(totals["cost_usd"])


async def test_an_unpriced_judge_is_refused_before_the_answers_are_paid(desk: Desk) -> None:
    async with desk.app.state.database.read() as session:
        credential = await session.get_one(Credential, desk.model.credential_id)
    unpriced = await make_model(desk.app, credential, "gpt-unknown", display_name="Free judge")
    options = {
        "model_id": str(unpriced.id),
        "criteria": [{"name": "Tone", "description": "Is polite.", "weight": 1, "scale": "0-5"}],
    }
    body = desk.body(scorers=[{"kind": "judge", "options": options}])
    estimate = (await desk.post("/runs/estimate", **body)).json()
    assert estimate["unpriced_models"] == ["Free judge"]
    assert estimate["cost"] == {"low_usd": None, "high_usd": None}
    assert Decimal(estimate["known_cost"]["high_usd"]) > 0

    await limit(desk, "1")
    response = await desk.post("/runs", **body)
    assert (response.status_code, response.json()["error"]["code"]) == (402, "PRICE_UNKNOWN")
    assert "Free judge" in response.json()["error"]["message"]
    assert (await desk.get("/runs"))["total"] == 0
    assert desk.server.received == []


async def test_estimates_learn_from_the_first_run_and_know_the_cache(desk: Desk) -> None:
    wanted = desk.body(variants=[desk.variant(parameters=PARAMETERS)])

    async def range_of(**changes: object) -> tuple[Decimal, Decimal]:
        cost = (await desk.post("/runs/estimate", **wanted, **changes)).json()["cost"]
        return Decimal(cost["low_usd"]), Decimal(cost["high_usd"])

    low, high = await range_of()
    run = await desk.run(variants=[desk.variant(parameters=PARAMETERS)])
    cost = Decimal(run["cost_usd"])
    assert low <= cost <= high
    assert high > 3 * low
    low, high = await range_of(is_cache_bypassed=True)
    assert low <= cost <= high <= 3 * low
    assert await range_of() == (0, 0)
