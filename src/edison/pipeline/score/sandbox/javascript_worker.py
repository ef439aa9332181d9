"""Runs JavaScript in QuickJS inside a limited worker. The code has no files, no network, no timers
and no modules; each run has a fresh context.
"""

from typing import Any

import orjson

from edison.pipeline.score.sandbox.javascript import MEMORY_BYTES, SECONDS

_STACK_BYTES = 256 * 1024
_MOST_JOBS = 10_000
_LONGEST_MESSAGE = 500
# The outcome is written as JSON, with numbers as texts because JSON has no NaN.
_PROGRAM = """
(function (body, names, given) {
  const tell = (value) => {
    const type = typeof value;
    const text = type === 'number' ? String(value) : JSON.stringify(value);
    globalThis.edisonOutcome = JSON.stringify({ type, text: text === undefined ? null : text });
  };
  const fail = (error) => {
    const message = error instanceof Error ? error.message : String(error);
    globalThis.edisonOutcome = JSON.stringify({ error: message });
  };
  const ignore = () => {};
  globalThis.console = { log: ignore, info: ignore, warn: ignore, error: ignore, debug: ignore };
  try {
    const made = new Function(...names, body);
    Promise.resolve(made(...JSON.parse(given))).then(tell).catch(fail);
  } catch (error) {
    fail(error);
  }
})
"""


def _context() -> Any:
    import quickjs  # type: ignore[import-untyped] # has no types

    context = quickjs.Context()
    context.set_memory_limit(MEMORY_BYTES)
    context.set_max_stack_size(_STACK_BYTES)
    context.set_time_limit(SECONDS)
    return context


def run_in_worker(question: Any) -> Any:
    """`{"type", "text"}` of the value of a function, or `{"error"}`."""
    import quickjs

    try:
        context = _context()
        program = context.eval(_PROGRAM)
        names = context.parse_json(orjson.dumps(question["names"]).decode())
        program(question["body"], names, orjson.dumps(question["given"]).decode())
        for _ in range(_MOST_JOBS):
            if not context.execute_pending_job():
                break
        outcome = context.eval("globalThis.edisonOutcome")
    except (quickjs.JSException, quickjs.StackOverflow) as wrong:
        return {"error": str(wrong)[:_LONGEST_MESSAGE]}
    if not isinstance(outcome, str):
        return {"error": "The code did not finish."}
    return orjson.loads(outcome)


def match_in_worker(question: Any) -> Any:
    """Whether a regular expression of JavaScript is found in a text, or `{"error"}`."""
    import quickjs

    try:
        search = _context().eval("(function (p, t) { return new RegExp(p).test(t); })")
        return {"found": bool(search(question["pattern"], question["text"]))}
    except (quickjs.JSException, quickjs.StackOverflow) as wrong:
        return {"error": str(wrong)[:_LONGEST_MESSAGE]}
