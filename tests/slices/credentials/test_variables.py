"""Which environment variables of the server a credential may name, and where they may be sent."""

import os
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web
from fastapi import FastAPI
from pydantic import ValidationError
from sqlalchemy import select, update

from edison.kit.credential_variables import (
    BEDROCK_HOSTS,
    VENDOR_VARIABLES,
    is_never_allowed,
    read_variables,
)
from edison.pipeline.generate import catalog
from edison.pipeline.generate.addresses import AddressRefused, NetworkPolicy, check_url
from edison.settings import Settings
from edison.workspace.credentials.models import Credential
from tests.support.browser import Browser, error_of

SECRET = "sk-planted-secret-1234567890abcd"

FORBIDDEN = [
    "EDISON_DATABASE_URL",
    "EDISON_JWT_PRIVATE_KEY",
    "EDISON_SEALING_PRIVATE_KEY",
    "edison_smtp_password",
    "EDISON_ANYTHING_ELSE",
    "DATABASE_URL",
    "APP_DATABASE_URL",
    "PGPASSWORD",
    "PGUSER",
    "POSTGRES_PASSWORD",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_SESSION_TOKEN",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN",
    "aws_secret_access_key",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "AZURE_CLIENT_SECRET",
    "AZURE_CLIENT_CERTIFICATE_PASSWORD",
    "IDENTITY_HEADER",
    "KUBERNETES_SERVICE_HOST",
    "PATH",
    "HOME",
]
# Not forbidden by name, but not allowed either unless listed.
UNLISTED = ["OTHERS_API_KEY", "GROQ_API_KEY", "TEAM_KEY2", "team_key", "LANG", "_"]


class Listener:
    """A server chosen by the attacker, which records its requests."""

    def __init__(self) -> None:
        self.received: list[str] = []
        self.url = ""

    async def answer(self, request: web.Request) -> web.Response:
        self.received.append(str(dict(request.headers)) + request.path_qs + await request.text())
        return web.json_response({"object": "list", "data": [], "models": []})


@pytest.fixture
async def listener() -> AsyncIterator[Listener]:
    listener = Listener()
    server = web.Application()
    server.router.add_route("*", "/{path:.*}", listener.answer)
    runner = web.AppRunner(server)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    listener.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    yield listener
    await runner.cleanup()


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(
        update={
            "allow_private_addresses": True,
            "credential_variables": "OPENAI_API_KEY TEAM_KEY=127.0.0.1",
        }
    )


@pytest.fixture
async def url(ada: Browser) -> str:
    response = await ada.post("/api/v1/projects", json={"name": "Mine"})
    return f"/api/v1/projects/{response.json()['slug']}"


def wanted(server: str, secret: dict[str, str], **changes: Any) -> dict[str, Any]:
    return {
        "provider": "openai_compatible",
        "label": "Key",
        "settings": {"base_url": server},
        "secrets": {"api_key": secret},
        **changes,
    }


async def create(ada: Browser, url: str, body: dict[str, Any]) -> dict[str, Any]:
    response = await ada.post(f"{url}/credentials", json=body)
    assert response.status_code == 201, response.text
    return dict(response.json())


def set_everywhere(monkeypatch: pytest.MonkeyPatch, names: list[str]) -> None:
    for name in names:
        monkeypatch.setenv(name, SECRET)


async def test_no_other_variable_reaches_a_server_when_a_credential_is_made_or_changed(
    ada: Browser, url: str, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [*UNLISTED, "APP_DATABASE_URL", "AZURE_CLIENT_SECRET", "AWS_SECRET_ACCESS_KEY"]
    set_everywhere(monkeypatch, names)
    mine = await create(ada, url, wanted(listener.url, {"value": "sk-of-my-own-0123456789"}))
    listener.received.clear()
    for name in [*names, *FORBIDDEN]:
        made = await ada.post(f"{url}/credentials", json=wanted(listener.url, {"env": name}))
        changed = await ada.patch(
            f"{url}/credentials/{mine['id']}", json={"secrets": {"api_key": {"env": name}}}
        )
        assert (made.status_code, changed.status_code) == (409, 409), name
    assert listener.received == []
    assert (await ada.get(f"{url}/credentials")).json()["total"] == 1


async def test_the_answer_is_the_same_for_unset_and_forbidden_names(
    ada: Browser, url: str, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answers(name: str) -> list[Any]:
        made = await ada.post(f"{url}/credentials", json=wanted(listener.url, {"env": name}))
        error = error_of(made)
        said = error["message"].replace(f"variable {name} ", "variable NAME ")
        return [made.status_code, error["code"], error["details"], said]

    monkeypatch.delenv("TEAM_KEY", raising=False)
    unset = await answers("TEAM_KEY")
    for name in [*FORBIDDEN, *UNLISTED, "NO_SUCH_VARIABLE"]:
        assert await answers(name) == unset, name
        monkeypatch.setenv(name, os.environ.get(name) or SECRET)
        assert await answers(name) == unset, name


async def test_stored_credentials_are_checked_at_each_use(
    app: FastAPI,
    ada: Browser,
    url: str,
    listener: Listener,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rows from earlier versions, or written by other means."""
    set_everywhere(monkeypatch, ["TEAM_KEY", "OTHERS_API_KEY"])
    mine = await create(ada, url, wanted(listener.url, {"env": "TEAM_KEY"}))
    credential = f"{url}/credentials/{mine['id']}"
    model = await ada.post(
        f"{url}/models", json={"credential_id": mine["id"], "name": "llama-9", "label": "L"}
    )
    for name in ["OTHERS_API_KEY", "EDISON_DATABASE_URL", "NO_SUCH_VARIABLE"]:
        async with app.state.database.write() as session:
            await session.execute(update(Credential).values(secrets={"api_key": {"env": name}}))
        listener.received.clear()
        tested = (await ada.post(f"{credential}/test")).json()
        listed = await ada.get(f"{credential}/available-models")
        assert (tested["ok"], tested["code"], listed.status_code) == (False, "INVALID_KEY", 409)
        assert name in tested["message"]
        if model.status_code == 201:
            tried = await ada.post(
                f"{url}/models/{model.json()['id']}/try", json={"prompt": "Hello?"}
            )
            assert "invalid_key" in tried.text
        assert listener.received == []


async def test_a_stored_address_outside_the_bound_hosts_gets_nothing(
    app: FastAPI, ada: Browser, url: str, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_everywhere(monkeypatch, ["TEAM_KEY"])
    mine = await create(ada, url, wanted(listener.url, {"env": "TEAM_KEY"}))
    assert SECRET in listener.received[-1]
    elsewhere = listener.url.replace("127.0.0.1", "localhost")
    for base_url in [elsewhere, listener.url.replace("127.0.0.1", "127。0。0。1")]:
        async with app.state.database.write() as session:
            await session.execute(update(Credential).values(settings={"base_url": base_url}))
        listener.received.clear()
        tested = (await ada.post(f"{url}/credentials/{mine['id']}/test")).json()
        assert tested["ok"] is False
        assert listener.received == []


@pytest.mark.parametrize("is_set", [True, False])
async def test_a_vendors_key_is_sent_to_the_vendor_only_and_its_presence_is_not_revealed(
    ada: Browser, url: str, listener: Listener, is_set: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    if is_set:
        monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    for kind, field in [
        ("openai_compatible", "base_url"),
        ("openai", "base_url"),
        ("anthropic", "base_url"),
        ("ollama", "base_url"),
        ("azure", "endpoint"),
        ("bedrock", "endpoint_url"),
    ]:
        body = wanted(
            listener.url,
            {"env": "OPENAI_API_KEY"},
            provider=kind,
            settings={field: listener.url},
        )
        response = await ada.post(f"{url}/credentials", json=body)
        assert response.status_code == 409
        assert "OPENAI_API_KEY may be sent only to api.openai.com" in error_of(response)["message"]
    assert listener.received == []


async def test_forms_offer_the_allowed_names_with_their_hosts(ada: Browser, url: str) -> None:
    kinds = {each["key"]: each for each in (await ada.get(f"{url}/providers")).json()["items"]}
    team = {"name": "TEAM_KEY", "hosts": ["127.0.0.1"]}
    openai = {"name": "OPENAI_API_KEY", "hosts": ["api.openai.com", "*.api.openai.com"]}
    assert kinds["openai"]["variables"] == [openai, team]
    assert kinds["openai_compatible"]["variables"] == [openai, team]
    assert kinds["anthropic"]["variables"] == [team]
    assert kinds["sim"]["variables"] == []


@pytest.mark.parametrize("name", FORBIDDEN)
def test_settings_refuse_variables_that_are_never_allowed(name: str, settings: Settings) -> None:
    for entry in (name, f"{name}=api.example.com"):
        with pytest.raises(ValidationError, match="may never be sent"):
            Settings(data_dir=settings.data_dir, credential_variables=entry)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("TEAM_KEY", "needs the hosts"),
        ("TEAM_KEY=", "names no host"),
        ("TEAM_KEY=*", "matches too much"),
        ("TEAM_KEY=*.com", "matches too much"),
        ("TEAM_KEY=a.*.com", "matches too much"),
        ("TEAM_KEY=http://host.example.com", "is not the name of a host"),
        ("9KEY=host.example.com", "is not the name of a variable"),
    ],
)
def test_invalid_entries_are_refused_with_the_reason(
    text: str, reason: str, settings: Settings
) -> None:
    with pytest.raises(ValidationError, match=reason):
        Settings(data_dir=settings.data_dir, credential_variables=text)


def test_entries_are_read_with_their_hosts() -> None:
    assert read_variables("OPENAI_API_KEY  A=x.example.com,*.y.example.com;B=[::1]") == {
        "OPENAI_API_KEY": ("api.openai.com", "*.api.openai.com"),
        "A": ("x.example.com", "*.y.example.com"),
        "B": ("::1",),
    }
    assert read_variables("") == {}


def test_the_defaults_are_vendors_keys_and_each_has_hosts(settings: Settings) -> None:
    assert Settings(data_dir=settings.data_dir).allowed_variables is VENDOR_VARIABLES
    assert all(hosts and not is_never_allowed(name) for name, hosts in VENDOR_VARIABLES.items())


@pytest.mark.parametrize(
    ("host", "is_allowed"),
    [
        ("bedrock-runtime.us-east-1.amazonaws.com", True),
        ("bedrock.eu-central-1.amazonaws.com", True),
        ("bedrock-runtime.execute-api.us-east-1.amazonaws.com", False),
        ("ec2-1-2-3-4.compute-1.amazonaws.com", False),
        ("evil.s3.amazonaws.com", False),
    ],
)
def test_rentable_subdomains_are_not_vendor_hosts(host: str, is_allowed: bool) -> None:
    policy = NetworkPolicy(only_hosts=(BEDROCK_HOSTS,))
    if is_allowed:
        check_url(f"https://{host}/", policy)
    else:
        with pytest.raises(AddressRefused):
            check_url(f"https://{host}/", policy)


async def test_the_default_addresses_of_vendors_are_within_their_hosts(app: FastAPI) -> None:
    for key in catalog.provider_keys():
        kind = catalog.load_provider(key)
        default = kind.model_fields.get("base_url")
        for name in kind.vendor_variables or ():
            if default is not None and str(default.default).startswith("https://"):
                check_url(default.default, NetworkPolicy(only_hosts=(VENDOR_VARIABLES[name],)))


async def test_nothing_of_a_refused_credential_is_stored(
    app: FastAPI, ada: Browser, url: str, listener: Listener
) -> None:
    await ada.post(f"{url}/credentials", json=wanted(listener.url, {"env": "PATH"}))
    async with app.state.database.read() as session:
        assert await session.scalar(select(Credential)) is None
