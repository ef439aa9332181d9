"""Open and closed registration: `EDISON_REGISTRATION`, and the meaning of `auto` for a request."""

import asyncio
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select

from edison.settings import Settings
from edison.workspace.accounts.models import User
from edison.workspace.accounts.registration import usual_mode
from edison.workspace.accounts.types import RegistrationMode
from tests.factories.accounts import make_user
from tests.support.browser import Browser, error_of

PASSWORD = "Analytical-Engine-1843!"
FORWARDED = [
    {"X-Forwarded-For": "203.0.113.9"},
    {"X-Forwarded-Proto": "https"},
    {"x-forwarded-host": "edison.example.org"},
    {"X-Forwarded-Whatever": ""},
    {"Forwarded": "for=203.0.113.9"},
]
AFAR: list[dict[str, Any]] = [
    {"host": "0.0.0.0"},
    {"host": "192.0.2.7"},
    {"host": "::"},
    {"public_url": "https://edison.example.org"},
    {"trusted_proxies": ("127.0.0.1",)},
]


async def register(browser: Browser, email: str, **headers: str) -> int:
    response = await browser.post(
        "/api/v1/auth/register", json={"email": email, "password": PASSWORD}, headers=headers
    )
    if response.status_code == 403:
        assert error_of(response)["code"] == "REGISTRATION_CLOSED"
    return response.status_code


def test_auto_is_the_default() -> None:
    assert Settings.model_fields["registration"].default == "auto"


async def test_anyone_registers_on_the_own_machine(anonymous: Browser, app: FastAPI) -> None:
    await make_user(app)
    assert (await anonymous.get("/api/v1/auth/config")).json()["registration_open"] is True
    assert await register(anonymous, "grace@example.org") == 201


@pytest.mark.parametrize("headers", FORWARDED)
async def test_forwarded_requests_need_an_invitation(
    anonymous: Browser, app: FastAPI, headers: dict[str, str]
) -> None:
    await make_user(app)
    config = (await anonymous.get("/api/v1/auth/config", headers=headers)).json()
    assert config["registration_open"] is False
    assert await register(anonymous, "grace@example.org", **headers) == 403


async def test_requests_over_the_network_need_an_invitation(app: FastAPI) -> None:
    await make_user(app)
    assert await register(Browser(app, address="192.0.2.7"), "grace@example.org") == 403


@pytest.mark.parametrize("reached", AFAR)
def test_registration_is_closed_on_a_public_server(settings: Settings, reached: Any) -> None:
    assert usual_mode(settings) is RegistrationMode.OPEN
    afar = settings.model_copy(update=reached)
    assert usual_mode(afar) is RegistrationMode.FIRST_ONLY
    opened = afar.model_copy(update={"registration": "open"})
    assert usual_mode(opened) is RegistrationMode.OPEN


class TestPublicServer:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"public_url": "https://edison.example.org"})

    async def test_only_the_first_person_can_register(
        self, anonymous: Browser, app: FastAPI
    ) -> None:
        assert (await anonymous.get("/api/v1/auth/config")).json()["registration_open"] is True
        assert await register(anonymous, "ada@example.org") == 201
        assert (await anonymous.get("/api/v1/auth/config")).json()["registration_open"] is False
        assert await register(Browser(app), "grace@example.org") == 403

    async def test_of_concurrent_first_registrations_one_succeeds(self, app: FastAPI) -> None:
        emails = [f"person{number}@example.org" for number in range(6)]
        found = await asyncio.gather(*(register(Browser(app), each) for each in emails))
        assert sorted(found) == [201] + [403] * 5
        async with app.state.database.read() as session:
            assert await session.scalar(select(func.count()).select_from(User)) == 1
