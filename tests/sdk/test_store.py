"""Results of `evaluate` that are stored in Edison."""

import asyncio
from functools import partial

import pytest

from edison import sdk


def words(inputs: int) -> str:
    if inputs == 2:
        raise ValueError("two")
    return "many" if inputs > 1 else "one"


async def test_a_result_becomes_a_completed_run(client: sdk.Client) -> None:
    data = [{"id": str(n), "inputs": n, "expected": "many"} for n in range(4)]
    result = await sdk.evaluate_async(data, words, [sdk.exact], name="Words", repeats=2)
    url = await asyncio.to_thread(partial(result.store, client=client, tags={"branch": "main"}))
    (run,) = (await asyncio.to_thread(client.get, "/runs"))["items"]
    assert url == f"{client.url}/p/{client.project}/runs/{run['id']}"
    assert (run["name"], run["origin"], run["state"]) == ("Words", "imported", "completed")
    assert (run["cell_count"], run["done_count"], run["error_count"]) == (8, 8, 2)
    rows = await asyncio.to_thread(client.get, f"/runs/{run['id']}/rows")
    by_case = [[cell["preview"] for cell in row["cells"]] for row in rows["items"]]
    assert by_case == [["one"] * 2, ["one"] * 2, ["ValueError: two"] * 2, ["many"] * 2]
    summary = await asyncio.to_thread(client.get, f"/runs/{run['id']}/summary")
    mean = summary["variants"][0]["composite"]
    assert mean["value"] == pytest.approx(1 / 3)
    assert result.means()[0].value == pytest.approx(1 / 3)
    cell = rows["items"][3]["cells"][0]["id"]
    detail = await asyncio.to_thread(client.get, f"/outputs/{cell}")
    assert (detail["text"], detail["details"][0]["value"]) == ("many", 1.0)


async def test_a_project_that_may_not_be_changed_is_named(client: sdk.Client) -> None:
    result = await sdk.evaluate_async([1], words, name="Words")
    other = sdk.Client(client.url, project="other")
    with pytest.raises(sdk.ApiError, match="Sign in to continue"):
        await asyncio.to_thread(partial(result.store, client=other))
