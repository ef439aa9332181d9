"""Results in the form of promptfoo's JSON files, so that scripts which read those keep working.
What Edison adds is under `edison`.
"""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from edison import __version__
from edison.evals.derived import derived_scores
from edison.evals.plan import EvalColumn, EvalTest
from edison.evals.results import ColumnMetrics, Component, EvalResults, RowResult

_VERSION = 3
_FAILURE_REASONS = {"passed": 0, "failed": 1, "error": 2}


def document_of(results: EvalResults, *, at: datetime | None = None) -> dict[str, Any]:
    now = (at or datetime.now(UTC)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    identity = str(results.evaluation_id or "none")
    return {
        "evalId": f"eval-{identity}",
        "results": {
            "version": _VERSION,
            "timestamp": now,
            "prompts": [_prompt(each) for each in _with_derived(results)],
            "results": [row_document(row) for row in results.rows],
            "stats": _stats(results),
        },
        "config": dict(results.plan.config),
        "shareableUrl": None,
        "metadata": {"exportedAt": now, "edisonVersion": __version__},
        "vars": list(dict.fromkeys(name for row in results.rows for name in row.cell.vars)),
        "runtimeOptions": {"repeat": results.plan.repeats, "cache": results.plan.is_cached},
        "edison": {
            "project": results.project_slug,
            "evaluation": identity,
            "tags": dict(results.tags),
            "answered": results.answered,
            "stoppedBy": results.budget_message,
            "runs": [str(each) for each in results.run_ids],
            "costUsd": results.cost_usd,
            "seconds": results.seconds,
        },
    }


def _with_derived(results: EvalResults) -> list[tuple[ColumnMetrics, Mapping[str, float]]]:
    return [
        (each, derived_scores(results.plan.derived_metrics, each)) for each in results.metrics()
    ]


def prompt_id(column: EvalColumn) -> str:
    return hashlib.sha256(column.prompt.raw.encode()).hexdigest()


def _prompt(found: tuple[ColumnMetrics, Mapping[str, float]]) -> dict[str, Any]:
    metrics, named = found
    return {
        "raw": metrics.column.prompt.raw,
        "label": metrics.column.prompt.label,
        "id": prompt_id(metrics.column),
        "provider": metrics.column.provider.name,
        "metrics": {
            "score": metrics.score,
            "testPassCount": metrics.passed,
            "testFailCount": metrics.failed,
            "testErrorCount": metrics.errors,
            "assertPassCount": metrics.assertions_passed,
            "assertFailCount": metrics.assertions_failed,
            "totalLatencyMs": metrics.latency_ms,
            "tokenUsage": _tokens(0, 0, requests=0),
            "namedScores": dict(named),
            "namedScoresCount": dict(metrics.named_counts),
            "namedScoreWeights": dict(metrics.named_weights),
            "cost": metrics.cost_usd,
        },
    }


def row_document(row: RowResult) -> dict[str, Any]:
    cell, test = row.cell, row.cell.row.test
    column = cell.row.column
    prompt = cell.shown()
    tokens = _tokens(row.input_tokens or 0, row.output_tokens or 0, requests=_requests(row))
    response: dict[str, Any] = {"tokenUsage": tokens, "cached": row.is_cached}
    if row.status == "error":
        response["error"] = row.error
    else:
        response["output"] = row.output
    found = {
        "cost": row.cost_usd or 0,
        "failureReason": _FAILURE_REASONS[row.status],
        "gradingResult": None if row.status == "error" else _grading(row),
        "id": str(row.output_id or ""),
        "latencyMs": round(row.latency_ms or 0),
        "metadata": dict(test.metadata),
        "namedScores": dict(row.named_scores),
        "prompt": {"raw": prompt, "label": column.prompt.label},
        "promptId": prompt_id(column),
        "promptIdx": column.index,
        "provider": {"id": column.provider.id, "label": column.provider.label or ""},
        "response": response,
        "score": row.score,
        "success": row.status == "passed",
        "testCase": _test(test, cell.vars),
        "testIdx": cell.row.test_index,
        "tokenUsage": tokens,
        "vars": dict(cell.vars),
    }
    if row.status != "passed":
        found["error"] = row.error if row.status == "error" else row.reason
    return found


def _grading(row: RowResult) -> dict[str, Any]:
    return {
        "pass": row.status == "passed",
        "score": row.score,
        "reason": row.reason,
        "namedScores": dict(row.named_scores),
        "tokensUsed": _tokens(0, 0, requests=0),
        "componentResults": [_component(each) for each in row.components],
    }


def _component(each: Component) -> dict[str, Any]:
    found: dict[str, Any] = {
        "pass": each.is_passed,
        "score": each.score,
        "reason": each.reason,
    }
    if each.type is not None:
        found["assertion"] = {"type": each.type}
        if each.metric is not None:
            found["assertion"]["metric"] = each.metric
    return found


def _test(test: EvalTest, values: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "description": test.description,
        "vars": dict(test.vars),
        "assert": [dict(each) for each in test.assertions],
        "options": dict(test.options),
        "metadata": dict(test.metadata),
        "threshold": test.threshold,
    }
    return {name: each for name, each in found.items() if each is not None}


def _requests(row: RowResult) -> int:
    return 0 if row.is_cached else 1


def _tokens(prompt: int, completion: int, *, requests: int) -> dict[str, Any]:
    return {
        "total": prompt + completion,
        "prompt": prompt,
        "completion": completion,
        "cached": 0,
        "numRequests": requests,
    }


def _stats(results: EvalResults) -> dict[str, Any]:
    prompt = sum(row.input_tokens or 0 for row in results.rows)
    completion = sum(row.output_tokens or 0 for row in results.rows)
    milliseconds = round(results.seconds * 1000)
    return {
        "successes": results.count("passed"),
        "failures": results.count("failed"),
        "errors": results.count("error"),
        "tokenUsage": _tokens(prompt, completion, requests=sum(map(_requests, results.rows))),
        "durationMs": milliseconds,
        "evaluationDurationMs": milliseconds,
    }
