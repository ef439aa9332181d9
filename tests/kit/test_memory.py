"""Memoisation of slow computations."""

import asyncio

from edison.kit.memory import Memory


async def test_a_value_is_computed_once_and_the_oldest_is_evicted() -> None:
    memory, worked_on = Memory[str](2), []

    def ask(question: str) -> "asyncio.Future[str]":
        async def work_out() -> str:
            worked_on.append(question)
            await asyncio.sleep(0)
            return question.upper()

        return asyncio.ensure_future(memory.recall(question, work_out))

    assert await asyncio.gather(ask("a"), ask("a"), ask("b")) == ["A", "A", "B"]
    assert [await ask("a"), await ask("c"), await ask("a")] == ["A", "C", "A"]
    assert worked_on == ["a", "b", "c"]
    assert await ask("b") == "B"
    assert worked_on == ["a", "b", "c", "b"]
