"""How often estimates contain the cost, and how wide they are, over forty different runs.

The runs ask the simulated models about the demo's tasks, and a server that speaks OpenAI's
protocol, bills more input than Edison counts and writes answers of random length: with and without
judges, pairwise judges and cached answers. Seeds are fixed.
"""

import asyncio
import json
import random
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from aiohttp import web

from benchmarks.figures import Figure
from benchmarks.server import running_edison

CASES = 8
WIDEST = 3.0
GOAL = 0.9
ENDED = ("completed", "failed", "cancelled")
PATIENCE_SECONDS = 300
STAND_INS = ("brief", "chatty", "erratic")
CRITERIA = [{"name": "Quality", "description": "Is right and true.", "weight": 1.0, "scale": "0-5"}]
PRICES = {
    "input_usd_per_million": "2.5",
    "output_usd_per_million": "10",
    "cached_input_usd_per_million": "1.25",
}
# Mean length of an answer in tokens, and the spread of its logarithm.
LENGTHS = {"brief": (12, 0.3), "chatty": (220, 0.4), "erratic": (60, 0.8), "judge": (45, 0.3)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    name: str
    low: float
    high: float
    cost: float
    is_repeated: bool

    @property
    def is_inside(self) -> bool:
        # Amounts are rounded to a nano-dollar.
        return self.low - 1e-9 <= self.cost <= self.high + 1e-9

    @property
    def width(self) -> float:
        return self.high / self.low if self.low else float("inf") if self.high else 1.0


@dataclass(slots=True)
class StandIn:
    """Speaks OpenAI's protocol. Its template adds 23 tokens, and its tokens are shorter."""

    luck: random.Random = field(default_factory=lambda: random.Random(1843))  # noqa: S311 - no secret

    async def models(self, _request: web.Request) -> web.Response:
        data = [{"id": name, "object": "model"} for name in LENGTHS]
        return web.json_response({"object": "list", "data": data})

    async def chat(self, request: web.Request) -> web.Response:
        body = await request.json()
        model, texts = body["model"], [each["content"] for each in body["messages"]]
        mean, spread = LENGTHS[model]
        count = max(1, round(mean * self.luck.lognormvariate(0, spread)))
        asked = "\n".join(texts)
        text = self._verdict(asked) if model == "judge" else _formed(asked, "Well. " * count)
        written = max(count, len(text) // 4) if model == "judge" else min(count * 2, 4096)
        sent = 23 + sum(len(each) for each in texts) // 3
        usage = {
            "prompt_tokens": sent,
            "completion_tokens": written,
            "total_tokens": sent + written,
            "prompt_tokens_details": {"cached_tokens": sent // 4},
        }
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return web.json_response(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1,
                "model": model,
                "choices": [choice],
                "usage": usage,
            }
        )

    def _verdict(self, text: str) -> str:
        reason = "It is right. " * self.luck.randint(1, 12)
        if "output_a" in text:
            return json.dumps({"reasons": [reason], "winner": self.luck.choice(["A", "B", "tie"])})
        return json.dumps({"rationales": {"Quality": reason}, "scores": {"Quality": 4}})


def _formed(asked: str, text: str) -> str:
    """In the form that the prompt asks for: malformed answers are not judged."""
    if "json" in asked.lower():
        text = json.dumps({"answer": text})
    return f"<response>{text}</response>" if "<response>" in asked else text


@asynccontextmanager
async def _serving() -> AsyncIterator[str]:
    stand_in = StandIn()
    app = web.Application()
    app.router.add_get("/v1/models", stand_in.models)
    app.router.add_post("/v1/chat/completions", stand_in.chat)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    yield f"http://{host}:{port}/v1"
    await runner.cleanup()


class Desk:
    """A client of the demo project."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self.outcomes: list[Outcome] = []

    async def post(self, path: str, **body: Any) -> Any:
        response = await self._client.post(f"/api/v1/projects/demo{path}", json=body)
        if response.is_error:
            raise RuntimeError(f"{path}: {response.text}")
        return response.json()

    async def get(self, path: str) -> Any:
        response = await self._client.get(f"/api/v1/projects/demo{path}")
        if response.is_error:
            raise RuntimeError(f"{path}: {response.text}")
        return response.json()

    async def run(self, name: str, *, is_repeated: bool = False, **body: Any) -> None:
        """Estimates and runs."""
        estimate = (await self.post("/runs/estimate", **body))["cost"]
        run_id = (await self.post("/runs", **body))["id"]
        until = time.monotonic() + PATIENCE_SECONDS
        while (run := await self.get(f"/runs/{run_id}"))["state"] not in ENDED:
            if time.monotonic() > until:
                raise RuntimeError(f"{name} did not end: {run['state']}, {run['message']}")
            await asyncio.sleep(0.3)
        self.outcomes.append(
            Outcome(
                name=name,
                low=float(estimate["low_usd"]),
                high=float(estimate["high_usd"]),
                cost=float(run["cost_usd"]),
                is_repeated=is_repeated,
            )
        )


async def _add_models(desk: Desk, url: str) -> dict[str, str]:
    credential = await desk.post(
        "/credentials",
        provider="openai_compatible",
        label="Stand-in",
        settings={"base_url": url},
        secrets={"api_key": {"value": "sk-bench"}},
    )
    added = {}
    for name in LENGTHS:
        model = await desk.post(
            "/models",
            credential_id=credential["id"],
            provider_model=name,
            display_name=name,
            prices=PRICES,
        )
        added[name] = model["id"]
    return added


async def _stop_demo_runs(desk: Desk) -> None:
    """They would only take time."""
    for run in (await desk.get("/runs?limit=50"))["items"]:
        if run["state"] not in ENDED:
            await desk.post(f"/runs/{run['id']}/cancel")


async def _forty(desk: Desk, url: str) -> None:
    stand_ins = await _add_models(desk, url)
    await _stop_demo_runs(desk)
    found = (await desk.get("/models?limit=50"))["items"]
    simulated = [each["id"] for each in found if each["is_simulated"]][:2]
    prompts = (await desk.get("/prompts?limit=50&sort=name"))["items"]
    datasets = {
        each["name"]: each["id"] for each in (await desk.get("/datasets?limit=50"))["items"]
    }
    judge = {"model_id": stand_ins["judge"], "criteria": CRITERIA}
    pairwise = {"kind": "pairwise_judge", "options": judge}
    for prompt in [each for each in prompts if f"{each['name']} cases" in datasets]:
        shared: dict[str, Any] = {
            "dataset_id": datasets[f"{prompt['name']} cases"],
            "cases": {"limit": CASES},
        }

        def variants(*models: str, prompt_id: str = prompt["id"]) -> list[dict[str, str]]:
            return [{"prompt_id": prompt_id, "model_id": each} for each in models]

        first = {"variants": variants(simulated[0]), **shared}
        await desk.run("simulated", **first, is_cache_bypassed=True)
        for name in STAND_INS:
            wanted = {"variants": variants(stand_ins[name]), **shared}
            await desk.run(name, **wanted)
            fresh = wanted | {"is_cache_bypassed": True}
            await desk.run(f"{name}, repeated", is_repeated=True, **fresh)
        await desk.run("cached", variants=variants(stand_ins["brief"]), **shared)
        judged = {"scorers": [{"kind": "judge", "options": judge}], "is_cache_bypassed": True}
        wanted = {"variants": variants(stand_ins["chatty"]), **shared, **judged}
        await desk.run("judged", **wanted)
        await desk.run("judged, repeated", is_repeated=True, **wanted)
        both = variants(stand_ins["brief"], stand_ins["chatty"])
        compared = {"variants": both, **shared, "comparers": [pairwise], "is_cache_bypassed": True}
        await desk.run("pairwise", **compared)
        if len(desk.outcomes) >= 40:
            return


async def _measure() -> list[Outcome]:
    with tempfile.TemporaryDirectory() as folder, running_edison(Path(folder)) as edison:
        async with (
            _serving() as url,
            httpx.AsyncClient(base_url=edison.url, timeout=60, follow_redirects=True) as client,
        ):
            if edison.sign_in_link is None:
                raise RuntimeError("The demo offers no sign-in link.")
            client.headers["origin"] = edison.url
            token = edison.sign_in_link.partition("token=")[2]
            signed_in = await client.post("/api/v1/auth/sign-in-link", json={"token": token})
            signed_in.raise_for_status()
            client.headers["X-CSRF-Token"] = client.cookies["edison_csrf"]
            desk = Desk(client)
            await _forty(desk, url)
            return desk.outcomes


def measure() -> list[Figure]:
    outcomes = asyncio.run(_measure())
    missed = [
        f"{each.name}: {each.low:.6f} to {each.high:.6f}, cost {each.cost:.6f}"
        for each in outcomes
        if not each.is_inside
    ]
    inside = 1 - len(missed) / len(outcomes)
    before = sorted(each.width for each in outcomes if not each.is_repeated and each.cost)
    after = sorted(each.width for each in outcomes if each.is_repeated)
    return [
        Figure(
            name=f"runs whose cost lay inside, of {len(outcomes)}",
            value=f"{inside:.0%}",
            target=f">= {GOAL:.0%}",
            is_met=inside >= GOAL,
        ),
        *(Figure(name="outside", value=each) for each in missed),
        Figure(name="width before, median", value=f"{before[len(before) // 2]:.1f}x"),
        Figure(name="width after one run, median", value=f"{after[len(after) // 2]:.2f}x"),
        Figure(
            name="width after one run, widest",
            value=f"{after[-1]:.2f}x",
            target=f"<= {WIDEST:.0f}x",
            is_met=after[-1] <= WIDEST,
        ),
    ]
