"""Two-factor authentication: turning it on, signing in with it, losing it."""

import asyncio
import re
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from edison.workspace.accounts.models import RecoveryCode, SecondFactor, User
from edison.workspace.accounts.second_factor import totp
from edison.workspace.audit.models import AuditEntry
from tests.conftest import TurnableClock
from tests.factories.projects import make_member, make_project
from tests.support.browser import Browser, error_of, fields_of

PASSWORD = "Analytical-Engine-1843!"
AT = "/api/v1/auth/second-factor"
STEP = totp.STEP_SECONDS


@pytest.mark.parametrize(
    ("seconds", "code"),
    [(59, "287082"), (1111111109, "081804"), (1234567890, "005924"), (20000000000, "353130")],
)
def test_codes_match_rfc_6238(seconds: int, code: str) -> None:
    """RFC 6238, appendix B, of which six digits are kept."""
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    assert totp.code_at(secret, seconds // STEP) == code


class Person:
    """A user with an authenticator app."""

    def __init__(self, app: FastAPI, clock: TurnableClock) -> None:
        self.app, self.clock, self.browser = app, clock, Browser(app)
        self.secret = ""

    def code(self, *, steps: int = 0) -> str:
        return totp.code_at(self.secret, totp.step_at(self.clock.now()) + steps)

    async def register(self) -> None:
        body = {"email": "ada@example.org", "password": PASSWORD}
        assert (await self.browser.post("/api/v1/auth/register", json=body)).status_code == 201

    async def enrol(self) -> list[str]:
        started = await self.browser.post(f"{AT}/enrolment", json={"password": PASSWORD})
        assert started.status_code == 200, started.text
        self.secret = started.json()["secret"]
        body = {"code": self.code()}
        confirmed = await self.browser.post(f"{AT}/confirmation", json=body)
        assert confirmed.status_code == 200, confirmed.text
        self.clock.advance(seconds=STEP)
        codes: list[str] = confirmed.json()["recovery_codes"]
        return codes

    async def begin(self, browser: Browser) -> str:
        body = {"email": "ada@example.org", "password": PASSWORD}
        answer = await browser.post("/api/v1/auth/login", json=body)
        assert set(answer.json()) == {"challenge", "expires_at"}
        assert not answer.cookies
        challenge: str = answer.json()["challenge"]
        return challenge

    async def finish(self, browser: Browser, code: str, challenge: str | None = None) -> Any:
        body = {"challenge": challenge or await self.begin(browser), "code": code}
        return await browser.post("/api/v1/auth/login/second-factor", json=body)


@pytest.fixture
async def ada(app: FastAPI, turnable_clock: TurnableClock) -> Person:
    person = Person(app, turnable_clock)
    await person.register()
    return person


async def test_enrolling_shows_a_key_and_a_picture_and_needs_a_code(
    ada: Person, app: FastAPI
) -> None:
    started = (await ada.browser.post(f"{AT}/enrolment", json={"password": PASSWORD})).json()
    assert started["qr_svg"].startswith("<svg")
    assert f"secret={started['secret']}" in started["uri"]
    wrong = await ada.browser.post(f"{AT}/confirmation", json={"code": "000000"})
    assert fields_of(wrong) == {"code"}
    assert (await ada.browser.get(AT)).json() == {"enabled_at": None, "recovery_codes_left": 0}
    codes = await ada.enrol()
    assert len(set(codes)) == 10
    assert all(re.fullmatch(r"([a-z2-7]{4}-){3}[a-z2-7]{4}", each) for each in codes)
    state = (await ada.browser.get(AT)).json()
    assert state["enabled_at"] is not None
    assert state["recovery_codes_left"] == 10
    async with app.state.database.read() as session:
        stored = await session.scalar(select(SecondFactor.sealed_secret))
        digests = set(await session.scalars(select(RecoveryCode.digest)))
    assert ada.secret not in stored
    assert app.state.vault.keys.open(stored) == ada.secret
    assert not digests & set(codes)


async def test_enrolling_needs_the_password_and_signs_other_browsers_out(
    ada: Person, app: FastAPI
) -> None:
    other = Browser(app)
    body = {"email": "ada@example.org", "password": PASSWORD}
    await other.post("/api/v1/auth/login", json=body)
    for password in (None, "wrong"):
        refused = await ada.browser.post(f"{AT}/enrolment", json={"password": password})
        assert fields_of(refused) == {"password"}
    await ada.enrol()
    assert (await other.get("/api/v1/auth/me")).status_code == 401
    again = await ada.browser.post(f"{AT}/enrolment", json={"password": PASSWORD})
    assert error_of(again)["code"] == "TWO_FACTOR_ENABLED"


@pytest.mark.parametrize("steps", [-1, 0, 1])
async def test_signing_in_takes_a_code_of_about_now(ada: Person, app: FastAPI, steps: int) -> None:
    await ada.enrol()
    ada.clock.advance(minutes=5)
    browser = Browser(app)
    assert (await ada.finish(browser, ada.code(steps=steps))).status_code == 200
    assert (await browser.get("/api/v1/auth/me")).status_code == 200


async def test_a_code_works_once_and_invalidates_older_codes(ada: Person, app: FastAPI) -> None:
    await ada.enrol()
    ada.clock.advance(minutes=5)
    code, older = ada.code(), ada.code(steps=-1)
    assert (await ada.finish(Browser(app), code)).status_code == 200
    for used in (code, older):
        refused = await ada.finish(Browser(app), used)
        assert error_of(refused)["code"] == "WRONG_CODE"
        assert refused.status_code == 401
        assert not refused.cookies


async def test_of_concurrent_sign_ins_with_one_code_one_succeeds(ada: Person, app: FastAPI) -> None:
    await ada.enrol()
    ada.clock.advance(minutes=5)
    browsers = [Browser(app) for _ in range(4)]
    challenges = [await ada.begin(each) for each in browsers]
    code = ada.code()
    answers = await asyncio.gather(
        *(ada.finish(each, code, made) for each, made in zip(browsers, challenges, strict=True))
    )
    assert sorted(each.status_code for each in answers) == [200, 401, 401, 401]


@pytest.mark.parametrize("steps", [-2, 2, -20])
async def test_a_code_of_another_time_is_wrong(ada: Person, app: FastAPI, steps: int) -> None:
    await ada.enrol()
    ada.clock.advance(minutes=15)
    assert (await ada.finish(Browser(app), ada.code(steps=steps))).status_code == 401


async def test_guessing_is_limited_and_a_success_does_not_reset_the_limit(
    ada: Person, app: FastAPI
) -> None:
    await ada.enrol()
    ada.clock.advance(minutes=16)
    browser = Browser(app)
    wrong = "000000" if ada.code() != "000000" else "111111"
    answers = [(await ada.finish(browser, wrong)).status_code for _ in range(4)]
    assert answers == [401] * 4
    assert (await ada.finish(browser, ada.code())).status_code == 200
    ada.clock.advance(seconds=STEP)
    assert (await ada.finish(browser, wrong)).status_code == 401
    limited = await ada.finish(browser, ada.code())
    assert limited.status_code == 429
    ada.clock.advance(minutes=16)
    assert (await ada.finish(browser, ada.code())).status_code == 200


async def test_a_challenge_is_short_lived_and_ends_with_the_password(
    ada: Person, app: FastAPI
) -> None:
    await ada.enrol()
    browser = Browser(app)
    late = await ada.begin(browser)
    ada.clock.advance(minutes=6)
    refused = await ada.finish(browser, ada.code(), late)
    assert error_of(refused)["code"] == "CHALLENGE_EXPIRED"
    outdated = await ada.begin(browser)
    body = {"current_password": PASSWORD, "new_password": "Difference-Engine-1822!"}
    assert (await ada.browser.put("/api/v1/auth/password", json=body)).status_code == 204
    refused = await ada.finish(browser, ada.code(), outdated)
    assert error_of(refused)["code"] == "CHALLENGE_EXPIRED"
    for forged in ("", "x.y.z", ada.browser.cookies["edison_session"]):
        refused = await ada.finish(browser, ada.code(), forged or "-")
        assert error_of(refused)["code"] == "CHALLENGE_EXPIRED"


async def test_a_recovery_code_works_once(ada: Person, app: FastAPI) -> None:
    codes = await ada.enrol()
    spelled = codes[0].replace("-", " ").upper()
    assert (await ada.finish(Browser(app), spelled)).status_code == 200
    assert (await ada.finish(Browser(app), codes[0])).status_code == 401
    assert (await ada.browser.get(AT)).json()["recovery_codes_left"] == 9
    body = {"password": PASSWORD, "code": ada.code()}
    renewed = (await ada.browser.post(f"{AT}/recovery-codes", json=body)).json()
    assert not set(renewed["recovery_codes"]) & set(codes)
    assert (await ada.finish(Browser(app), codes[1])).status_code == 401


async def test_turning_it_off_needs_password_and_code(ada: Person, app: FastAPI) -> None:
    await ada.enrol()
    for body, field in (
        ({"code": ada.code()}, "password"),
        ({"password": PASSWORD, "code": "000000"}, "code"),
    ):
        assert fields_of(await ada.browser.post(f"{AT}/removal", json=body)) == {field}
    body = {"password": PASSWORD, "code": ada.code()}
    assert (await ada.browser.post(f"{AT}/removal", json=body)).status_code == 204
    login = {"email": "ada@example.org", "password": PASSWORD}
    signed_in = await Browser(app).post("/api/v1/auth/login", json=login)
    assert signed_in.json()["user"]["has_second_factor"] is False
    async with app.state.database.read() as session:
        actions = set(await session.scalars(select(AuditEntry.action)))
    assert {"second_factor.started", "second_factor.enabled", "second_factor.disabled"} <= actions
    assert "second_factor.refused" in actions


async def test_a_project_can_require_it(ada: Person, app: FastAPI) -> None:
    async with app.state.database.read() as session:
        user = await session.scalar(select(User))
    project = await make_project(app, user)
    url = f"/api/v1/projects/{project.slug}"
    required = {"is_required": True}
    lonely = await ada.browser.put(f"{url}/two-factor", json=required)
    assert error_of(lonely)["code"] == "OWN_TWO_FACTOR_MISSING"
    await ada.enrol()
    changed = await ada.browser.put(f"{url}/two-factor", json=required)
    assert changed.json()["requires_two_factor"] is True
    assert (await ada.browser.get(url)).status_code == 200
    member = await make_member(app, project)
    refused = await member.browser.get(url)
    assert refused.status_code == 403
    assert error_of(refused)["code"] == "TWO_FACTOR_REQUIRED"
    off = await ada.browser.put(f"{url}/two-factor", json={"is_required": False})
    assert off.json()["requires_two_factor"] is False
    assert (await member.browser.get(url)).status_code == 200
