"""Two optimizations of one prompt at the same time."""

from tests.slices.optimizations.workshop import Workshop


async def test_the_second_to_be_approved_is_told_that_its_base_has_changed(shop: Workshop) -> None:
    first = await shop.start(generations=1)
    second = await shop.start(name="Warmer replies", generations=1, seed=8)
    ended = [await shop.until_ended(row) for row in (first, second)]
    assert [each["outcome"] for each in ended] == ["promoted", "promoted"]
    # They share the held-out cases, so each has a look of its own.
    assert sorted(each["gate"]["look"] for each in ended) == [1, 2]
    assert [each["is_base_latest"] for each in ended] == [True, True]
    approved = await shop.do(f"/suggestions/{ended[0]['suggestion_id']}/approve")
    assert approved["version_id"] is not None
    other = await shop.read(second)
    assert (other["is_base_latest"], other["suggestion_state"]) == (False, "pending")
    refused = await shop.post(f"/suggestions/{other['suggestion_id']}/approve")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "BASE_CHANGED")
    assert (await shop.read(second))["suggestion_state"] == "pending"
    # The form of the next search begins with the new version.
    found = await shop.get("/optimizations/draft", optimization_id=second["id"])
    assert found["version_id"] is None
    third = await shop.do("/optimizations", **{**shop.body(), "name": found["name"]})
    assert third["version_id"] == approved["version_id"]
