"""Host header check: requests are answered only under the names of this server."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from edison.app.main import create_app
from edison.app.middleware.host_check import AllowedHosts, parse_host
from edison.settings import Settings
from tests.support.browser import Browser, error_of

CONFIG = "/api/v1/auth/config"
OWN = "192.0.2.7"

LOOPBACK = [
    "localhost",
    "LOCALHOST",
    "localhost.",
    "localhost:8000",
    "localhost:",
    "app.localhost",
    "deep.app.localhost:5173",
    "127.0.0.1",
    "127.0.0.1:9",
    "127.1.2.3",
    "[::1]",
    "[::1]:8000",
    "[0:0:0:0:0:0:0:1]",
]
FOREIGN = [
    "",
    " ",
    "evil.example",
    "evil.example:8000",
    "localhost.evil.example",
    "evil.example.localhost.evil.example",
    "notlocalhost",
    "evillocalhost",
    "edison.example.org.evil.example",
    "evil-edison.example.org",
    "127.0.0.1.evil.example",
    "128.0.0.1",
    "0.0.0.0",
    "192.0.2.8",
    "2130706433",
    "0x7f.0.0.1",
    "127.1",
    "127.0.0.01",
    "[::2]",
    "[::]",
    "[::ffff:192.0.2.8]",
    "::1",
    "[127.0.0.1]",
    "[::1",
    "::1]",
    "[::1]evil",
    "localhost:port",
    "localhost:99999",
    "localhost:8000:8000",
    "localhost:-1",
    "localhost:+1",
    "localhost:٣",
    "localhost..",
    ".localhost",
    "local host",
    "localhost\t",
    "localhost/",
    "localhost/evil",
    "localhost#",
    "localhost?",
    "localhost@evil.example",
    "evil.example@localhost",
    "localhost,evil.example",
    "localhost evil.example",
    "localhost;evil",
    "localhost\x00.evil",
    "l\u043ecalhost",
    "-localhost",
    "*",
    "http://localhost",
    "a" * 300,
    "a." * 200 + "localhost",
]


def hosts(**options: Any) -> AllowedHosts:
    return AllowedHosts(Settings(data_dir=Path("unused"), **options))


def admitted(allowed: AllowedHosts, *names: str, at: str = OWN) -> list[str]:
    return [name for name in names if allowed.admits(name, local_address=at)]


@pytest.mark.parametrize("options", [{}, {"host": "0.0.0.0"}, {"public_url": "https://a.example"}])
def test_loopback_hosts_are_allowed_and_foreign_hosts_refused(options: dict[str, str]) -> None:
    allowed = hosts(**options)
    assert admitted(allowed, *LOOPBACK) == LOOPBACK
    assert admitted(allowed, *FOREIGN) == []


def test_the_public_host_is_allowed_in_every_spelling() -> None:
    allowed = hosts(public_url="https://Edison.Example.org:8443/base")
    spellings = ["edison.example.org", "EDISON.example.ORG.", "edison.example.org:443"]
    assert admitted(allowed, *spellings) == spellings
    assert admitted(allowed, *FOREIGN, "example.org", "x.edison.example.org") == []


def test_the_listening_address_is_allowed() -> None:
    assert admitted(hosts(host=OWN), OWN, f"{OWN}:8000", "192.0.2.8") == [OWN, f"{OWN}:8000"]
    allowed = hosts(host="2001:db8::7")
    assert admitted(allowed, "[2001:DB8:0::7]:80", "[2001:db8::8]") == ["[2001:DB8:0::7]:80"]
    assert admitted(hosts(host="edison.lan"), "edison.lan", OWN) == ["edison.lan"]


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_a_wildcard_address_allows_the_addresses_and_name_of_this_machine(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Workshop")
    allowed = hosts(host=host)
    own = [OWN, f"{OWN}:8000", "workshop", "WORKSHOP:80"]
    assert admitted(allowed, *own, "192.0.2.8") == own
    assert admitted(allowed, "[2001:db8::7]", at="2001:db8::7%eth0") == ["[2001:db8::7]"]
    assert admitted(allowed, OWN, "192.0.2.8", at=f"::ffff:{OWN}") == [OWN]
    # With a public address the local names are not allowed.
    public = hosts(host=host, public_url="https://edison.example.org")
    assert admitted(public, *own) == []


def test_more_names_can_be_allowed() -> None:
    allowed = hosts(allowed_hosts=("edison.lan", ".team.example"))
    ours = ["edison.lan", "Edison.LAN.:8000", "a.team.example", "a.b.team.example", "team.example"]
    assert admitted(allowed, *ours) == ours
    assert admitted(allowed, "x.edison.lan", "evilteam.example") == []


@pytest.mark.parametrize("value", FOREIGN)
def test_parsed_hosts_are_normalised(value: str) -> None:
    host = parse_host(value)
    assert host is None or parse_host(host if ":" not in host else f"[{host}]") == host


async def raw(app: FastAPI, headers: list[tuple[str, str]], *, path: str = CONFIG) -> Any:
    """Sends one request with exactly these headers."""
    messages: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        messages.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
        "state": {},
    }
    await app(scope, receive, send)
    body = b"".join(message.get("body", b"") for message in messages)
    return httpx.Response(messages[0]["status"], headers=messages[0]["headers"], content=body)


async def test_a_foreign_host_gets_the_usual_error_format(app: FastAPI) -> None:
    refused = await raw(app, [("host", "evil.example")])
    assert refused.status_code == 421
    assert error_of(refused)["code"] == "MISDIRECTED"
    assert error_of(refused)["traceId"] == refused.headers["X-Trace-Id"]
    assert "evil" not in refused.text
    assert (await raw(app, [("host", "evil.example")], path="/")).status_code == 421


@pytest.mark.parametrize("names", [[], ["localhost", "localhost"], ["localhost", "evil.example"]])
async def test_exactly_one_host_header_is_required(app: FastAPI, names: list[str]) -> None:
    assert (await raw(app, [("host", name) for name in names])).status_code == 421


@pytest.mark.parametrize("path", ["/api/health", "/api/readiness"])
async def test_health_probes_may_use_any_host(app: FastAPI, path: str) -> None:
    for headers in ([], [("host", "10.0.0.1:8000")], [("host", "evil.example")]):
        assert (await raw(app, headers, path=path)).status_code == 200


async def test_forwarded_host_of_an_untrusted_client_is_ignored(app: FastAPI) -> None:
    passed_on = [("host", "evil.example"), ("x-forwarded-host", "localhost")]
    assert (await raw(app, passed_on)).status_code == 421
    passed_on = [("host", "localhost"), ("x-forwarded-host", "evil.example")]
    assert (await raw(app, passed_on)).status_code == 200


async def test_forwarded_host_of_a_trusted_proxy_is_used(settings: Settings, app: FastAPI) -> None:
    changes = {"trusted_proxies": ("127.0.0.1",), "public_url": "https://edison.example.org"}
    behind = create_app(settings.model_copy(update=changes))
    behind.state.database = app.state.database
    for passed_on, status in {
        "edison.example.org": 200,
        "edison.example.org, localhost": 200,
        "evil.example": 421,
        "evil.example, edison.example.org": 421,
        "edison.example.org, evil.example": 421,
        "": 421,
    }.items():
        headers = [("host", "upstream"), ("x-forwarded-host", passed_on)]
        assert (await raw(behind, headers)).status_code == status, passed_on
    assert (await raw(behind, [("host", "upstream")])).status_code == 421


async def test_links_do_not_use_the_request_host(ada: Browser) -> None:
    slug = (await ada.post("/api/v1/projects", json={"name": "Mine"})).json()["slug"]
    invited = await ada.post(f"/api/v1/projects/{slug}/invitations", json={"role": "EDITOR"})
    assert invited.json()["link"].startswith("http://127.0.0.1:8000/invitations/")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"public_url": "https://edison.example.org/"}, "https://edison.example.org"),
        ({}, "http://127.0.0.1:8000"),
        ({"host": "::1", "port": 80}, "http://[::1]:80"),
        ({"host": "0.0.0.0"}, "http://workshop:8000"),
        ({"host": "::"}, "http://workshop:8000"),
    ],
)
def test_links_use_the_public_or_listening_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: dict[str, Any], expected: str
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "workshop")
    assert Settings(data_dir=tmp_path, **options).site_url == expected


FORWARDING = [
    "Forwarded",
    "Via",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Forwarded-Prefix",
    "X-Real-IP",
    "X-Original-Forwarded-For",
    "X-Envoy-External-Address",
    "True-Client-IP",
    "CF-Connecting-IP",
]


@pytest.mark.parametrize("header", FORWARDING)
async def test_metrics_are_refused_behind_a_proxy(anonymous: Browser, header: str) -> None:
    assert (await anonymous.get("/metrics")).status_code == 200
    assert (await anonymous.get("/metrics", headers={header: "127.0.0.1"})).status_code == 404


@pytest.mark.parametrize(
    "changes", [{"public_url": "https://edison.example.org"}, {"trusted_proxies": ("10.0.0.1",)}]
)
async def test_metrics_take_a_token_where_a_proxy_is_configured(
    settings: Settings, app: FastAPI, changes: dict[str, Any]
) -> None:
    for token, expected in ((None, 404), ("let-me-read", 200)):
        behind = create_app(settings.model_copy(update={**changes, "metrics_token": None}))
        if token is not None:
            behind = create_app(Settings(**_given(settings), **changes, metrics_token=token))
        behind.state._state.update(app.state._state | {"settings": behind.state.settings})
        headers = {"Authorization": "Bearer let-me-read"}
        async with Browser(behind) as browser:
            assert (await browser.get("/metrics", headers=headers)).status_code == expected


def _given(settings: Settings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in ("data_dir", "database_url")}
