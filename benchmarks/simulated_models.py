"""Simulated models behind the API of OpenAI, in a separate process, so that their CPU time is not
that of the server.
"""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvloop
from aiohttp import web

from edison.simulation import seeded
from edison.simulation.habits import Habits
from edison.simulation.request import ChatMessage, ChatRequest, Sampling
from edison.simulation.simulate import SimulatedReply, simulate
from edison.simulation.tiers import TIERS

DELAY_SECONDS = 0.1


@contextmanager
def running_simulation() -> Iterator[str]:
    """Yields the address of the server."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.simulated_models"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


async def _answer(request: web.Request) -> web.Response:
    body = await request.json()
    reply = _simulated(body)
    await asyncio.sleep(DELAY_SECONDS * 2 * seeded.uniform(reply.text))
    usage = {"prompt_tokens": reply.input_tokens, "completion_tokens": reply.output_tokens}
    message = {"role": "assistant", "content": reply.text, "refusal": None}
    return web.json_response(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_760_000_000,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {**usage, "total_tokens": reply.input_tokens + reply.output_tokens},
        }
    )


def _simulated(body: dict[str, Any]) -> SimulatedReply:
    said = body["messages"]
    prompt = ChatRequest(
        messages=tuple(
            ChatMessage(role=each["role"], text=each["content"])
            for each in said
            if each["role"] != "system"
        ),
        system=next((each["content"] for each in said if each["role"] == "system"), None),
        wants_json="response_format" in body,
    )
    sampling = Sampling(
        temperature=body.get("temperature"),
        seed=body.get("seed"),
        stop=(),
        max_tokens=body.get("max_tokens"),
    )
    return simulate(prompt, TIERS[body["model"]], sampling, Habits())


async def _list(_: web.Request) -> web.Response:
    listed = [{"id": name, "object": "model"} for name in TIERS]
    return web.json_response({"object": "list", "data": listed})


async def _serve() -> None:
    app = web.Application()
    app.add_routes([web.post("/chat/completions", _answer), web.get("/models", _list)])
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    (address,) = runner.addresses
    sys.stdout.write(f"http://127.0.0.1:{address[1]}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(_serve())
