"""Stores results in Edison as completed runs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from edison.sdk.client import Client, default_client

if TYPE_CHECKING:
    from edison.sdk.results import EvaluationResult, Row


def store_results(
    results: "Sequence[EvaluationResult]",
    *,
    name: str,
    tags: Mapping[str, str] | None = None,
    client: Client | None = None,
) -> str:
    """Stores each result as a run of one evaluation, and returns the address of the first. Raises
    ApiError.
    """
    used = client or default_client()
    body = {
        "name": name[:100],
        "tags": dict(tags or {}),
        "runs": [
            {
                "name": each.name[:100],
                "scorers": list(each.scorers),
                "rows": [_row(row) for row in each.rows],
            }
            for each in results
        ],
    }
    # What JSON cannot express is stored as text, as in files.
    stored = used.post("/evaluations/results", json.loads(json.dumps(body, default=str)))
    return f"{used.url}/p/{stored['project_slug']}/runs/{stored['runs'][0]['id']}"


def _row(row: "Row") -> dict[str, Any]:
    return {
        "id": row.case.id,
        "inputs": row.case.inputs,
        "expected": row.case.expected,
        "repeat": row.repeat,
        "output": row.output,
        "error": row.error,
        "seconds": row.seconds,
        "scores": {name: asdict(score) for name, score in row.scores.items()},
    }
