"""Credentials: tested before they are saved, sealed at rest, never returned."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web
from fastapi import FastAPI
from sqlalchemy import select

from edison.app import sealed_secrets
from edison.kit.sealing import add_sealing_key
from edison.settings import Settings
from edison.workspace.credentials import service, vault
from edison.workspace.credentials.models import Credential
from tests.support.browser import Browser, error_of, fields_of

SECRET = "sk-planted-secret-1234567890abcd"


@pytest.fixture
async def url(ada: Browser) -> str:
    response = await ada.post("/api/v1/projects", json={"name": "Mine"})
    return f"/api/v1/projects/{response.json()['slug']}"


@pytest.fixture
async def model_server() -> AsyncIterator[str]:
    """Lists models in OpenAI's protocol; accepts one key."""

    async def list_models(request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != f"Bearer {SECRET}":
            error = {"message": "Incorrect API key", "code": "invalid_api_key"}
            return web.json_response({"error": error}, status=401)
        models = [{"id": "llama-9", "object": "model", "created": 1, "owned_by": "me"}]
        return web.json_response({"object": "list", "data": models})

    server = web.Application()
    server.router.add_get("/v1/models", list_models)
    runner = web.AppRunner(server)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    yield f"http://{host}:{port}/v1"
    await runner.cleanup()


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(
        update={
            "allow_private_addresses": True,
            "credential_variables": "OPENAI_API_KEY TEAM_KEY=127.0.0.1",
        }
    )


def wanted(server: str, *, key: str = SECRET, **changes: Any) -> dict[str, Any]:
    return {
        "provider": "openai_compatible",
        "label": "Team key",
        "settings": {"base_url": server},
        "secrets": {"api_key": {"value": key}},
        **changes,
    }


async def create(ada: Browser, url: str, body: dict[str, Any]) -> dict[str, Any]:
    response = await ada.post(f"{url}/credentials", json=body)
    assert response.status_code == 201, response.text
    return dict(response.json())


async def stored(app: FastAPI) -> Credential:
    async with app.state.database.read() as session:
        found = await session.scalar(select(Credential))
    assert found is not None
    return found


async def test_a_working_credential_is_saved_and_its_secret_sealed(
    app: FastAPI, ada: Browser, url: str, model_server: str
) -> None:
    created = await create(ada, url, wanted(model_server))
    assert created["secrets"] == {"api_key": {"last_four": "abcd", "env": None}}
    assert created["is_default"] is True
    assert created["failure"] is None
    kept = await stored(app)
    assert SECRET not in str(kept.secrets)
    assert app.state.vault.keys.open(kept.secrets["api_key"]["sealed"]) == SECRET


async def test_the_secret_is_not_in_responses_audit_log_or_logs(
    ada: Browser, url: str, model_server: str, caplog: pytest.LogCaptureFixture
) -> None:
    created = await create(ada, url, wanted(model_server))
    await ada.post(f"{url}/credentials/{created['id']}/test")
    said = [
        (await ada.get(f"{url}/credentials")).text,
        (await ada.get(f"{url}/audit")).text,
        (await ada.get(f"{url}/audit/export?format=jsonl")).text,
        caplog.text,
    ]
    assert not any(SECRET in text for text in said)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"key": "sk-wrong-secret-1234567890"}, "INVALID_KEY"),
        ({"settings": {"base_url": "http://127.0.0.1:1/v1"}}, "NETWORK_ERROR"),
        ({"secrets": {"api_key": {"env": "NO_SUCH_VARIABLE"}}}, "INVALID_KEY"),
    ],
)
async def test_a_credential_that_fails_is_not_saved_and_the_reason_returned(
    ada: Browser, url: str, model_server: str, changes: dict[str, Any], code: str
) -> None:
    response = await ada.post(f"{url}/credentials", json=wanted(model_server, **changes))
    assert response.status_code == 409
    assert error_of(response)["code"] == code
    assert (await ada.get(f"{url}/credentials")).json()["total"] == 0


async def test_a_secret_may_stay_in_the_environment(
    app: FastAPI, ada: Browser, url: str, model_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEAM_KEY", SECRET)
    body = wanted(model_server, secrets={"api_key": {"env": "TEAM_KEY"}})
    created = await create(ada, url, body)
    assert created["secrets"] == {"api_key": {"last_four": None, "env": "TEAM_KEY"}}
    assert (await stored(app)).secrets == {"api_key": {"env": "TEAM_KEY"}}
    monkeypatch.delenv("TEAM_KEY")
    tested = (await ada.post(f"{url}/credentials/{created['id']}/test")).json()
    assert tested["ok"] is False
    assert "TEAM_KEY" in tested["message"]


async def test_a_label_is_used_once_in_a_project(ada: Browser, url: str, model_server: str) -> None:
    await create(ada, url, wanted(model_server))
    again = await ada.post(f"{url}/credentials", json=wanted(model_server))
    assert error_of(again)["code"] == "DUPLICATE_LABEL"
    assert error_of(again)["path"] == "label"


async def test_one_default_per_provider(ada: Browser, url: str, model_server: str) -> None:
    first = await create(ada, url, wanted(model_server))
    second = await create(ada, url, wanted(model_server, label="Second"))
    assert (first["is_default"], second["is_default"]) == (True, False)
    await ada.patch(f"{url}/credentials/{second['id']}", json={"is_default": True})
    items = (await ada.get(f"{url}/credentials")).json()["items"]
    assert {item["label"]: item["is_default"] for item in items} == {
        "Second": True,
        "Team key": False,
    }


async def test_a_relabelled_credential_keeps_its_secret(
    app: FastAPI, ada: Browser, url: str, model_server: str
) -> None:
    created = await create(ada, url, wanted(model_server))
    before = (await stored(app)).secrets
    changed = await ada.patch(f"{url}/credentials/{created['id']}", json={"label": "New"})
    assert changed.json()["label"] == "New"
    assert (await stored(app)).secrets == before


async def test_another_host_needs_the_secret_again(
    app: FastAPI, ada: Browser, url: str, model_server: str
) -> None:
    created = await create(ada, url, wanted(model_server))
    elsewhere = {"settings": {"base_url": "http://127.0.0.1:1/v1"}}
    response = await ada.patch(f"{url}/credentials/{created['id']}", json=elsewhere)
    assert fields_of(response) == {"secrets"}
    assert (await stored(app)).settings == {"base_url": model_server}


async def test_a_replaced_secret_is_tested_first(ada: Browser, url: str, model_server: str) -> None:
    created = await create(ada, url, wanted(model_server))
    wrong = {"secrets": {"api_key": {"value": "sk-wrong-secret-1234567890"}}}
    response = await ada.patch(f"{url}/credentials/{created['id']}", json=wrong)
    assert error_of(response)["code"] == "INVALID_KEY"
    assert (await ada.post(f"{url}/credentials/{created['id']}/test")).json()["ok"] is True


async def test_the_providers_models_can_be_listed(
    ada: Browser, url: str, model_server: str
) -> None:
    created = await create(ada, url, wanted(model_server))
    found = await ada.get(f"{url}/credentials/{created['id']}/available-models")
    assert [model["id"] for model in found.json()["items"]] == ["llama-9"]


async def test_a_credential_in_use_is_not_deleted(
    ada: Browser, url: str, model_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def in_use(*_: object) -> str:
        return "The model “llama” uses this credential."

    created = await create(ada, url, wanted(model_server))
    monkeypatch.setattr(service.find_use, "listeners", (in_use,))
    refused = await ada.delete(f"{url}/credentials/{created['id']}")
    assert error_of(refused)["code"] == "IN_USE"
    monkeypatch.setattr(service.find_use, "listeners", ())
    assert (await ada.delete(f"{url}/credentials/{created['id']}")).status_code == 204
    assert (await ada.get(f"{url}/credentials")).json()["total"] == 0


async def test_rotating_seals_everything_with_the_new_key(
    app: FastAPI, ada: Browser, url: str, model_server: str
) -> None:
    await create(ada, url, wanted(model_server))
    before = (await stored(app)).secrets["api_key"]["sealed"]
    add_sealing_key(vault.sealing_folder(app.state.settings))
    keys = vault.open_vault(app.state.settings).keys
    for expected in (1, 0):
        async with app.state.database.write() as session:
            assert await sealed_secrets.reseal_all(session, keys=keys) == expected
    after = (await stored(app)).secrets["api_key"]["sealed"]
    assert after != before
    assert keys.open(after) == SECRET


async def test_simulated_models_need_no_secret(ada: Browser, url: str) -> None:
    created = await create(ada, url, {"provider": "sim", "label": "Simulated"})
    found = await ada.get(f"{url}/credentials/{created['id']}/available-models")
    assert "sim-small" in {model["id"] for model in found.json()["items"]}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"provider": "none"}, "provider"),
        ({"label": ""}, "label"),
        ({"settings": {}}, "settings.base_url"),
        ({"settings": {"base_url": "ftp://x"}}, "settings.base_url"),
        ({"settings": {"base_url": "http://x", "shoe": 1}}, "settings.shoe"),
        ({"settings": {"base_url": "http://x", "api_key": SECRET}}, "settings.api_key"),
        ({"secrets": {"base_url": {"value": "http://x"}}}, "secrets.base_url"),
        ({"secrets": {"api_key": {}}}, "secrets.api_key"),
        ({"secrets": {"api_key": {"env": "not a name"}}}, "secrets.api_key.env"),
    ],
)
async def test_a_malformed_request_names_the_field_and_no_secret(
    ada: Browser, url: str, changes: dict[str, Any], field: str
) -> None:
    response = await ada.post(f"{url}/credentials", json=wanted("http://x", **changes))
    assert field in fields_of(response)
    assert SECRET not in response.text


async def test_every_provider_has_a_form(ada: Browser, url: str) -> None:
    items = (await ada.get(f"{url}/providers")).json()["items"]
    providers = {item["key"]: item for item in items}
    assert {"openai", "anthropic", "vertex", "bedrock", "azure", "ollama", "sim"} <= set(providers)
    assert "scripted" not in providers
    assert providers["openai"]["secret_fields"] == ["api_key"]
    assert providers["sim"]["is_simulated"] is True
    for item in items:
        assert item["form"]["type"] == "object"


class TestPrivateAddressesForbidden:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"allow_private_addresses": False})

    @pytest.mark.parametrize("host", ["10.0.0.1", "169.254.169.254", "metadata.google.internal"])
    async def test_private_and_metadata_addresses_are_refused(
        self, ada: Browser, url: str, host: str
    ) -> None:
        body = wanted(f"http://{host}/v1")
        response = await ada.post(f"{url}/credentials", json=body)
        assert error_of(response)["code"] == "NETWORK_ERROR"
