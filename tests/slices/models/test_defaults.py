"""The default model of a project."""

import asyncio

from tests.slices.models.conftest import Registry


async def test_the_first_model_is_the_default_and_another_can_be(registry: Registry) -> None:
    first, second = await registry.add("sim-small"), await registry.add("sim-large")
    assert (first["is_default"], second["is_default"]) == (True, False)
    assert (await registry.change(second, is_default=True))["is_default"] is True
    assert (await registry.get(first))["is_default"] is False
    third = await registry.add("sim-medium", is_default=True)
    assert [item["id"] for item in await registry.listed() if item["is_default"]] == [third["id"]]


async def test_setting_the_current_default_changes_nothing(registry: Registry) -> None:
    model = await registry.add()
    assert (await registry.change(model, is_default=True))["is_default"] is True


async def test_deleting_the_default_leaves_none(registry: Registry) -> None:
    first, _ = await registry.add("sim-small"), await registry.add("sim-large")
    response = await registry.browser.delete(f"{registry.url}/models/{first['id']}")
    assert response.status_code == 204
    assert [item["is_default"] for item in await registry.listed()] == [False]


async def test_concurrent_default_changes_leave_one_default(registry: Registry) -> None:
    models = [await registry.add(name) for name in ("sim-small", "sim-medium", "sim-large")]
    await asyncio.gather(*(registry.change(model, is_default=True) for model in models * 3))
    assert sum(item["is_default"] for item in await registry.listed()) == 1


async def test_concurrent_first_models_leave_one_default(
    registry: Registry,
) -> None:
    names = [f"Model {number}" for number in range(6)]
    await asyncio.gather(*(registry.add("sim-small", display_name=name) for name in names))
    assert sum(item["is_default"] for item in await registry.listed()) == 1
