"""The model registry as a file."""

import json

import httpx
import pytest
from fastapi import FastAPI

from edison.workspace.projects.models import Role
from tests.factories.models import make_credential, make_model
from tests.factories.projects import make_member
from tests.slices.models.conftest import Registry, registry
from tests.support.browser import fields_of

__all__ = ["registry"]

FILE = """
models:
  - name: House model
    model: llama-3.1-8b
    base_url: https://models.example.org/v1
    api_key_env: HOUSE_KEY
    context_window: 128000
    prices: {input: 0.0025, output: 0.01, unit: per_1000_tokens}
  - name: House small
    base_url: https://models.example.org/v1
    api_key_env: HOUSE_KEY
    prices: {input: 1, output: "4.5", cached_input: 0.5, unit: per_million_tokens}
"""


async def send(registry: Registry, content: str, how: str = "") -> httpx.Response:
    return await registry.browser.post(
        f"{registry.url}/model-registry{how}", json={"content": content}
    )


async def test_a_registry_is_imported_with_stated_units_and_exported_again(
    registry: Registry,
) -> None:
    tried = (await send(registry, FILE, "/preview")).json()
    assert tried["created"] == ["House model", "House small"]
    assert (await registry.names()) == []

    added = (await send(registry, FILE)).json()
    assert added == tried
    assert added["credentials"] == ["OpenAI-compatible server · models.example.org · HOUSE_KEY"]
    again = (await send(registry, FILE)).json()
    assert again == {"created": [], "skipped": ["House model", "House small"], "credentials": []}

    exported = await registry.browser.get(
        f"{registry.url}/model-registry", params={"format": "json"}
    )
    assert json.loads(exported.content)["models"] == [
        {
            "name": "House model",
            "model": "llama-3.1-8b",
            "provider": "openai_compatible",
            "base_url": "https://models.example.org/v1",
            "api_key_env": "HOUSE_KEY",
            "context_window": 128000,
            "prices": {"input": "2.5", "output": "10", "unit": "per_million_tokens"},
        },
        {
            "name": "House small",
            "model": "House small",
            "provider": "openai_compatible",
            "base_url": "https://models.example.org/v1",
            "api_key_env": "HOUSE_KEY",
            "prices": {
                "input": "1",
                "output": "4.5",
                "cached_input": "0.5",
                "unit": "per_million_tokens",
            },
        },
    ]
    written = await registry.browser.get(f"{registry.url}/model-registry")
    assert (await send(registry, written.text)).json()["skipped"] == again["skipped"]


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        ("models: [", {"content"}),
        ("models: []", {"models"}),
        (
            "models: [{name: A, prices: {input: 1, output: 2}, base_url: 'https://a.example/v1'}]",
            {"models.0.prices.unit"},
        ),
        (
            "models: [{name: A, api_key: sk-secret, base_url: 'https://a.example/v1'}]",
            {"models.0.api_key"},
        ),
        ("models: [{name: A}]", {"models.0.base_url"}),
        ("models: [{name: A, provider: nowhere}]", {"models.0.provider"}),
        (
            "models: [{name: A, base_url: 'https://a.example/v1',"
            " prices: {input: 9000, output: 1, unit: per_1000_tokens}}]",
            {"models.0.prices.input"},
        ),
    ],
)
async def test_a_bad_file_names_the_field_and_changes_nothing(
    registry: Registry, content: str, fields: set[str]
) -> None:
    refused = await send(registry, content)
    assert fields_of(refused) == fields
    assert "sk-secret" not in refused.text
    assert (await registry.names()) == []


async def test_an_editor_may_not_import_but_a_viewer_may_export(
    app: FastAPI, registry: Registry
) -> None:
    credential = await make_credential(
        app, registry.project.id, "openai", secrets={"api_key": {"sealed": "x", "last_four": "1"}}
    )
    await make_model(app, credential, "gpt-4o")
    editor = (await make_member(app, registry.project, Role.EDITOR)).browser
    refused = await editor.post(f"{registry.url}/model-registry", json={"content": FILE})
    assert refused.status_code == 403
    viewer = (await make_member(app, registry.project, Role.VIEWER)).browser
    found = await viewer.get(f"{registry.url}/model-registry")
    assert "gpt-4o" in found.text
    assert "sealed" not in found.text
