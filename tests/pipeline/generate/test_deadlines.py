"""Deadlines of many requests with one timer."""

import asyncio
import random
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from edison.pipeline.generate.deadlines import Deadlines
from tests.support.virtual_time import VirtualLoop, in_virtual_time, virtual_now


class Request:
    def __init__(self) -> None:
        self.expired_at: list[float] = []

    def expire(self) -> None:
        self.expired_at.append(virtual_now())


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The times of all timers that were set."""
    times: list[float] = []
    call_at = VirtualLoop.call_at

    def noted(loop: VirtualLoop, when: float, callback: Any, *rest: Any, **named: Any) -> Any:
        if isinstance(getattr(callback, "__self__", None), Deadlines):
            times.append(when)
        return call_at(loop, when, callback, *rest, **named)

    monkeypatch.setattr(VirtualLoop, "call_at", noted)
    return times


@in_virtual_time
async def test_requests_expire_at_their_own_deadline_unless_they_end_before() -> None:
    luck = random.Random(7)  # noqa: S311 - dice
    deadlines = Deadlines()

    async def make(timeout_seconds: float, ends_after: float) -> None:
        request, deadline = Request(), virtual_now() + timeout_seconds
        deadlines.set(request, deadline)
        await asyncio.sleep(ends_after)
        deadlines.clear(request)
        is_late = timeout_seconds < ends_after
        assert request.expired_at == ([deadline] if is_late else [])

    async with asyncio.TaskGroup() as group:
        for _ in range(500):
            timeout_seconds = luck.choice([0.5, 5, 60, luck.random()])
            group.create_task(make(timeout_seconds, luck.random() * 2 * timeout_seconds))
            await asyncio.sleep(luck.random() * 0.2)


def test_requests_with_the_same_timeout_share_a_timer(timers: list[float]) -> None:
    @in_virtual_time
    async def run() -> None:
        deadlines, late = Deadlines(), Request()
        for _ in range(20):
            request = Request()
            deadlines.set(request, virtual_now() + 60)
            await asyncio.sleep(7)
            deadlines.clear(request)
        deadlines.set(late, virtual_now() + 60)
        await asyncio.sleep(100)
        assert late.expired_at == [200]

    run()
    # Each is the deadline of the oldest request when the one before rang.
    assert timers == [60, 116, 172, 200]


def test_an_earlier_deadline_moves_the_timer(timers: list[float]) -> None:
    @in_virtual_time
    async def run() -> None:
        deadlines, slow, quick = Deadlines(), Request(), Request()
        deadlines.set(slow, 60)
        deadlines.set(quick, 2)
        await asyncio.sleep(100)
        assert (slow.expired_at, quick.expired_at) == ([60], [2])

    run()
    assert timers == [60, 2, 60]


@in_virtual_time
async def test_nothing_expires_after_closing() -> None:
    deadlines, request = Deadlines(), Request()
    deadlines.set(request, 1)
    deadlines.close()
    await asyncio.sleep(10)
    assert request.expired_at == []


async def test_a_timer_that_rings_early_is_set_again(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    call_at = loop.call_at

    def early(when: float, *rest: Any, **named: Any) -> asyncio.TimerHandle:
        return call_at(when - 0.01, *rest, **named)

    monkeypatch.setattr(loop, "call_at", early)
    deadlines, request = Deadlines(), Request()
    deadline = loop.time() + 0.05
    deadlines.set(request, deadline)
    async with asyncio.timeout(20):
        while not request.expired_at:  # noqa: ASYNC110 - what is waited for is a timer
            await asyncio.sleep(0.001)
    assert request.expired_at[0] >= deadline


# Waits for an answer on its standard input.
WAITING = """
import asyncio, os, uvloop
from edison.pipeline.generate import deadlines

class Call:
    def expire(self):
        self.end("expired")

    def end(self, how):
        print(how, flush=True)
        os._exit(0)

async def run():
    deadlines.LATE_SECONDS = 0.1
    loop, call = asyncio.get_running_loop(), Call()
    loop.add_reader(0, call.end, "answered")
    deadlines.Deadlines().set(call, loop.time() + 2)
    print("waiting", flush=True)
    await asyncio.sleep(60)

uvloop.run(run())
"""


def test_answers_that_came_while_the_process_was_suspended_are_read_first() -> None:
    program = [sys.executable, "-c", WAITING]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"waiting\n"
        process.send_signal(signal.SIGSTOP)
        process.stdin.write(b"answer")
        process.stdin.flush()
        time.sleep(2.5)
        process.send_signal(signal.SIGCONT)
        assert process.stdout.readline() == b"answered\n"
