"""Budgets with a scope smaller than the project."""

from collections.abc import Collection
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import ids
from edison.workspace.budgets import scopes, service
from edison.workspace.budgets.errors import BudgetExhausted
from edison.workspace.budgets.models import Period, Scope
from edison.workspace.budgets.types import LedgerAccount, Need, ScopeLimit
from tests.conftest import TurnableClock
from tests.slices.budgets.conftest import URL, Spender, intent
from tests.support.browser import error_of, fields_of

SOME_ID = str(ids.new_id())


async def test_an_experiment_has_a_budget_of_its_own(spender: Spender, experiment: UUID) -> None:
    await spender.limit("10")
    body = {"scope": "experiment", "scope_id": str(experiment), "period": "total", "limit_usd": "2"}
    made = await spender.ada.post(f"{URL}/budgets", json=body)
    assert made.status_code == 201, made.text
    assert [
        (each["scope"], each["scope_name"], each["limit_usd"]) for each in await spender.budgets()
    ] == [("project", None, "10.00"), ("experiment", "Shorter replies", "2.00")]
    again = await spender.ada.post(f"{URL}/budgets", json=body)
    assert (again.status_code, error_of(again)["code"]) == (409, "DUPLICATE_BUDGET")


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"scope": "experiment"}, "scope_id", "missing"),
        ({"scope": "experiment", "scope_id": SOME_ID}, "scope_id", "unknown_scope"),
        ({"scope": "monitor", "scope_id": SOME_ID}, "scope_id", "unknown_scope"),
        ({"scope": "project", "scope_id": SOME_ID}, "scope_id", "not_the_project"),
    ],
)
@pytest.mark.usefixtures("experiment")
async def test_budgets_for_unknown_scopes_are_refused(
    spender: Spender, body: dict[str, Any], field: str, code: str
) -> None:
    response = await spender.ada.post(
        f"{URL}/budgets", json={"period": "day", "limit_usd": "1", **body}
    )
    assert fields_of(response) == {field}
    assert error_of(response)["details"][0]["code"] == code
    assert await spender.budgets() == []


async def test_the_project_may_be_named_by_its_id(spender: Spender) -> None:
    project_id = (await spender.ada.get(URL)).json()["id"]
    body = {"scope": "project", "scope_id": project_id, "period": "day", "limit_usd": "1"}
    assert (await spender.ada.post(f"{URL}/budgets", json=body)).status_code == 201


async def test_a_budget_survives_the_deletion_of_its_scope(
    spender: Spender, experiment: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"scope": "experiment", "scope_id": str(experiment), "period": "day", "limit_usd": "1"}
    await spender.ada.post(f"{URL}/budgets", json=body)
    monkeypatch.undo()
    (budget,) = await spender.budgets()
    assert (budget["scope_id"], budget["scope_name"]) == (str(experiment), None)


@pytest.mark.parametrize("scope", [each for each in Scope if each is not Scope.PROJECT])
async def test_every_scope_can_have_a_budget_per_period(
    spender: Spender, app: FastAPI, monkeypatch: pytest.MonkeyPatch, scope: Scope
) -> None:
    scope_id = ids.new_id()

    async def find_names(
        _session: AsyncSession, _project_id: UUID, _wanted: Collection[UUID]
    ) -> dict[UUID, str]:
        return {scope_id: "Nightly"}

    monkeypatch.setitem(scopes.known_scopes, scope, find_names)
    project_id = UUID((await spender.ada.get(URL)).json()["id"])
    owned = {"project_id": project_id, "scope": (scope, scope_id)}

    async def set_limit(usd: str | None, period: Period) -> list[tuple[str, str, str]]:
        limit_usd = None if usd is None else Decimal(usd)
        async with app.state.database.write() as session:
            limit = ScopeLimit(limit_usd=limit_usd, period=period)
            await service.set_scope_limit(session, limit=limit, **owned)
        return [
            (each["scope"], each["period"], each["limit_usd"]) for each in await spender.budgets()
        ]

    assert await set_limit("2", Period.DAY) == [(scope, "day", "2.00")]
    assert await set_limit("3", Period.DAY) == [(scope, "day", "3.00")]
    both = [(scope, "day", "3.00"), (scope, "total", "9.00")]
    assert await set_limit("9", Period.TOTAL) == both
    assert await set_limit(None, Period.DAY) == both[1:]
    assert await set_limit(None, Period.DAY) == both[1:]


async def test_a_start_is_refused_by_the_budget_of_any_scope_in_reach(
    spender: Spender, app: FastAPI, experiment: UUID, turnable_clock: TurnableClock
) -> None:
    """The day's budget of a scope counts today only."""
    await spender.limit("10")
    project_id = UUID((await spender.ada.get(URL)).json()["id"])
    body = {"scope": "experiment", "scope_id": str(experiment), "period": "day", "limit_usd": "1"}
    await spender.ada.post(f"{URL}/budgets", json=body)
    ledger = service.open_ledger(
        spender.batch_writer,
        LedgerAccount(project_id=project_id, purpose="answer", scope_ids=(experiment,)),
    )
    await spender.charge(await ledger.reserve(intent(900_000_000)), 900_000_000)

    async def check(needed_nanos: int, *scope_ids: UUID) -> None:
        async with app.state.database.read() as session:
            need = Need(real_nanos=needed_nanos)
            await service.check_open(session, project_id=project_id, scope_ids=scope_ids, need=need)

    await check(200_000_000)
    await check(100_000_000, experiment)
    with pytest.raises(BudgetExhausted, match=r"experiment Shorter replies \(\$1.00 per day\)"):
        await check(200_000_000, experiment)
    turnable_clock.advance(days=1)
    await check(200_000_000, experiment)
