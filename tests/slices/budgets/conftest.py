"""A project of Ada's, and a ledger for its calls."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.batch_writer import BatchWriter
from edison.kit import ids
from edison.pipeline.generate.path.ports import AttemptCost, Intent, Ledger, Reservation
from edison.workspace.budgets import scopes, service
from edison.workspace.budgets.models import Scope
from edison.workspace.budgets.types import LedgerAccount
from tests.support.browser import Browser

URL = "/api/v1/projects/mine"


@dataclass(kw_only=True)
class Spender:
    """Spends a project's money without calling a provider."""

    ada: Browser
    ledger: Ledger
    batch_writer: BatchWriter

    async def limit(self, usd: str, *, period: str = "total", threshold: float = 0.8) -> str:
        response = await self.ada.post(
            f"{URL}/budgets",
            json={"period": period, "limit_usd": usd, "alert_threshold": threshold},
        )
        assert response.status_code == 201, response.text
        return str(response.json()["id"])

    async def spend(self, usd: float, *, reserve: float | None = None) -> None:
        nanos = round(usd * 1e9)
        worst = nanos if reserve is None else round(reserve * 1e9)
        await self.charge(await self.ledger.reserve(intent(worst)), nanos)

    async def charge(self, reservation: Reservation, nanos: int) -> None:
        reservation.charge(AttemptCost(cost_nanos=nanos, usage=None, failure=None))
        await self.batch_writer.flush()

    async def budgets(self) -> list[dict[str, Any]]:
        return list((await self.ada.get(f"{URL}/budgets")).json()["items"])

    async def amounts(self) -> tuple[str, str, str]:
        """The amounts spent and reserved by the only budget, and its state."""
        (budget,) = await self.budgets()
        return budget["spent_usd"], budget["reserved_usd"], budget["state"]

    async def entries(self) -> list[dict[str, Any]]:
        return list((await self.ada.get(f"{URL}/ledger")).json()["items"])


def intent(worst_case_nanos: int | None, *, leaves_at_once: bool = True) -> Intent:
    return Intent(
        provider="openai",
        model="gpt-x",
        attempt=1,
        worst_case_nanos=worst_case_nanos,
        price_version="own",
        leaves_at_once=leaves_at_once,
    )


@pytest.fixture
async def spender(ada: Browser, app: FastAPI) -> Spender:
    project = (await ada.post("/api/v1/projects", json={"name": "Mine"})).json()
    batch_writer: BatchWriter = app.state.batch_writer
    ledger = service.open_ledger(
        batch_writer, LedgerAccount(project_id=UUID(project["id"]), purpose="try")
    )
    return Spender(ada=ada, ledger=ledger, batch_writer=batch_writer)


@pytest.fixture
def experiment(monkeypatch: pytest.MonkeyPatch) -> UUID:
    """An experiment with a registered name."""
    experiment_id = ids.new_id()

    async def find_names(
        _session: AsyncSession, _project_id: UUID, wanted: Collection[UUID]
    ) -> dict[UUID, str]:
        return {experiment_id: "Shorter replies"} if experiment_id in wanted else {}

    monkeypatch.setitem(scopes.known_scopes, Scope.EXPERIMENT, find_names)
    return experiment_id
