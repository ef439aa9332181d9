"""Budgets with a scope smaller than the project."""

from typing import Any
from uuid import UUID

import pytest

from edison.kit import ids
from tests.slices.budgets.conftest import URL, Spender
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
