"""Imports through the API: a preview that changes nothing, then everything or nothing."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from edison.workspace.projects.models import Role
from tests.factories.projects import make_member, make_project
from tests.support.browser import Browser, error_of

FILES = Path(__file__).parent / "files"
CONFIG = (FILES / "promptfooconfig.yaml").read_bytes()
NOT_RUN = "A server does not run code in files. The command edison eval does."


class Place:
    """A project with an administrator, and what is in it."""

    def __init__(self, slug: str, admin: Browser) -> None:
        self.url = f"/api/v1/projects/{slug}"
        self.admin = admin

    async def bring(
        self, content: bytes, *, name: str, preview: bool = False, **query: Any
    ) -> httpx.Response:
        path = f"{self.url}/import/preview" if preview else f"{self.url}/import"
        return await self.admin.post(path, content=content, params={"name": name, **query})

    async def read(self, path: str) -> Any:
        found = await self.admin.get(f"{self.url}{path}")
        assert found.status_code == 200, found.text
        return found.json()

    async def names(self) -> dict[str, list[str]]:
        return {
            kind: sorted(
                each.get("name") or each["display_name"]
                for each in (await self.read(f"/{kind}"))["items"]
            )
            for kind in ("prompts", "datasets", "scorers", "models")
        }

    async def cases(self, dataset: str) -> list[dict[str, Any]]:
        found = (await self.read("/datasets"))["items"]
        (chosen,) = [each["id"] for each in found if each["name"] == dataset]
        return list((await self.read(f"/datasets/{chosen}/cases"))["items"])


@pytest.fixture
async def place(app: FastAPI) -> Place:
    project = await make_project(app)
    return Place(project.slug, (await make_member(app, project, Role.ADMIN)).browser)


async def test_a_promptfoo_configuration_becomes_parts_of_the_project(place: Place) -> None:
    before = await place.names()
    seen = await place.bring(CONFIG, name="promptfooconfig.yaml", preview=True)
    assert seen.status_code == 200, seen.text
    assert await place.names() == before
    made = await place.bring(CONFIG, name="promptfooconfig.yaml")
    assert made.status_code == 201, made.text
    told = made.json()
    assert told == seen.json()
    assert "sk-secret" not in made.text
    assert (told["format"], told["name"], told["copies"]) == ("promptfoo", "Support answers", 0)
    # The project has no model of its own, so the first of the file grades.
    columns = ("source", "kind", "name", "count")
    assert [tuple(each[name] for name in columns) for each in told["parts"]] == [
        ("openai:chat:gpt-4o-mini", "model", "gpt-4o-mini", None),
        ("anthropic:messages:claude-sonnet-4-5", "model", "Sonnet", None),
        ("prompt 1", "prompt", "Answer the customer in {{ language }}: {{ question }}", None),
        ("prompt 2", "prompt", "Chat", None),
        ("2 tests", "dataset", "Support answers", 3),
        ("assertions", "scorer", "Support answers checks", 6),
    ]
    assert told["needs_credential"] == ["gpt-4o-mini", "Sonnet"]
    assert (told["needs_grader"], told["grader"]) == (True, "gpt-4o-mini")
    left = {(each["what"], each["place"], each["reason"]) for each in told["left_out"]}
    assert left == {
        ("prompt file://prompts.py:make", "promptfooconfig.yaml:6:5", NOT_RUN),
        ("provider exec:python answer.py", "promptfooconfig.yaml:12:5", NOT_RUN),
        ("assertion python file://check.py", "promptfooconfig.yaml:23:9", NOT_RUN),
        (
            "apiKey of anthropic:messages:claude-sonnet-4-5",
            None,
            "Keys are not imported. Enter it under Providers.",
        ),
    }

    found = await place.read("/prompts")
    chat = next(each for each in found["items"] if each["name"] == "Chat")
    draft = (await place.read(f"/prompts/{chat['id']}"))["draft"]
    assert (draft["syntax"], draft["system"], draft["text"]) == (
        "nunjucks",
        "You help customers.",
        "{{ question }}",
    )
    cases = await place.cases("Support answers")
    assert [each["inputs"]["question"] for each in cases] == [
        "Where is my parcel?",
        "May I return it?",
        "How do I return it?",
    ]
    assert cases[0]["inputs"]["assertions"] == [{"type": "icontains", "value": "tomorrow"}]
    assert (cases[0]["tags"], cases[0]["notes"]) == (["topic: delivery"], "Parcels")
    assert cases[1]["expected"] == "Use the label."
    (scorer,) = (await place.read("/scorers"))["items"]
    options = (await place.read(f"/scorers/{scorer['id']}"))["options"]
    assert scorer["kind"] == "graded_assertions"
    assert json.loads(options["assertions"]) == [{"type": "not-icontains", "value": "as an AI"}]
    assert options["case_input"] == "assertions"


async def test_names_that_exist_are_refused_skipped_or_renamed(place: Place) -> None:
    content = b'{"input": "Hello", "target": "Hi"}'
    assert (await place.bring(content, name="greetings.jsonl")).status_code == 201
    refused = error_of(await place.bring(content, name="greetings.jsonl"))
    assert (refused["code"], refused["details"]) == (
        "NAMES_TAKEN",
        {"names": ["dataset “greetings”"]},
    )
    skipped = (await place.bring(content, name="greetings.jsonl", existing="skip")).json()
    assert (skipped["created"], skipped["skipped"]) == (
        [],
        [{"kind": "dataset", "names": ["greetings"]}],
    )
    renamed = (await place.bring(content, name="greetings.jsonl", existing="rename")).json()
    assert renamed["created"] == [{"kind": "dataset", "names": ["greetings 2"]}]


async def test_hosted_evals_bring_their_prompt_model_graders_and_items(place: Place) -> None:
    content = (FILES / "openai-evals.jsonl").read_bytes()
    told = (await place.bring(content, name="evals.jsonl")).json()
    assert told["format"] == "openai_evals"
    assert [(each["kind"], each["name"]) for each in told["parts"]] == [
        ("model", "gpt-4o-mini"),
        ("prompt", "prompt of the run"),
        ("dataset", "Capitals"),
        ("scorer", "Capitals checks"),
    ]
    cases = await place.cases("Capitals")
    assert [each["inputs"] for each in cases] == [
        {"country": "France", "capital": "Paris"},
        {"country": "Spain", "capital": "Madrid"},
    ]
    (scorer,) = (await place.read("/scorers"))["items"]
    options = (await place.read(f"/scorers/{scorer['id']}"))["options"]
    assert json.loads(options["assertions"]) == [
        {"type": "equals", "value": "{{ capital }}", "metric": "exact"}
    ]


def zipped(**files: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return content.getvalue()


async def test_a_zip_brings_the_folder_of_a_configuration(place: Place) -> None:
    folder = zipped(
        **{
            "kit/promptfooconfig.yaml": "prompts: [file://a.txt]\ntests: tests.csv\n",
            "kit/a.txt": "Say {{word}}",
            "kit/tests.csv": "word,__expected\nhello,hello\n",
        }
    )
    told = (await place.bring(folder, name="kit.zip")).json()
    assert [(each["kind"], each["name"]) for each in told["parts"]] == [
        ("prompt", "a.txt: Say {{word}}"),
        ("dataset", "kit"),
        ("scorer", "kit checks"),
    ]
    registry = zipped(
        **{
            "registry/evals/capitals.yaml": (
                "capitals:\n  id: capitals.test.v1\ncapitals.test.v1:\n"
                "  class: evals.elsuite.basic.match:Match\n"
                "  args: {samples_jsonl: capitals/samples.jsonl}\n"
            ),
            "registry/data/capitals/samples.jsonl": '{"input": "Capital?", "ideal": "Paris"}',
        }
    )
    told = (await place.bring(registry, name="registry.zip")).json()
    assert (told["format"], [each["kind"] for each in told["parts"]]) == (
        "openai_registry",
        ["prompt", "dataset", "scorer"],
    )


BAD_FILES = [
    (b"", "a.json", "file", "The file is empty."),
    (
        b"prompts: [file:///etc/hostname]\ntests: []\n",
        "a.yaml",
        "file",
        "a.yaml:1:11: hostname is outside of the imported folder.",
    ),
    (
        b"prompts: [hello]\ntests: [{vars: {a: 1}, assert: [{value: 1}]}]\n",
        "a.yaml",
        "file",
        "a.yaml:2:33: Test 1: An assertion needs a type.",
    ),
    (
        json.dumps({"tests": [{"vars": {x: ["a"] * 50 for x in "abcdef"}}]}).encode(),
        "a.json",
        "file",
        "a.json:1:12: A test has at most 100,000 combinations of values.",
    ),
    (
        b'[{"input": "a\\u0000b", "target": "c"}]',
        "a.json",
        "cases.1.inputs.input",
        "Case 1: This text holds a NUL character.",
    ),
    (b"PK\x03\x04 not a zip", "a.zip", "file", "This is not a complete zip file."),
    (zipped(**{"../x.yaml": "a"}), "a.zip", "file", "The archive has the path '../x.yaml'."),
    (
        zipped(**{"notes.txt": "a"}),
        "a.zip",
        "file",
        "The archive has none of edison.yaml, promptfooconfig.yaml, promptfooconfig.yml, "
        "promptfooconfig.json, and no registry of OpenAI evals.",
    ),
]


def problems_of(response: httpx.Response) -> dict[str, str]:
    assert response.status_code == 400, response.text
    return {each["field"]: each["message"] for each in error_of(response)["details"]}


async def test_bad_input_is_named_and_changes_nothing(place: Place) -> None:
    before = await place.names()
    for content, name, field, message in BAD_FILES:
        assert problems_of(await place.bring(content, name=name)) == {field: message}
    assert await place.names() == before


async def test_a_file_that_is_too_large_is_refused(place: Place) -> None:
    refused = await place.bring(b" " * 11_000_000, name="large.jsonl")
    assert problems_of(refused) == {
        "file": "The file has 11.0 MB; at most 10.5 MB are possible (EDISON_IMPORT_MAX_BYTES)."
    }
    too_much = await place.bring(b" " * 53_000_000, name="large.json")
    assert too_much.status_code == 413


async def test_only_administrators_import(app: FastAPI) -> None:
    project = await make_project(app)
    editor = (await make_member(app, project, Role.EDITOR)).browser
    for path in ("import", "import/preview"):
        refused = await editor.post(f"/api/v1/projects/{project.slug}/{path}", content=CONFIG)
        assert refused.status_code == 403
