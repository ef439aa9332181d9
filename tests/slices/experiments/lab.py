"""A project with experiments, and a server that plays all models.

Answers repeat the rules of their prompt, the judge counts them, and the refiner adds the next one:
so every number follows from the prompt's text.
"""

import json
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

import httpx
from fastapi import FastAPI

from edison.library.datasets.contents import CaseContents, Split
from edison.library.datasets.models import Dataset
from edison.library.models.models import Model
from edison.workspace.projects.models import Role
from tests.factories.datasets import MadeDataset, add_cases
from tests.factories.projects import make_member
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Received, Reply, ScriptedServer
from tests.support.browser import Browser
from tests.support.project_news import read_until

WAITING = ("reviewing", "completed", "failed", "cancelled", "paused")
GOAL = "Answer customers' questions about parcels kindly and exactly."
CRITERIA = [
    {"name": "Tone", "description": "Is friendly and polite.", "weight": 0.6, "scale": "0-5"},
    {"name": "Facts", "description": "Says nothing wrong.", "weight": 0.4, "scale": "0-5"},
]
TEXT = "Answer the customer's question in one paragraph.\n\nQuestion:\n{{question}}\n"
RULES = ("Rule: greet.", "Rule: thank.", "Rule: wish well.", "Rule: sign.")
_OUTPUT = re.compile(r"<output-(\d+)>\n(.*?)\n</output-\1>", re.DOTALL)
_FIRST_OUTPUT = re.compile(r"<output_a-(\d+)>\n(.*?)\n</output_a-\1>", re.DOTALL)


def diff_adding(rule: str, *, first: str = "Answer the customer's question") -> str:
    """Adds a rule after the first line."""
    line = f"{first} in one paragraph."
    return f"--- a/prompt.txt\n+++ b/prompt.txt\n@@ -1,1 +1,2 @@\n {line}\n+{rule}"


@dataclass(kw_only=True)
class ServerScript:
    """What the server plays. `down` are models whose calls fail; `said` is the refiner's answer, if
    not the next rule. `at` are callbacks for the n-th call.
    """

    down: set[str] = field(default_factory=set)
    said: str | None = None
    asked: list[str] = field(default_factory=list)
    at: dict[tuple[str, int], Callable[[], None]] = field(default_factory=dict)

    def reply(self, received: Received) -> Reply:
        model = received.body["model"]
        texts = "\n".join(message["content"] for message in received.body["messages"])
        self.asked.append(model)
        self.at.get((model, self.asked.count(model)), lambda: None)()
        if model in self.down:
            return openai.error(400)
        if model == "judge":
            return openai.completion(self._verdict(texts))
        if model == "refiner":
            return openai.completion(self._refined(texts))
        rules = [rule for rule in RULES if rule in texts]
        return openai.completion(f"{model} answers. {' '.join(rules)}")

    def _verdict(self, text: str) -> str:
        pair = _FIRST_OUTPUT.search(text)
        if pair is not None:
            return json.dumps({"reasons": ["Nicer."], "winner": "A" if "fancy" in pair[2] else "B"})
        shown = _OUTPUT.search(text)
        count = 0 if shown is None else sum(rule in shown[2] for rule in RULES)
        scores = {"Tone": 1 + count, "Facts": 4}
        said = {"Tone": f"Keeps {count} rules.", "Facts": "Fine."}
        return json.dumps({"rationales": said, "scores": scores})

    def _refined(self, text: str) -> str:
        if self.said is not None:
            return self.said
        fresh = next(rule for rule in RULES if rule not in text)
        return f"<diff>\n{diff_adding(fresh)}\n</diff>\n<note>\nAdds {fresh}\n</note>"


@dataclass(frozen=True, kw_only=True)
class Lab:
    app: FastAPI
    dataset: MadeDataset
    server: ScriptedServer
    models: dict[str, Model]
    cast: ServerScript

    @property
    def editor(self) -> Browser:
        return self.dataset.editor

    @property
    def project_url(self) -> str:
        return f"/api/v1/projects/{self.dataset.project.slug}"

    async def member(self, role: Role) -> Browser:
        return (await make_member(self.app, self.dataset.project, role)).browser

    def model_id(self, name: str) -> str:
        return str(self.models[name].id)

    def draft(self, **steps: Any) -> dict[str, Any]:
        """All steps, without problems."""
        draft: dict[str, Any] = {
            "objective": {"goal": GOAL},
            "rubric": {"criteria": CRITERIA},
            "prompt": {"name": "Parcel answers", "text": TEXT},
            "data": {"dataset_id": str(self.dataset.id)},
            "models": {"models": [{"model_id": self.model_id("plain")}]},
            "judges": {"judges": [self.model_id("judge")], "safety": {"pii": False}},
            "limits": {"refiner_model_id": self.model_id("refiner"), "candidates": 1},
        }
        for step, values in steps.items():
            draft[step] = {**draft[step], **values}
        return draft

    async def hold_out(self, count: int) -> None:
        """Adds held-out cases to the dataset."""
        async with self.app.state.database.write() as session:
            await add_cases(
                session,
                await session.get_one(Dataset, self.dataset.id),
                [
                    CaseContents(inputs={"question": f"Where is box {at}?"}, split=Split.HOLDOUT)
                    for at in range(count)
                ],
            )

    async def get(self, path: str, **query: Any) -> Any:
        response = await self.editor.get(f"{self.project_url}{path}", params=query)
        assert response.status_code == 200, response.text
        return response.json()

    async def get_as_owner(self, path: str, **query: Any) -> Any:
        owner = await self.member(Role.ADMIN)
        response = await owner.get(f"{self.project_url}{path}", params=query)
        assert response.status_code == 200, response.text
        return response.json()

    async def email(self) -> str:
        """The editor's address."""
        return str((await self.editor.get("/api/v1/auth/me")).json()["user"]["email"])

    async def notifications(self, **query: Any) -> Any:
        response = await self.editor.get("/api/v1/notifications", params=query)
        assert response.status_code == 200, response.text
        return response.json()

    async def post(self, path: str, **body: Any) -> httpx.Response:
        return await self.editor.post(f"{self.project_url}{path}", json=body)

    async def do(self, path: str, **body: Any) -> Any:
        response = await self.post(path, **body)
        assert response.status_code in (200, 201), response.text
        return response.json()

    async def save(self, experiment: dict[str, Any], draft: dict[str, Any]) -> httpx.Response:
        return await self.editor.put(
            f"{self.project_url}/experiments/{experiment['id']}/draft",
            json={
                "draft_version": experiment["draft_version"],
                "step": "limits",
                "draft": draft,
            },
        )

    async def make(self, **steps: Any) -> dict[str, Any]:
        """A confirmed experiment."""
        made = await self.do("/experiments", name="Parcels")
        saved = await self.save(made, self.draft(**steps))
        assert saved.status_code == 200, saved.text
        assert saved.json()["problems"] == []
        confirmed: dict[str, Any] = await self.do(f"/experiments/{made['id']}/confirm")
        return confirmed

    async def start(self, experiment: dict[str, Any], **body: Any) -> dict[str, Any]:
        return dict(await self.do(f"/experiments/{experiment['id']}/iterations", **body))

    async def until(
        self, iteration: dict[str, Any], states: Collection[str] = WAITING
    ) -> dict[str, Any]:
        path = f"/experiments/{iteration['experiment_id']}/iterations/{iteration['id']}"
        return await self.until_it(path, lambda found: found["state"] in states)

    async def until_it(self, path: str, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        project_id = self.dataset.project.id
        return dict(await read_until(self.app, project_id, lambda: self.get(path), is_so))

    async def save_version(self, experiment: dict[str, Any], text: str) -> str:
        """A version of the experiment's prompt, saved by a user."""
        path = f"/prompts/{experiment['prompt_id']}"
        draft = (await self.get(path))["draft"]
        saved = await self.editor.put(
            f"{self.project_url}{path}/draft", json={"version": draft["version"], "text": text}
        )
        assert saved.status_code == 200, saved.text
        version = await self.do(
            f"{path}/versions", version=saved.json()["version"], changelog="Written by a person."
        )
        return str(version["id"])

    async def experiment(self, experiment: dict[str, Any]) -> dict[str, Any]:
        return dict(await self.get(f"/experiments/{experiment['id']}"))

    async def suggestion(self, iteration: dict[str, Any], at: int = 0) -> dict[str, Any]:
        brief = iteration["suggestions"][at]
        return dict(await self.get(f"/suggestions/{brief['id']}"))

    async def next_iteration(self, experiment: dict[str, Any], number: int) -> dict[str, Any]:
        """The next iteration, once it waits for a review."""
        found = await self.until_it(
            f"/experiments/{experiment['id']}", lambda each: len(each["iterations"]) >= number
        )
        return await self.until(found["iterations"][number - 1])
