"""A server that plays two models with different answers, and a judge that prefers one of them."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from edison.library.models.models import Model
from tests.factories.models import make_credential, make_model
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Received, Reply
from tests.slices.runs.conftest import PRICES, Desk

CRITERIA = [
    {"name": "Tone", "description": "Is friendly and polite.", "weight": 0.5, "scale": "0-5"},
    {"name": "Facts", "description": "Says nothing wrong.", "weight": 0.5, "scale": "0-10"},
]
_FIRST_OUTPUT = re.compile(r"<output_a-(\d+)>\n(.*?)\n</output_a-\1>", re.DOTALL)


@dataclass(kw_only=True)
class Bench:
    """`plain` and `fancy` answer with their names, and `judge` prefers the answer of `fancy`.

    For the cases in `biased` it prefers the answer shown first; for those in `chatty` its verdict
    is unreadable. `down` are models whose calls fail. `asked` counts the judge's calls.
    """

    desk: Desk
    plain: Model
    fancy: Model
    judge: Model
    biased: set[str] = field(default_factory=set)
    chatty: set[str] = field(default_factory=set)
    down: set[str] = field(default_factory=set)
    asked: int = 0

    def variants(self, *models: Model) -> list[dict[str, Any]]:
        return [self.desk.variant(model_id=str(model.id)) for model in models]

    def comparer(self, **changes: Any) -> dict[str, Any]:
        options = {"model_id": str(self.judge.id), "criteria": CRITERIA}
        return {"kind": "pairwise_judge", "options": options, **changes}

    async def comparisons(self, run_id: str, **query: Any) -> list[dict[str, Any]]:
        found = await self.desk.get(f"/runs/{run_id}/comparisons", limit=100, **query)
        items: list[dict[str, Any]] = found["items"]
        return sorted(items, key=lambda each: (each["case_position"], each["variant_b"]))

    def reply(self, received: Received) -> Reply:
        body = received.body
        model, texts = body["model"], [message["content"] for message in body["messages"]]
        if model in self.down:
            return openai.error(400)
        if model != "judge":
            return openai.completion(f"{model} says so. {texts[-1]}")
        self.asked += 1
        return openai.completion(self._verdict("\n".join(texts)))

    def _verdict(self, text: str) -> str:
        if any(name in text for name in self.chatty):
            return "Both have their merits."
        shown = _FIRST_OUTPUT.search(text)
        if shown is None:
            scores = {"Tone": 4, "Facts": 5}
            return json.dumps({"rationales": dict.fromkeys(scores, "So so."), "scores": scores})
        is_first = "fancy" in shown[2] or any(name in text for name in self.biased)
        return json.dumps({"reasons": ["Nicer."], "winner": "A" if is_first else "B"})


async def open_bench(desk: Desk) -> Bench:
    credential = await make_credential(
        desk.app,
        desk.dataset.project.id,
        "openai_compatible",
        settings={"base_url": desk.server.url},
    )
    plain, fancy, judge = [
        await make_model(desk.app, credential, name, prices=PRICES)
        for name in ("plain", "fancy", "judge")
    ]
    bench = Bench(desk=desk, plain=plain, fancy=fancy, judge=judge)
    desk.server.choose = bench.reply
    return bench
