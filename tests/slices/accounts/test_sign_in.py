"""Registering and signing in with a password."""

import statistics
import time

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from edison.settings import Settings
from edison.workspace.accounts.models import User
from tests.conftest import TurnableClock
from tests.support.browser import Browser, error_of, fields_of

PASSWORD = "Analytical-Engine-1843!"
REGISTER = "/api/v1/auth/register"
LOGIN = "/api/v1/auth/login"


async def register(browser: Browser, email: str = "ada@example.org") -> None:
    response = await browser.post(REGISTER, json={"email": email, "password": PASSWORD})
    assert response.status_code == 201, response.text


async def login(browser: Browser, password: str, email: str = "ada@example.org") -> int:
    response = await browser.post(LOGIN, json={"email": email, "password": password})
    return response.status_code


async def test_registering_signs_in(anonymous: Browser) -> None:
    await register(anonymous)
    me = await anonymous.get("/api/v1/auth/me")
    assert me.json()["user"]["email"] == "ada@example.org"


async def test_an_email_is_taken_in_any_spelling(anonymous: Browser, app: FastAPI) -> None:
    await register(anonymous)
    again = await Browser(app).post(
        REGISTER, json={"email": "ADA@Example.ORG", "password": PASSWORD}
    )
    assert again.status_code == 409
    assert error_of(again)["code"] == "EMAIL_TAKEN"
    assert error_of(again)["path"] == "email"


@pytest.mark.usefixtures("real_passwords")
async def test_passwords_are_stored_as_bcrypt_of_cost_12(anonymous: Browser, app: FastAPI) -> None:
    await register(anonymous)
    async with app.state.database.read() as session:
        stored = await session.scalar(select(User.password_hash))
    assert stored.startswith("$2b$12$")
    assert PASSWORD not in stored


@pytest.mark.parametrize(
    ("password", "codes"),
    [
        ("Short-1!", {"too_short"}),
        ("A1!" + "a" * 126, {"too_long"}),
        ("analytical-engine-1843!", {"no_upper"}),
        ("ANALYTICAL-ENGINE-1843!", {"no_lower"}),
        ("Analytical-Engine-Ada!", {"no_digit"}),
        ("AnalyticalEngine1843", {"no_special"}),
        ("short", {"too_short", "no_upper", "no_digit", "no_special"}),
    ],
)
async def test_every_broken_password_rule_is_named(
    anonymous: Browser, password: str, codes: set[str]
) -> None:
    response = await anonymous.post(REGISTER, json={"email": "a@b.co", "password": password})
    assert fields_of(response) == {"password"}
    assert {detail["code"] for detail in error_of(response)["details"]} == codes


@pytest.mark.parametrize(
    "email", ["", "ada", "ada@", "@b.co", "a b@c.de", "a@b", "x" * 250 + "@b.co"]
)
async def test_a_malformed_email_is_refused(anonymous: Browser, email: str) -> None:
    response = await anonymous.post(REGISTER, json={"email": email, "password": PASSWORD})
    assert fields_of(response) == {"email"}


@pytest.mark.parametrize("name", ["Ada Lovelace", "عائشة", "Łukasz Żółć", "李小龍", "O'Neill 🎉"])
async def test_names_of_any_script_are_stored_unchanged(anonymous: Browser, name: str) -> None:
    body = {"email": "a@b.co", "password": PASSWORD, "name": name}
    response = await anonymous.post(REGISTER, json=body)
    assert response.json()["user"]["name"] == name


@pytest.mark.parametrize("name", ["", "   ", "a\u202eb", "nul\u0000", "two\nlines", "x" * 256])
async def test_deceptive_or_overlong_names_are_refused(anonymous: Browser, name: str) -> None:
    body = {"email": "a@b.co", "password": PASSWORD, "name": name}
    assert fields_of(await anonymous.post(REGISTER, json=body)) == {"name"}


async def test_the_right_password_signs_in(anonymous: Browser, app: FastAPI) -> None:
    await register(anonymous)
    async with Browser(app) as other:
        assert await login(other, PASSWORD) == 200
        assert (await other.get("/api/v1/auth/me")).status_code == 200


async def test_unknown_email_and_wrong_password_get_the_same_answer(
    anonymous: Browser, app: FastAPI
) -> None:
    await register(anonymous)
    answers = []
    for email in ("ada@example.org", "nobody@example.org"):
        body = {"email": email, "password": "Wrong-Password-1!"}
        response = await Browser(app).post(LOGIN, json=body)
        error = error_of(response)
        answers.append((response.status_code, error["code"], error["message"], error["details"]))
    assert (
        answers[0] == answers[1] == (401, "INVALID_CREDENTIALS", "Invalid email or password.", None)
    )


@pytest.mark.usefixtures("real_passwords")
async def test_an_unknown_email_takes_as_long_as_a_wrong_password(
    anonymous: Browser, app: FastAPI
) -> None:
    await register(anonymous)
    times: dict[str, list[float]] = {"ada@example.org": [], "nobody@example.org": []}
    for _ in range(3):
        for email, measured in times.items():
            started = time.perf_counter()
            await login(Browser(app), "Wrong-Password-1!", email)
            measured.append(time.perf_counter() - started)
    known, unknown = (statistics.median(measured) for measured in times.values())
    # Without a hash to compare, an unknown email would answer some fifty times faster.
    assert unknown > known / 3


async def test_five_failures_lock_the_account_for_fifteen_minutes(
    anonymous: Browser, app: FastAPI, turnable_clock: TurnableClock
) -> None:
    await register(anonymous)
    for _ in range(5):
        assert await login(Browser(app), "Wrong-Password-1!") == 401
    locked = await Browser(app).post(LOGIN, json={"email": "ada@example.org", "password": PASSWORD})
    assert locked.status_code == 429
    assert error_of(locked)["code"] == "ACCOUNT_LOCKED"
    assert "15 minutes" in error_of(locked)["message"]
    assert int(locked.headers["Retry-After"]) == 900
    turnable_clock.advance(minutes=15, seconds=1)
    assert await login(Browser(app), PASSWORD) == 200


async def test_an_unknown_account_locks_like_a_known_one(app: FastAPI) -> None:
    statuses = [await login(Browser(app), "Wrong-1!", "nobody@example.org") for _ in range(6)]
    assert statuses == [401] * 5 + [429]


async def test_a_success_resets_earlier_failures(anonymous: Browser, app: FastAPI) -> None:
    await register(anonymous)
    for _ in range(2):
        for _ in range(4):
            assert await login(Browser(app), "Wrong-Password-1!") == 401
        assert await login(Browser(app), PASSWORD) == 200


class TestAddressLimit:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"login_attempts": 5})

    async def test_five_failures_from_one_address_stop_further_tries(
        self, app: FastAPI, turnable_clock: TurnableClock
    ) -> None:
        for number in range(5):
            assert await login(Browser(app), "Wrong-1!", f"user{number}@example.org") == 401
        body = {"email": "other@example.org", "password": "Wrong-1!"}
        limited = await Browser(app).post(LOGIN, json=body)
        assert limited.status_code == 429
        assert error_of(limited)["code"] == "TOO_MANY_REQUESTS"
        assert int(limited.headers["Retry-After"]) == 900
        elsewhere = Browser(app, address="192.0.2.7")
        assert await login(elsewhere, "Wrong-1!", "other@example.org") == 401
        turnable_clock.advance(minutes=16)
        assert await login(Browser(app), "Wrong-1!", "other@example.org") == 401

    async def test_successful_sign_ins_do_not_count_towards_the_limit(
        self, anonymous: Browser, app: FastAPI
    ) -> None:
        await register(anonymous)
        assert [await login(Browser(app), PASSWORD) for _ in range(7)] == [200] * 7

    async def test_registrations_from_one_address_are_limited(self, app: FastAPI) -> None:
        for number in range(5):
            await register(Browser(app), f"user{number}@example.org")
        body = {"email": "sixth@example.org", "password": PASSWORD}
        limited = await Browser(app).post(REGISTER, json=body)
        assert limited.status_code == 429
        assert "Retry-After" in limited.headers


class TestInvitedOnly:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"registration": "invited"})

    async def test_registration_can_be_closed(self, anonymous: Browser) -> None:
        body = {"email": "a@b.co", "password": PASSWORD}
        response = await anonymous.post(REGISTER, json=body)
        assert response.status_code == 403
        config = (await anonymous.get("/api/v1/auth/config")).json()
        assert config["registration_open"] is False


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"email": "a@b.co", "password": PASSWORD, "role": "admin"}, "role"),
        ({"email": 7, "password": PASSWORD}, "email"),
        ({"password": PASSWORD}, "email"),
        ({"email": "a@b.co", "password": ["x"]}, "password"),
        ([], "body"),
        (None, "body"),
    ],
)
async def test_a_body_of_the_wrong_shape_names_the_field(
    anonymous: Browser, body: object, field: str
) -> None:
    response = await anonymous.post(REGISTER, json=body)
    assert fields_of(response) == {field}
    assert PASSWORD not in response.text


async def test_malformed_json_is_reported(anonymous: Browser) -> None:
    headers = {"Content-Type": "application/json"}
    response = await anonymous.post(REGISTER, content='{"email": ', headers=headers)
    assert fields_of(response) == {"body"}
