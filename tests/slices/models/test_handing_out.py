"""Callable models from the registry."""

from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI

from edison.kit.errors import Invalid
from edison.library.models import service
from edison.library.models.errors import AmbiguousName
from edison.library.models.schemas import ParameterValues
from tests.slices.models.conftest import OWN_PRICES, Registry


async def get(app: FastAPI, registry: Registry, model: dict[str, Any]) -> Any:
    async with app.state.database.read() as session:
        return await service.get_callable(
            session, project_id=registry.project.id, model_id=UUID(model["id"])
        )


async def test_a_callable_model_is_complete(app: FastAPI, registry: Registry) -> None:
    model = await registry.add(parameters={"temperature": 0.2, "stop": ["x"]})
    found = await get(app, registry, model)
    assert (found.provider, found.provider_title) == ("sim", "Simulated models")
    assert (found.is_simulated, found.is_enabled) == (True, True)
    assert found.credential.id == registry.credential.id
    assert (found.parameters.temperature, found.parameters.stop) == (0.2, ("x",))
    assert found.parameters.max_tokens == 4096
    assert found.capabilities.top_p is False
    assert found.prices.input.nanos_per_million == 100_000_000
    assert found.prices.version == "sim 1"


async def test_own_prices_and_limits_are_handed_out(app: FastAPI, registry: Registry) -> None:
    model = await registry.add(prices=OWN_PRICES, parameters={"max_tokens": 7})
    found = await get(app, registry, model)
    assert found.prices.output.nanos_per_million == 2_000_001_000
    assert (found.prices.version, found.parameters.max_tokens) == ("own", 7)


async def test_given_parameters_go_before_the_models_own(app: FastAPI, registry: Registry) -> None:
    model = await registry.add(parameters={"temperature": 0.2, "seed": 1})
    found = await get(app, registry, model)
    given = ParameterValues(temperature=0.9)
    chosen = service.choose_parameters(found, given)
    assert (chosen.temperature, chosen.seed, chosen.max_tokens) == (0.9, 1, 4096)
    with pytest.raises(Invalid) as refused:
        service.choose_parameters(found, ParameterValues(temperature=9))
    assert refused.value.path == "parameters.temperature"


async def find(app: FastAPI, registry: Registry, name: str) -> str | None:
    async with app.state.database.read() as session:
        found = await service.find_by_name(session, project_id=registry.project.id, name=name)
    return None if found is None else found.display_name


async def test_a_model_is_found_by_either_name(app: FastAPI, registry: Registry) -> None:
    await registry.add("sim-small", display_name="Große")
    await registry.add("sim-large", display_name="Sim-Small")
    assert await find(app, registry, " GROSSE ") == "Große"
    assert await find(app, registry, "sim-small") == "Sim-Small"
    assert await find(app, registry, "SIM-LARGE") == "Sim-Small"
    assert await find(app, registry, "sim") is None


async def test_a_name_that_fits_two_is_refused(app: FastAPI, registry: Registry) -> None:
    await registry.add("sim-small", display_name="Twin")
    await registry.add("sim-small", display_name="TWIN")
    assert await find(app, registry, "TWIN") == "TWIN"
    for name in ("twin", "sim-small"):
        with pytest.raises(AmbiguousName):
            await find(app, registry, name)
