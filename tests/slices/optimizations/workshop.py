"""A project with a prompt to optimize, and a server that plays all models.

Answers repeat the rules of their prompt, the judge counts them, and the refiner adds the next one:
so every number follows from the prompt's text.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
from fastapi import FastAPI

from edison.library.models.models import Model
from edison.library.prompts.models import Prompt, PromptVersion
from tests.factories.datasets import MadeDataset
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Received, Reply, ScriptedServer
from tests.slices.experiments.lab import CRITERIA, GOAL, RULES, diff_adding
from tests.support.project_news import read_until

TRAIN = 8
HOLDOUT = 10
WAITING = ("draft", "running")
_OUTPUT = re.compile(r"<output-(\d+)>\n(.*?)\n</output-\1>", re.DOTALL)
_NUMBER = re.compile(r"Where is parcel (\d+)\?")
_ANSWERED = re.compile(r"Parcel (\d+)\.")


@dataclass(kw_only=True)
class WorkshopScript:
    """What the server plays. `said` are the refiner's replies in turn, if not the next rule.
    `helps` is whether rules help on held-out cases. `is_wrong` says for which models and parcels
    answers are wrong. `is_unreadable` says for which parcels
    verdicts are nonsense. `at` are callbacks for the n-th call of a model.
    """

    said: list[str] = field(default_factory=list)
    helps: bool = True
    is_wrong: Callable[[str, int], bool] = lambda model, number: False
    is_unreadable: Callable[[int], bool] = lambda number: False
    asked: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    at: dict[tuple[str, int], Callable[[], None]] = field(default_factory=dict)

    def reply(self, received: Received) -> Reply:
        model = received.body["model"]
        texts = "\n".join(message["content"] for message in received.body["messages"])
        self.asked.append(model)
        self.at.get((model, self.asked.count(model)), lambda: None)()
        if model == "judge":
            return openai.completion(self._verdict(texts))
        if model == "refiner":
            self.requests.append(texts)
            return openai.completion(self._refined(texts))
        rules = [rule for rule in RULES if rule in texts]
        found = _NUMBER.search(texts)
        number = int(found[1]) if found else 0
        if number >= TRAIN and not self.helps:
            rules = []
        wrong = " Wrong." if self.is_wrong(model, number) else ""
        return openai.completion(f"Parcel {number}. {' '.join(rules)}{wrong}")

    def _verdict(self, text: str) -> str:
        shown = _OUTPUT.search(text)
        told = None if shown is None else _ANSWERED.search(shown[2])
        if told is not None and self.is_unreadable(int(told[1])):
            return "I like it."
        count = 0 if shown is None else sum(rule in shown[2] for rule in RULES)
        is_wrong = shown is not None and "Wrong." in shown[2]
        scores = {"Tone": 1 + count, "Facts": 0 if is_wrong else 4}
        said = {"Tone": f"Keeps {count} rules.", "Facts": "Fine."}
        return json.dumps({"rationales": said, "scores": scores})

    def _refined(self, text: str) -> str:
        if self.said:
            return self.said[(self.asked.count("refiner") - 1) % len(self.said)]
        fresh = next((rule for rule in RULES if rule not in text), None)
        if fresh is None:
            return "<diff>\n</diff>\n<note>\nNothing is missing.\n</note>"
        return f"<diff>\n{diff_adding(fresh)}\n</diff>\n<note>\nAdds {fresh}\n</note>"


@dataclass(frozen=True, kw_only=True)
class Workshop:
    app: FastAPI
    dataset: MadeDataset
    prompt: Prompt
    version: PromptVersion
    models: dict[str, Model]
    server: ScriptedServer
    script: WorkshopScript

    @property
    def project_url(self) -> str:
        return f"/api/v1/projects/{self.dataset.project.slug}"

    def model_id(self, name: str) -> str:
        return str(self.models[name].id)

    def panel(self) -> dict[str, Any]:
        options = {"judges": [self.model_id("judge")], "goal": GOAL, "criteria": CRITERIA}
        return {"kind": "judge_panel", "label": "Judges", "options": options}

    def body(self, **changes: Any) -> dict[str, Any]:
        return {
            "name": "Kinder replies",
            "prompt_id": str(self.prompt.id),
            "dataset_id": str(self.dataset.id),
            "goal": GOAL,
            "models": [{"model_id": self.model_id("plain"), "parameters": {"max_tokens": 50}}],
            "scorers": [self.panel()],
            "strategy": self.strategy("refine", candidates=1),
            "generations": 2,
            "budget_usd": "50",
            "seed": 7,
            **changes,
        }

    def strategy(self, kind: str, **options: Any) -> dict[str, Any]:
        given = {"model_id": self.model_id("refiner"), **options}
        return {"kind": kind, "options": given}

    async def get(self, path: str, **query: Any) -> Any:
        response = await self.dataset.editor.get(f"{self.project_url}{path}", params=query)
        assert response.status_code == 200, response.text
        return response.json()

    async def post(self, path: str, **body: Any) -> httpx.Response:
        return await self.dataset.editor.post(f"{self.project_url}{path}", json=body)

    async def do(self, path: str, **body: Any) -> Any:
        response = await self.post(path, **body)
        assert response.status_code in (200, 201), response.text
        return response.json()

    async def make(self, **changes: Any) -> dict[str, Any]:
        return dict(await self.do("/optimizations", **self.body(**changes)))

    async def start(self, **changes: Any) -> dict[str, Any]:
        made = await self.make(**changes)
        return dict(await self.do(f"/optimizations/{made['id']}/start"))

    async def read(self, row: dict[str, Any]) -> dict[str, Any]:
        return dict(await self.get(f"/optimizations/{row['id']}"))

    async def until(
        self, row: dict[str, Any], is_so: Callable[[dict[str, Any]], bool]
    ) -> dict[str, Any]:
        project_id = self.dataset.project.id
        return await read_until(self.app, project_id, lambda: self.read(row), is_so)

    async def until_ended(self, row: dict[str, Any]) -> dict[str, Any]:
        return await self.until(row, lambda found: found["state"] not in WAITING)

    async def activity(self, row: dict[str, Any]) -> list[dict[str, Any]]:
        """Oldest first."""
        found = await self.get(f"/optimizations/{row['id']}/activity")
        return list(found["items"])[::-1]

    async def notices(self) -> list[tuple[str, str]]:
        """Kinds and texts of the editor's notifications, oldest first."""
        response = await self.dataset.editor.get("/api/v1/notifications")
        return [(each["kind"], each["body"]) for each in response.json()["items"]][::-1]
