"""A project's settings."""

import asyncio
from decimal import Decimal
from typing import Any

import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st
from sqlalchemy import select

from edison.kit import money
from edison.workspace.audit.models import AuditEntry
from edison.workspace.events.models import Event
from edison.workspace.projects.models import Project, Role
from edison.workspace.projects.schemas import SettingsChange
from tests.factories.projects import make_member
from tests.support.browser import Browser, error_of, fields_of

DEFAULTS: dict[str, Any] = {
    "version": 1,
    "default_budget_usd": "100.00",
    "default_max_iterations": 10,
    "allow_synthetic_datasets": True,
    "require_review_approval": True,
    "cost_alert_threshold": 0.8,
    "archive_days": 60,
    "retention_days": 90,
}


async def test_a_new_project_has_the_default_settings(ada: Browser, url: str) -> None:
    settings = (await ada.get(f"{url}/settings")).json()
    assert settings.pop("updated_at")
    assert settings == DEFAULTS


async def test_a_viewer_may_read_them(app: FastAPI, project: Project, url: str) -> None:
    viewer = await make_member(app, project, Role.VIEWER)
    assert (await viewer.browser.get(f"{url}/settings")).status_code == 200


async def test_saved_settings_come_back_with_the_next_version(ada: Browser, url: str) -> None:
    change = DEFAULTS | {
        "default_budget_usd": "0.5",
        "default_max_iterations": 3,
        "allow_synthetic_datasets": False,
        "require_review_approval": False,
        "cost_alert_threshold": 0.25,
        "retention_days": 0,
    }
    saved = (await ada.put(f"{url}/settings", json=change)).json()
    assert saved == (await ada.get(f"{url}/settings")).json()
    saved.pop("updated_at")
    assert saved == change | {"version": 2, "default_budget_usd": "0.50"}


async def test_a_stale_save_is_refused_with_the_current_settings(ada: Browser, url: str) -> None:
    first = await ada.put(f"{url}/settings", json=DEFAULTS | {"retention_days": 97})
    second = await ada.put(f"{url}/settings", json=DEFAULTS | {"retention_days": 98})
    assert second.status_code == 409
    assert error_of(second)["code"] == "STALE"
    assert error_of(second)["details"] == {"current": first.json()}
    again = DEFAULTS | {"retention_days": 98, "version": first.json()["version"]}
    assert (await ada.put(f"{url}/settings", json=again)).status_code == 200


async def test_of_ten_concurrent_saves_exactly_one_succeeds(ada: Browser, url: str) -> None:
    responses = await asyncio.gather(
        *(
            ada.put(f"{url}/settings", json=DEFAULTS | {"retention_days": days})
            for days in range(90, 100)
        )
    )
    assert sorted(response.status_code for response in responses) == [200] + [409] * 9
    assert (await ada.get(f"{url}/settings")).json()["version"] == 2


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("default_budget_usd", "-0.01"),
        ("default_budget_usd", "10000.01"),
        ("default_budget_usd", "0.0000000001"),
        ("default_budget_usd", "NaN"),
        ("default_budget_usd", "Infinity"),
        ("default_budget_usd", "ten"),
        ("default_budget_usd", None),
        ("default_max_iterations", 0),
        ("default_max_iterations", 101),
        ("default_max_iterations", 2.5),
        ("allow_synthetic_datasets", "maybe"),
        ("require_review_approval", None),
        ("cost_alert_threshold", 1.01),
        ("cost_alert_threshold", -0.1),
        ("archive_days", 0),
        ("archive_days", 91),
        ("retention_days", -1),
        ("retention_days", 3651),
        ("version", "latest"),
        ("version", 2**40),
        ("default_provider", "OPENAI"),
    ],
)
async def test_values_out_of_range_are_named(
    ada: Browser, url: str, field: str, value: object
) -> None:
    response = await ada.put(f"{url}/settings", json=DEFAULTS | {field: value})
    assert fields_of(response) == {field}


async def test_every_field_must_be_sent(ada: Browser, url: str) -> None:
    assert fields_of(await ada.put(f"{url}/settings", json={})) == set(DEFAULTS)


async def test_the_largest_and_finest_budgets_are_exact(ada: Browser, url: str) -> None:
    change = dict(DEFAULTS)
    for amount in ("10000.00", "0.000000001", "9999.999999999", "0.00"):
        saved = await ada.put(f"{url}/settings", json=change | {"default_budget_usd": amount})
        assert saved.json()["default_budget_usd"] == amount
        change["version"] = saved.json()["version"]


async def test_changed_settings_are_audited_and_published(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    await ada.put(f"{url}/settings", json=DEFAULTS | {"default_budget_usd": "5"})
    async with app.state.database.read() as session:
        entry = await session.scalar(
            select(AuditEntry).where(AuditEntry.action == "settings.changed")
        )
        event = await session.scalar(select(Event).where(Event.stream == f"project:{project.id}"))
    assert entry.before == {"default_budget_usd": "100.00"}
    assert entry.after == {"default_budget_usd": "5.00"}
    assert event.kind == "settings.changed"


@hypothesis(deadline=None)
@given(st.integers(0, 10_000 * money.NANOS_PER_USD))
def test_amounts_round_trip_through_the_api(nanos: int) -> None:
    shown = format(money.usd_from_nanos(nanos), "f")
    assert "E" not in shown
    assert len(shown.partition(".")[2]) >= 2
    read = SettingsChange(**(DEFAULTS | {"default_budget_usd": shown}))
    assert read.columns()["default_budget_nanos"] == nanos


@hypothesis(deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=0, max_value=10_000))
def test_an_amount_is_stored_exactly_or_refused(amount: Decimal) -> None:
    try:
        read = SettingsChange(**(DEFAULTS | {"default_budget_usd": amount}))
    except ValueError:
        assert amount * money.NANOS_PER_USD % 1 != 0 or amount.as_tuple().exponent < -9  # type: ignore[operator]  # finite decimals have a number here
    else:
        nanos = read.columns()["default_budget_nanos"]
        assert Decimal(str(nanos)) / money.NANOS_PER_USD == amount
