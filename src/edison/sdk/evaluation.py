"""Runs a task over cases and scores its outputs."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from inspect import isawaitable, iscoroutinefunction
from typing import Any

from edison.sdk.results import Case, EvaluationResult, Row
from edison.sdk.scorers import Scorer, name_of, score_with

Task = Callable[[Any], Any]


def cases_of(data: Iterable[Any]) -> list[Case]:
    """Objects with `inputs`, and optionally `expected`, `id` and `metadata`; anything else is the
    input itself. Raises ValueError for equal ids.
    """
    found = [_case(each) for each in data]
    ids = [each.id for each in found if each.id is not None]
    if len(set(ids)) != len(ids):
        raise ValueError("Two cases have the same id.")
    return found


def _case(given: Any) -> Case:
    if isinstance(given, Case):
        return given
    if isinstance(given, Mapping) and "inputs" in given:
        unknown = given.keys() - {"inputs", "expected", "id", "metadata"}
        if unknown:
            raise ValueError(f"A case has no {', '.join(sorted(map(str, unknown)))}.")
        identity = given.get("id")
        return Case(
            inputs=given["inputs"],
            expected=given.get("expected"),
            id=None if identity is None else str(identity),
            metadata=dict(given.get("metadata") or {}),
        )
    return Case(inputs=given)


async def run_case(case: Case, task: Task, scorers: Sequence[Scorer], *, repeat: int = 0) -> Row:
    """One row. An exception of the task is the error of the row."""
    begun = time.perf_counter()
    try:
        output = task(case.inputs)
        if isawaitable(output):
            output = await output
    except Exception as wrong:  # the error of this row, not of the evaluation
        error = f"{type(wrong).__name__}: {wrong}"
        seconds = time.perf_counter() - begun
        return Row(case=case, repeat=repeat, error=error, seconds=seconds)
    seconds = time.perf_counter() - begun
    given = {"output": output, "expected": case.expected, "inputs": case.inputs, "case": case}
    scores = {name_of(each): await score_with(each, given) for each in scorers}
    return Row(case=case, repeat=repeat, output=output, scores=scores, seconds=seconds)


async def evaluate_async(
    data: Iterable[Any],
    task: Task,
    scorers: Sequence[Scorer] = (),
    *,
    name: str = "Evaluation",
    concurrency: int = 10,
    repeats: int = 1,
) -> EvaluationResult:
    """Like `evaluate`, in the running event loop."""
    if concurrency < 1 or repeats < 1:
        raise ValueError("concurrency and repeats must be at least 1.")
    names = [name_of(each) for each in scorers]
    if len(set(names)) != len(names):
        raise ValueError("Two scorers have the same name; see `named`.")
    cases, free = cases_of(data), asyncio.Semaphore(concurrency)
    is_async = iscoroutinefunction(task) or iscoroutinefunction(type(task).__call__)
    pool = nullcontext() if is_async else ThreadPoolExecutor(concurrency, "edison-task")

    async def one(case: Case, repeat: int) -> Row:
        async with free:
            return await run_case(case, called, scorers, repeat=repeat)

    with pool as threads:
        called = task if threads is None else partial(_in_thread, threads, task)
        rows = await asyncio.gather(
            *(one(case, repeat) for case in cases for repeat in range(repeats))
        )
    return EvaluationResult(name=name, scorers=names, rows=rows)


async def _in_thread(threads: ThreadPoolExecutor, task: Task, inputs: Any) -> Any:
    found = await asyncio.get_running_loop().run_in_executor(threads, task, inputs)
    return await found if isinstance(found, Awaitable) else found


def evaluate(
    data: Iterable[Any],
    task: Task,
    scorers: Sequence[Scorer] = (),
    *,
    name: str = "Evaluation",
    concurrency: int = 10,
    repeats: int = 1,
) -> EvaluationResult:
    """Runs the task, a function of the inputs, for each case and scores the outputs.

    The task may be asynchronous; others run in `concurrency` threads. Exceptions of the task and of
    scorers become errors of their row. Works also where an event loop is running, as in notebooks.
    """
    wanted = partial(
        evaluate_async, data, task, scorers, name=name, concurrency=concurrency, repeats=repeats
    )
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(wanted())
    return _in_new_loop(wanted)


def _in_new_loop(wanted: Callable[[], Any]) -> EvaluationResult:
    found: list[EvaluationResult] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            found.append(asyncio.run(wanted()))
        except BaseException as wrong:  # raised again in the caller's thread
            failed.append(wrong)

    thread = threading.Thread(target=work, name="edison-evaluate")
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return found[0]
