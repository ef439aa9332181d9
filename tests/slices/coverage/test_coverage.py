"""Coverage of a dataset, over HTTP."""

from fastapi import FastAPI

from tests.factories.datasets import make_dataset
from tests.support.browser import fields_of

DIMENSIONS = ["tags", "entities", "length", "ambiguity", "language", "difficulty", "split"]


async def test_every_dimension_is_counted(app: FastAPI) -> None:
    made = await make_dataset(app, [{"question": f"Where is my order #{n}00?"} for n in range(20)])
    found = (await made.editor.get(f"{made.url}/coverage")).json()
    assert found["cases"] == 20
    assert [each["key"] for each in found["dimensions"]] == DIMENSIONS
    lengths = next(each for each in found["dimensions"] if each["key"] == "length")
    assert lengths["buckets"][0] == {"value": "XS", "cases": 20, "share": 1.0, "is_thin": False}
    assert lengths["coverage"] == 0.2
    assert found["gaps"]


async def test_a_change_of_the_cases_is_seen_at_once(app: FastAPI) -> None:
    made = await make_dataset(app, [{"question": "Where is my order?"}])
    url = f"{made.url}/coverage"
    assert (await made.editor.get(url)).json()["cases"] == 1
    await made.editor.post(f"{made.url}/cases", json={"inputs": {"question": "Why?"}})
    assert (await made.editor.get(url)).json()["cases"] == 2
    (case, _) = await made.cases()
    await made.editor.delete(f"{made.url}/cases/{case['id']}")
    assert (await made.editor.get(url)).json()["cases"] == 1


async def test_all_cases_count(app: FastAPI) -> None:
    made = await make_dataset(app, [{"n": number} for number in range(2_500)])
    assert (await made.editor.get(f"{made.url}/coverage")).json()["cases"] == 2_500


async def test_expected_languages_are_codes(app: FastAPI) -> None:
    made = await make_dataset(app, [{"question": "Where is my order?"}])
    url = f"{made.url}/coverage"
    found = (await made.editor.get(url, params={"language": ["de", "de"]})).json()
    language = next(each for each in found["dimensions"] if each["key"] == "language")
    assert [each["value"] for each in language["buckets"]] == ["en", "de"]
    refused = await made.editor.get(url, params={"language": "German"})
    assert fields_of(refused) == {"language.0"}


async def test_an_empty_dataset_covers_nothing(app: FastAPI) -> None:
    made = await make_dataset(app)
    found = (await made.editor.get(f"{made.url}/coverage")).json()
    assert (found["cases"], found["gaps"]) == (0, [])
    assert {each["coverage"] for each in found["dimensions"]} == {0.0}
