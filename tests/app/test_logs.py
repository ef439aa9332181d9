"""Logs: every line has the same fields and contains no secrets."""

import json
import logging
from typing import Any

import pytest
import structlog
from fastapi import FastAPI
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from edison.app.logs import configure_logs
from edison.kit import ids
from edison.kit.redaction import redact, redact_text
from edison.settings import Settings
from edison.workspace.accounts import service
from edison.workspace.accounts.models import User
from tests.support.browser import Browser, error_of
from tests.support.thorough import rounds

Lines = list[dict[str, Any]]

SECRETS = [
    "edn_5Qx8dPq0aVwzT1m3nB7kL9sRfY2hJ4gC6uE",
    "sk-ant-REDACTED",
    "sk-proj-Zy9Xw8Vu7Ts6",
    "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLWJ5dGVz",
    "$2b$12$bCdmwRMBh7b350Lf/sFrzOdVz3FV9s9j4urGJvyZvyb3J9Tz0VR3m",
    "K7gNU3sdo-OL0wNhqoVWhr3g6s1xYv72ol_pe-Unols",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
]
UNSHAPED = "correct horse battery staple"
TELLING_NAMES = [
    "password",
    "new_password",
    "client_secret",
    "Authorization",
    "cookie",
    "set-cookie",
    "api_key",
    "apiKey",
    "access_token",
    "X-CSRF-Token",
    "private_key",
    "credentials",
]


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str], settings: Settings) -> Any:
    """Reads the JSON lines logged since the last call."""
    configure_logs(settings.model_copy(update={"log_format": "json", "log_level": "debug"}))

    def read() -> Lines:
        return [json.loads(line) for line in capsys.readouterr().err.splitlines() if line]

    return read


def test_every_line_has_time_level_and_location(lines: Any) -> None:
    structlog.get_logger("edison.test").info("began", count=3)
    logging.getLogger("uvicorn.error").warning("bad %s", "request")
    ours, servers = lines()
    assert (ours["event"], ours["level"], ours["logger"], ours["count"]) == (
        "began",
        "info",
        "edison.test",
        3,
    )
    assert ours["timestamp"].endswith("Z")
    assert "trace_id" not in ours
    assert (servers["event"], servers["level"]) == ("bad request", "warning")
    assert servers["timestamp"].endswith("Z")


def test_configuring_twice_does_not_write_twice(lines: Any, settings: Settings) -> None:
    configure_logs(settings.model_copy(update={"log_format": "json"}))
    structlog.get_logger("edison.test").info("once")
    assert len(lines()) == 1


def test_libraries_log_only_warnings(lines: Any) -> None:
    logging.getLogger("sqlalchemy.engine.Engine").info("SELECT 1")
    logging.getLogger("uvicorn.access").info("GET /")
    assert lines() == []


def test_the_console_has_no_escape_sequences_or_forged_lines(
    capsys: pytest.CaptureFixture[str], settings: Settings
) -> None:
    configure_logs(settings.model_copy(update={"log_format": "console"}))
    structlog.get_logger("edison.test").info("request", path="/a\n2026 [info] forged\x1b[31m")
    assert len(capsys.readouterr().err.splitlines()) == 1


async def test_a_request_line_names_the_trace_and_the_person(
    lines: Any, app: FastAPI, person: tuple[User, Browser]
) -> None:
    configure_logs(app.state.settings.model_copy(update={"log_format": "json"}))
    user, browser = person
    lines()
    trace_id = "4bf92f3577b34da6a3ce929d0e0e4736"
    response = await browser.get(
        "/api/v1/auth/me", headers={"traceparent": f"00-{trace_id}-00f067aa0ba902b7-01"}
    )
    (line,) = lines()
    assert (line["path"], line["status"]) == ("/api/v1/auth/me", 200)
    assert line["user_id"] == str(user.id)
    assert line["trace_id"] == response.headers["X-Trace-Id"] == trace_id


async def test_an_unexpected_error_is_logged_in_full_but_shown_as_a_trace_id(
    lines: Any, anonymous: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> bool:
        raise RuntimeError(f"lost postgresql://edison:{SECRETS[-1]}@db/edison and {SECRETS[0]}")

    monkeypatch.setattr(service, "has_users", fail)
    response = await anonymous.get("/api/v1/auth/config")
    assert response.status_code == 500
    error = error_of(response)
    assert error["code"] == "INTERNAL_SERVER_ERROR"
    assert "lost" not in response.text
    written = [line for line in lines() if "exception" in line]
    assert [line["trace_id"] for line in written] == [error["traceId"]]
    assert "RuntimeError: lost postgresql://edison:***@db/edison and ***" in written[0]["exception"]
    assert "Traceback" in written[0]["exception"]


async def test_an_invitation_link_is_not_logged(lines: Any, anonymous: Browser) -> None:
    secret = ids.new_secret()
    await anonymous.get(f"/api/v1/invitations/{secret}")
    await anonymous.get(f"/invitations/{secret}")
    written = lines()
    assert len([line for line in written if "path" in line]) == 2
    assert secret not in json.dumps(written)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize(
    "text",
    ["{}", "near {}, far", "'{}'", "key={}", "Bearer {}", "https://x.test/a/{}?b=1", "({})\n"],
)
def test_a_secret_is_masked_in_the_middle_of_text(secret: str, text: str) -> None:
    assert secret not in redact_text(text.format(secret))


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (
            "postgresql+asyncpg://u:p@ss/w:rd@db:5432/e?x=1",
            "postgresql+asyncpg://u:***@db:5432/e?x=1",
        ),
        ("https://user:hunter2@example.org/a", "https://user:***@example.org/a"),
        ("http://127.0.0.1:8000/docs?q=a@b", "http://127.0.0.1:8000/docs?q=a@b"),
        ("GET /cb?code=abc&state=def&x=1", "GET /cb?code=***&state=***&x=1"),
        ("Authorization: Basic dXNlcg==", "Authorization: ***"),
        ("{'password': 'a b', 'n': 1}", "{'password': ***, 'n': 1}"),
        ('{"api_key":"a\\"b","n":1}', '{"api_key":***,"n":1}'),
        ("max_tokens=100 total_tokens: 7", "max_tokens=100 total_tokens: 7"),
        ("password=12345678", "password=***"),
        (
            "1 error input_value='hunter2', input_type=str",
            "1 error input_value=***, input_type=str",
        ),
        ("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----", "***"),
    ],
)
def test_text_keeps_everything_but_the_secret(text: str, clean: str) -> None:
    assert redact_text(text) == clean


def test_counts_and_ids_of_tokens_stay_readable() -> None:
    token_id = ids.new_id()
    assert redact({"input_tokens": 12, "token_id": token_id, "tokens": ["x"]}) == {
        "input_tokens": 12,
        "token_id": str(token_id),
        "tokens": "***",
    }


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError("no")


def test_no_value_makes_logging_fail(lines: Any) -> None:
    endless: dict[str, Any] = {}
    endless["self"] = endless
    structlog.get_logger("edison.test").info(
        "odd \ud800",
        big=2**80,
        broken=Unprintable(),
        endless=endless,
        keys={1: {2, 3}, None: b"\xff"},
    )
    (line,) = lines()
    assert line["event"] == "odd \\ud800"
    assert line["broken"] == "<Unprintable>"


class Holder:
    def __init__(self, value: object) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"Holder(value={self.value!r})"


def wrappings(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    names = st.text(max_size=8)
    return st.one_of(
        st.lists(inner, min_size=1, max_size=3),
        st.tuples(st.integers(), inner),
        st.dictionaries(names, inner, min_size=1, max_size=3),
        inner.map(lambda value: {str(value): "as a name"}),
        inner.map(Holder),
        inner.map(RuntimeError),
        inner.map(lambda value: f"text around {value} and more"),
        inner.map(lambda value: str(value).encode("utf-8", "replace")),
    )


@given(data=st.data())
@hypothesis_settings(
    max_examples=rounds(30, thorough=150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_a_secret_is_masked_at_any_position(
    data: st.DataObject, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logs(Settings(log_format=data.draw(st.sampled_from(["json", "console"]))))
    secret = data.draw(st.sampled_from(SECRETS))
    event = data.draw(st.recursive(st.just(secret), wrappings, max_leaves=6))
    name = data.draw(st.sampled_from(TELLING_NAMES))
    unshaped = data.draw(st.recursive(st.just(UNSHAPED), wrappings, max_leaves=3))
    log = structlog.get_logger("edison.test")
    log.info("event", payload=event, inner={"deeper": {name: unshaped}})
    log.info(f"in the text: {event}", **{name: unshaped})
    try:
        raise ValueError(event)  # noqa: TRY301 - the traceback is what is tested
    except ValueError:
        log.exception("failed")
        logging.getLogger("library").warning("also %s", event, exc_info=True)
    written = capsys.readouterr().err
    assert len(written) > 100
    assert secret not in written
    assert UNSHAPED not in written
