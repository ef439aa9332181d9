"""Reading the ledger: filters, totals of the selection, exports."""

import csv
import io
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI

from edison.kit import ids
from edison.workspace.audit.models import AuditEntry
from tests.factories.ledger import add_entry
from tests.support.browser import Browser, fields_of

URL = "/api/v1/projects/mine/ledger"
RUN = ids.new_id()


def on(day: int, hour: int = 12) -> datetime:
    return datetime(2026, 3, day, hour, tzinfo=UTC)


@pytest.fixture
async def project_id(ada: Browser) -> UUID:
    return UUID((await ada.post("/api/v1/projects", json={"name": "Mine"})).json()["id"])


@pytest.fixture
async def ledger(app: FastAPI, project_id: UUID) -> None:
    """Four attempts, named by their failures, on three days."""
    async with app.state.database.write() as session:
        add_entry(session, project_id, at=on(1, 0), failure="first", input_tokens=10)
        add_entry(
            session,
            project_id,
            at=on(2, 23),
            failure="second",
            purpose="run",
            run_id=RUN,
            model="gpt-y",
            cost_nanos=2_500_000_001,
            input_tokens=5,
            output_tokens=7,
        )
        add_entry(
            session,
            project_id,
            at=on(3, 0),
            failure="third",
            provider="anthropic",
            model="claude",
            state="unconfirmed",
            cost_nanos=4_000_000_000,
        )
        add_entry(
            session,
            project_id,
            at=on(3, 1),
            failure="fourth",
            state="reserved",
            reserved_nanos=500_000_000,
            cost_nanos=None,
            settled_at=None,
        )


async def found(ada: Browser, **query: str) -> list[str]:
    response = await ada.get(URL, params=query)
    assert response.status_code == 200, response.text
    return [entry["failure"] for entry in response.json()["items"]]


@pytest.mark.usefixtures("ledger")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, ["fourth", "third", "second", "first"]),
        ({"purpose": "run"}, ["second"]),
        ({"model": "gpt-x"}, ["fourth", "first"]),
        ({"model": "gpt"}, []),
        ({"provider": "anthropic"}, ["third"]),
        ({"run_id": str(RUN)}, ["second"]),
        ({"state": "unconfirmed"}, ["third"]),
        ({"from": "2026-03-02"}, ["fourth", "third", "second"]),
        ({"to": "2026-03-02"}, ["second", "first"]),
        ({"from": "2026-03-02", "to": "2026-03-02"}, ["second"]),
        ({"from": "2026-03-03", "to": "2026-03-01"}, []),
        ({"q": "CLAU"}, ["third"]),
        ({"q": "gpt", "state": "settled"}, ["second", "first"]),
        ({"sort": "created_at"}, ["first", "second", "third", "fourth"]),
        ({"sort": "-cost"}, ["third", "second", "first", "fourth"]),
    ],
)
async def test_filters_hold_together(
    ada: Browser, query: dict[str, str], expected: list[str]
) -> None:
    assert await found(ada, **query) == expected


@pytest.mark.usefixtures("ledger")
async def test_pages_by_cost_add_up(ada: Browser) -> None:
    names: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = (await ada.get(URL, params={"sort": "cost", "limit": "1", **cursor})).json()
        names += [entry["failure"] for entry in page["items"]]
        assert page["total"] == 4
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert names == ["fourth", "first", "second", "third"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"state": "lost"}, "state"),
        ({"run_id": "7"}, "run_id"),
        ({"from": "yesterday"}, "from"),
        ({"to": "9999-12-31"}, "to"),
        ({"sort": "tokens"}, "sort"),
    ],
)
@pytest.mark.usefixtures("project_id")
async def test_a_wrong_filter_names_itself(ada: Browser, query: dict[str, str], field: str) -> None:
    assert fields_of(await ada.get(URL, params=query)) == {field}


async def totals(ada: Browser, **query: str) -> dict[str, Any]:
    return dict((await ada.get(f"{URL}/totals", params=query)).json())


@pytest.mark.usefixtures("ledger")
async def test_totals_separate_confirmed_from_unconfirmed_cost(ada: Browser) -> None:
    assert await totals(ada) == {
        "calls": 4,
        "failed_calls": 4,
        "unpriced_calls": 0,
        "cost_usd": "7.500000001",
        "simulated_usd": "0.00",
        "unanswered_calls": 2,
        "unanswered_usd": "3.500000001",
        "reserved_usd": "0.50",
        "unconfirmed_calls": 1,
        "unconfirmed_usd": "4.00",
        "input_tokens": 15,
        "output_tokens": 7,
    }
    of_run = await totals(ada, purpose="run", q="gpt")
    assert (of_run["calls"], of_run["cost_usd"]) == (1, "2.500000001")


@pytest.mark.usefixtures("project_id")
async def test_totals_of_nothing_are_zero(ada: Browser) -> None:
    assert set((await totals(ada)).values()) == {0, "0.00"}


async def test_calls_without_a_price_are_counted(
    ada: Browser, app: FastAPI, project_id: UUID
) -> None:
    async with app.state.database.write() as session:
        add_entry(session, project_id, reserved_nanos=None, cost_nanos=None)
        add_entry(session, project_id, reserved_nanos=None, cost_nanos=None, state="reserved")
    assert (await totals(ada))["unpriced_calls"] == 1


@pytest.mark.usefixtures("ledger")
async def test_facets_list_the_values_in_use(ada: Browser) -> None:
    assert (await ada.get(f"{URL}/facets")).json() == {
        "purposes": ["run", "try"],
        "providers": ["anthropic", "openai"],
        "models": ["claude", "gpt-x", "gpt-y"],
    }


@pytest.mark.usefixtures("ledger")
async def test_the_csv_export_contains_the_filtered_entries(ada: Browser, app: FastAPI) -> None:
    response = await ada.get(f"{URL}/export", params={"from": "2026-03-02", "q": "gpt"})
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert 'filename="mine-ledger-' in response.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert [(row["failure"], row["cost_usd"], row["run_id"]) for row in rows] == [
        ("fourth", "", ""),
        ("second", "2.500000001", str(RUN)),
    ]
    async with app.state.database.read() as session:
        noted = await session.scalar(
            AuditEntry.__table__.select()
            .with_only_columns(AuditEntry.after)
            .where(AuditEntry.action == "ledger.exported")
        )
    assert noted == {"format": "csv", "q": "gpt", "first_day": "2026-03-02"}


async def test_a_csv_file_runs_no_formulas(ada: Browser, app: FastAPI, project_id: UUID) -> None:
    async with app.state.database.write() as session:
        add_entry(session, project_id, model="=HYPERLINK(1)")
    (row,) = csv.DictReader(io.StringIO((await ada.get(f"{URL}/export")).text))
    assert row["model"] == "'=HYPERLINK(1)"


async def test_a_long_file_has_every_entry_once(
    ada: Browser, app: FastAPI, project_id: UUID
) -> None:
    async with app.state.database.write() as session:
        for number in range(1203):
            add_entry(session, project_id, at=on(1 + number % 3), attempt=number)
    response = await ada.get(f"{URL}/export", params={"format": "jsonl"})
    assert response.headers["content-type"] == "application/x-ndjson"
    attempts = [line.split('"attempt":')[1].split(",")[0] for line in response.text.splitlines()]
    assert sorted(map(int, attempts)) == list(range(1203))


async def test_another_project_sees_nothing_of_it(ada: Browser, app: FastAPI) -> None:
    other = (await ada.post("/api/v1/projects", json={"name": "Other"})).json()
    await ada.post("/api/v1/projects", json={"name": "Mine"})
    async with app.state.database.write() as session:
        add_entry(session, UUID(other["id"]))
    assert await found(ada) == []
    assert (await totals(ada))["calls"] == 0
    assert (await ada.get(f"{URL}/facets")).json()["models"] == []
    assert len((await ada.get(f"{URL}/export")).text.splitlines()) == 1
