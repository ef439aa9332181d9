"""The registry: added, read, changed, switched, deleted."""

from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from edison.kit import ids
from edison.library.models import service
from edison.library.models.models import Model
from edison.workspace.audit.models import AuditEntry
from edison.workspace.events.models import Event
from tests.factories.models import make_credential, make_model
from tests.slices.models.conftest import OWN_PRICES, Registry
from tests.support.browser import error_of, fields_of

PARAMETERS = (
    "temperature",
    "max_tokens",
    "top_p",
    "frequency_penalty",
    "presence_penalty",
    "stop",
    "seed",
)


async def test_a_model_is_completed_with_known_facts(registry: Registry) -> None:
    model = await registry.add("sim-small")
    assert model | {"id": "", "created_at": "", "updated_at": ""} == {
        "id": "",
        "credential_id": str(registry.credential.id),
        "credential_label": registry.credential.label,
        "provider": "sim",
        "provider_title": "Simulated models",
        "is_simulated": True,
        "provider_model": "sim-small",
        "display_name": "Simulated small",
        "context_window": 32_000,
        "capabilities": {
            "temperature": True,
            "top_p": False,
            "frequency_penalty": False,
            "presence_penalty": False,
            "stop": True,
            "seed": True,
            "json_output": True,
            "tools": False,
            "json_schema": False,
        },
        "parameters": dict.fromkeys(PARAMETERS),
        "call_parameters": dict.fromkeys(PARAMETERS) | {"max_tokens": 4096},
        "ignored_parameters": [],
        "prices": {
            "input_usd_per_million": "0.10",
            "output_usd_per_million": "0.40",
            "cached_input_usd_per_million": None,
            "source": "simulated",
            "version": "sim 1",
            "tiers": [],
        },
        "limits": {"timeout_seconds": None, "concurrency": None, "retries": None},
        "is_enabled": True,
        "is_default": True,
        "is_retired": False,
        "successor": None,
        "created_at": "",
        "updated_at": "",
    }
    assert await registry.get(model) == model


async def test_given_values_are_stored(registry: Registry) -> None:
    parameters = {
        "temperature": 0.3,
        "max_tokens": 50,
        "top_p": 0.5,
        "frequency_penalty": -1.5,
        "presence_penalty": 2,
        "stop": ["\n", "END"],
        "seed": -(2**63),
    }
    model = await registry.add(
        "sim-small",
        display_name="Mine",
        context_window=5,
        parameters=parameters,
        capabilities={"tools": False},
        prices=OWN_PRICES | {"cached_input_usd_per_million": "0"},
        is_enabled=False,
    )
    read = await registry.get(model)
    assert (read["display_name"], read["context_window"], read["is_enabled"]) == ("Mine", 5, False)
    assert read["parameters"] == parameters
    assert read["ignored_parameters"] == []
    assert read["capabilities"]["tools"] is False
    assert read["prices"] == {
        "input_usd_per_million": "1.50",
        "output_usd_per_million": "2.000001",
        "cached_input_usd_per_million": "0.00",
        "source": "own",
        "version": "own",
        "tiers": [],
    }


async def test_ignored_parameters_are_stored_and_reported(registry: Registry) -> None:
    model = await registry.add(parameters={"temperature": 1, "top_p": 1, "presence_penalty": 1})
    assert model["ignored_parameters"] == ["top_p", "presence_penalty"]
    assert model["parameters"]["top_p"] == 1


async def test_tiers_of_the_price_table_are_shown(app: FastAPI, registry: Registry) -> None:
    vertex = await make_credential(app, registry.project.id, "vertex")
    model = await registry.add("gemini-2.5-pro", credential_id=str(vertex.id))
    assert model["prices"]["source"] == "table"
    assert model["prices"]["version"].startswith("genai-prices ")
    assert model["prices"]["tiers"] == [
        {
            "above_input_tokens": 200_000,
            "input_usd_per_million": "2.50",
            "output_usd_per_million": "15.00",
            "cached_input_usd_per_million": "0.25",
        }
    ]


@pytest.mark.parametrize("provider", ["ollama", "openai_compatible", "azure"])
async def test_an_unknown_price_is_unknown_and_not_free(
    app: FastAPI, registry: Registry, provider: str
) -> None:
    credential = await make_credential(app, registry.project.id, provider)
    model = await registry.add("gpt-4o-of-ours", credential_id=str(credential.id))
    assert model["context_window"] is None
    assert model["prices"] == {
        "input_usd_per_million": None,
        "output_usd_per_million": None,
        "cached_input_usd_per_million": None,
        "source": "unknown",
        "version": None,
        "tiers": [],
    }


async def test_own_prices_win_until_they_are_taken_back(registry: Registry) -> None:
    model = await registry.add()
    changed = await registry.change(model, prices=OWN_PRICES)
    assert (changed["prices"]["source"], changed["prices"]["input_usd_per_million"]) == (
        "own",
        "1.50",
    )
    untouched = await registry.change(model, is_enabled=False)
    assert untouched["prices"]["source"] == "own"
    assert (await registry.change(model, prices=None))["prices"] == model["prices"]


async def test_only_given_fields_change(registry: Registry) -> None:
    model = await registry.add(parameters={"temperature": 0.5}, prices=OWN_PRICES)
    changed = await registry.change(model, display_name="New", context_window=None)
    assert changed["context_window"] is None
    assert changed["display_name"] == "New"
    same = {"display_name", "context_window", "updated_at"}
    assert {k: v for k, v in changed.items() if k not in same} == {
        k: v for k, v in model.items() if k not in same
    }


async def test_parameters_are_replaced_as_a_whole(registry: Registry) -> None:
    model = await registry.add(parameters={"temperature": 0.5, "seed": 1})
    changed = await registry.change(model, parameters={"seed": 2})
    assert (changed["parameters"]["temperature"], changed["parameters"]["seed"]) == (None, 2)


async def test_models_are_searched_sorted_filtered_and_paged(
    app: FastAPI, registry: Registry
) -> None:
    ollama = await make_credential(app, registry.project.id, "ollama")
    await make_model(app, registry.credential, "sim-small", display_name="Zed", is_enabled=False)
    await make_model(app, registry.credential, "sim-large", display_name="Big")
    await make_model(app, ollama, "llama3", display_name="Small_llama")
    assert await registry.names() == ["Big", "Small_llama", "Zed"]
    assert await registry.names(sort="-provider_model") == ["Zed", "Big", "Small_llama"]
    assert await registry.names(q="SMALL") == ["Small_llama", "Zed"]
    assert await registry.names(q="l_l") == ["Small_llama"]
    assert await registry.names(provider="ollama") == ["Small_llama"]
    assert await registry.names(credential_id=str(registry.credential.id)) == ["Big", "Zed"]
    assert await registry.names(is_enabled="false") == ["Zed"]
    first = (await registry.browser.get(f"{registry.url}/models", params={"limit": 2})).json()
    assert first["total"] == 3
    assert await registry.names(limit=2, cursor=first["next"]) == ["Zed"]


async def test_a_name_is_used_once_in_a_project(registry: Registry) -> None:
    await registry.add("sim-small")
    other = await registry.add("sim-large")
    again = await registry.browser.post(f"{registry.url}/models", json=registry.wanted())
    renamed = await registry.browser.patch(
        f"{registry.url}/models/{other['id']}", json={"display_name": "Simulated small"}
    )
    for refused in (again, renamed):
        assert refused.status_code == 409
        assert error_of(refused)["code"] == "DUPLICATE_NAME"
        assert error_of(refused)["path"] == "display_name"
    assert await registry.names() == ["Simulated large", "Simulated small"]


async def test_a_model_in_use_is_not_deleted(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def in_use(*_: object) -> str:
        return "The prompt “Answer” uses this model."

    model = await registry.add()
    monkeypatch.setattr(service.find_use, "listeners", (in_use,))
    refused = await registry.browser.delete(f"{registry.url}/models/{model['id']}")
    assert error_of(refused)["code"] == "IN_USE"
    assert len(await registry.listed()) == 1


async def test_a_credential_with_models_is_not_deleted(app: FastAPI, registry: Registry) -> None:
    url = f"{registry.url}/credentials/{registry.credential.id}"
    for number in range(5):
        await make_model(app, registry.credential, display_name=f"M{number}")
    refused = error_of(await registry.browser.delete(url))
    assert refused["code"] == "IN_USE"
    assert refused["message"] == "The models “M0”, “M1”, “M2” and 2 more use this credential."
    for item in await registry.listed():
        await registry.browser.delete(f"{registry.url}/models/{item['id']}")
    assert (await registry.browser.delete(url)).status_code == 204


async def test_a_project_is_deleted_with_its_models(app: FastAPI, registry: Registry) -> None:
    await registry.add()
    assert (await registry.browser.delete(registry.url)).status_code == 204
    async with app.state.database.read() as session:
        assert await session.scalar(select(Model.id)) is None


async def test_several_are_switched_together_or_not_at_all(registry: Registry) -> None:
    models = [await registry.add(name) for name in ("sim-small", "sim-large", "sim-medium")]
    chosen = [model["id"] for model in models[:2]]
    url = f"{registry.url}/models"
    unknown = await registry.browser.patch(
        url, json={"model_ids": [*chosen, str(ids.new_id())], "is_enabled": False}
    )
    assert unknown.status_code == 404
    assert await registry.names(is_enabled="false") == []
    done = await registry.browser.patch(url, json={"model_ids": chosen, "is_enabled": False})
    assert done.status_code == 204
    assert await registry.names(is_enabled="false") == ["Simulated large", "Simulated small"]


async def test_models_of_another_project_are_not_switched(registry: Registry) -> None:
    own = await registry.add()
    elsewhere = (await registry.browser.post("/api/v1/projects", json={"name": "Other"})).json()
    response = await registry.browser.patch(
        f"/api/v1/projects/{elsewhere['slug']}/models",
        json={"model_ids": [own["id"]], "is_enabled": False},
    )
    assert response.status_code == 404
    assert (await registry.get(own))["is_enabled"] is True


async def test_every_change_is_published_and_audited(app: FastAPI, registry: Registry) -> None:
    model = await registry.add()
    await registry.change(model, is_enabled=False)
    await registry.browser.patch(
        f"{registry.url}/models", json={"model_ids": [model["id"]], "is_enabled": True}
    )
    body = {"credential_id": str(registry.credential.id), "provider_models": ["sim-large"]}
    await registry.browser.post(f"{registry.url}/models/import", json=body)
    await registry.browser.delete(f"{registry.url}/models/{model['id']}")
    async with app.state.database.read() as session:
        actions = await session.scalars(
            select(AuditEntry.action)
            .where(AuditEntry.action.startswith("model"))
            .order_by(AuditEntry.id)
        )
        told = await session.scalars(select(Event.data).where(Event.kind == "model.changed"))
        assert list(actions) == [
            "model.created",
            "model.changed",
            "models.switched",
            "models.imported",
            "model.deleted",
        ]
        assert [len(data["entity_ids"]) for data in told] == [1, 1, 1, 1, 1]


async def test_the_log_shows_what_changed(app: FastAPI, registry: Registry) -> None:
    model = await registry.add()
    await registry.change(model, context_window=10, is_enabled=True)
    async with app.state.database.read() as session:
        entry = await session.scalar(select(AuditEntry).where(AuditEntry.action == "model.changed"))
    assert entry is not None
    assert (entry.before, entry.after) == ({"context_window": 32_000}, {"context_window": 10})


async def test_a_foreign_credential_is_unknown(app: FastAPI, registry: Registry) -> None:
    elsewhere = (await registry.browser.post("/api/v1/projects", json={"name": "Other"})).json()
    foreign = await make_credential(app, UUID(elsewhere["id"]))
    body = registry.wanted(credential_id=str(foreign.id))
    response = await registry.browser.post(f"{registry.url}/models", json=body)
    assert fields_of(response) == {"credential_id"}
    assert await registry.listed() == []


async def test_a_model_that_judges_a_run_in_progress_is_not_deleted(
    app: FastAPI, registry: Registry
) -> None:
    model = await registry.add()
    body = {
        "name": "Judge them",
        "inputs": [{"question": "How long is a week?"}],
        "variants": [{"question_variable": "question"}],
        "scorers": [
            {
                "kind": "judge",
                "options": {
                    "model_id": model["id"],
                    "judge_text": "question-1",
                    "criteria": [{"name": "Clarity", "description": "Understood in one way."}],
                },
            }
        ],
    }
    started = await registry.browser.post(f"{registry.url}/runs", json=body)
    assert started.status_code == 201, started.text
    refused = await registry.browser.delete(f"{registry.url}/models/{model['id']}")
    assert error_of(refused)["message"] == (
        "The run Judge them, which is in progress, uses this model."
    )


async def test_a_retired_model_is_marked_with_its_successor(
    app: FastAPI, registry: Registry
) -> None:
    credential = await make_credential(app, registry.project.id, "vertex")
    for name in ("gemini-2.0-flash", "gemini-2.5-pro"):
        await make_model(app, credential, name)
    old, current = await registry.listed(provider="vertex")
    assert old["is_retired"]
    assert old["successor"].startswith("gemini-3")
    assert (current["is_retired"], current["successor"]) == (False, None)


async def test_models_that_a_provider_no_longer_lists_are_missing(
    app: FastAPI, registry: Registry
) -> None:
    await registry.add()
    await make_model(app, registry.credential, "sim-tiny")
    lost = await make_credential(app, registry.project.id, "openai")
    await make_model(app, lost, "gpt-4o")
    found = await registry.browser.post(f"{registry.url}/models/check")
    names = {item["id"]: item["provider_model"] for item in await registry.listed()}
    states = {names[each["model_id"]]: each["state"] for each in found.json()}
    assert states == {"sim-small": "offered", "sim-tiny": "missing", "gpt-4o": "unknown"}
