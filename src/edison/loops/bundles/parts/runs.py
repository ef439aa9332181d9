"""`runs/<id>/`: the plan of a run and all its results.

`run.json` has the run with its variants, scorers and comparers. `cases.jsonl`, `outputs.jsonl`,
`scores.jsonl` (with judges' texts), `comparisons.jsonl`, `human_scores.jsonl` and
`sent_prompts.jsonl` have a line per row. `ledger.jsonl` is for readers: an import does not book
money that was spent elsewhere.
"""

import hashlib
from collections.abc import Callable, Collection
from typing import Any
from uuid import UUID

from sqlalchemy import select

from edison.loops.bundles.columns import codec
from edison.loops.bundles.errors import BundleRefused
from edison.loops.bundles.parts.context import Export, Import
from edison.runs.scoring.models import HumanScore
from edison.runs.store.models import (
    Comparison,
    Output,
    Run,
    RunCase,
    RunComparer,
    RunScorer,
    RunVariant,
    Score,
    SentPrompt,
)
from edison.runs.store.states import IMPORTED, OVER
from edison.workspace.budgets.models import LedgerEntry

Decode = Callable[[str, dict[str, Any]], dict[str, Any]]
_RUN = codec(Run, "lock_name", "lock_key", "scope_ids", "unconfirmed_nanos", "active_since")
_LEDGER = codec(LedgerEntry, "process_id", "budget_ids")
_SENT = codec(SentPrompt)
# Smaller sets of one run, which `run.json` holds.
_LISTS: dict[str, Any] = {"variants": RunVariant, "scorers": RunScorer, "comparers": RunComparer}
_FOLDER = r"runs/[^/]+/run\.json"
_MOST_IN_CHUNK = 10_000


async def write_runs(export: Export, run_ids: Collection[UUID]) -> None:
    for run in await export.rows.list_by_id(Run, run_ids):
        await _write_run(export, run)


async def _write_run(export: Export, run: Run) -> None:
    rows, folder = export.rows, f"runs/{run.id}"
    described: dict[str, Any] = {"run": _RUN.encode(run)}
    for name, table in _LISTS.items():
        found = await rows.list(table, table.run_id == run.id, order=[table.position])
        described[name] = [codec(table).encode(each) for each in found]
    export.writer.add_json(f"{folder}/run.json", described)
    place = (Output.case_position, Output.variant_position, Output.repeat)
    outputs = select(Output.id).where(Output.run_id == run.id)
    digests = select(Output.prompt_digest).where(Output.run_id == run.id)
    sent = (SentPrompt.project_id == run.project_id, SentPrompt.digest.in_(digests))
    parts = {
        "cases": (RunCase, (RunCase.run_id == run.id,), (RunCase.position,)),
        "outputs": (Output, (Output.run_id == run.id,), place),
        "scores": (Score, (Score.run_id == run.id,), (Score.number, Score.id)),
        "comparisons": (Comparison, (Comparison.run_id == run.id,), (Comparison.number,)),
        "human_scores": (HumanScore, (HumanScore.output_id.in_(outputs),), ()),
        "sent_prompts": (SentPrompt, sent, (SentPrompt.digest,)),
        "ledger": (LedgerEntry, (LedgerEntry.run_id == run.id,), ()),
    }
    for name, (table, conditions, order) in parts.items():
        encode = _LEDGER.encode if table is LedgerEntry else codec(table).encode
        streamed = rows.stream(table, *conditions, order=order)
        await export.write_lines(f"{folder}/{name}.jsonl", streamed, encode)


async def read_runs(into: Import) -> None:
    for path in into.bundle.matching(_FOLDER):
        await _read_run(into, path)


async def _read_run(into: Import, path: str) -> None:
    described = into.bundle.json(path)
    run = described.get("run")
    if not isinstance(run, dict):
        raise BundleRefused(path, "run: This part is missing.")
    values = _RUN.decode(run, place=path, identities=into.identities)
    if values["state"] not in OVER:
        raise BundleRefused(path, "state: Only finished runs can be imported.", code="bad_value")
    run_id = values["id"]
    values |= {
        "project_id": into.project_id,
        "origin": IMPORTED,
        "scope_ids": [],
        "unconfirmed_nanos": 0,
    }
    lists = {name: _list(into, table, described, name, path) for name, table in _LISTS.items()}
    _check_size(values, lists, path)
    await into.rows.insert(Run, [values], part=path)
    for name, table in _LISTS.items():
        await into.rows.insert(table, lists[name], part=path)
    await _read_results(into, path.removesuffix("/run.json"), values)
    into.run_ids.append(run_id)


def _list(
    into: Import, table: Any, described: dict[str, Any], name: str, path: str
) -> list[dict[str, Any]]:
    found = described.get(name, [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise BundleRefused(path, f"{name}: This must be a list of objects.")
    decode = _of_run(into, table, described["run"]["id"])
    rows = [decode(f"{path}:{name}", each) for each in found]
    if [row["position"] for row in rows] != list(range(len(rows))):
        raise BundleRefused(path, f"{name}: Positions must count from 0.", code="bad_value")
    return rows


def _of_run(into: Import, table: Any, run_id: str) -> Decode:
    """Refuses rows that belong to another run of the bundle."""

    def decode(place: str, line: dict[str, Any]) -> dict[str, Any]:
        if line.get("run_id", run_id) != run_id:
            raise BundleRefused(place, "run_id: This is another run.", code="bad_value")
        return codec(table).decode(line, place=place, identities=into.identities)

    return decode


def _check_size(values: dict[str, Any], lists: dict[str, list[Any]], path: str) -> None:
    """A copy of the run is planned by these figures."""
    cells = values["case_count"] * values["variant_count"] * values["repeats"]
    is_right = (
        values["variant_count"] == len(lists["variants"])
        and values["scorer_count"] == len(lists["scorers"])
        and values["cell_count"] == cells
        and 1 <= values["chunk_size"] <= _MOST_IN_CHUNK
    )
    if not is_right:
        raise BundleRefused(path, "The counts of the run contradict its parts.", code="bad_value")


async def _read_results(into: Import, folder: str, run: dict[str, Any]) -> None:
    old = into.bundle.json(f"{folder}/run.json")["run"]["id"]
    seen = 0

    def case(place: str, line: dict[str, Any]) -> dict[str, Any]:
        nonlocal seen
        row = _of_run(into, RunCase, old)(place, line)
        if row["position"] != seen:
            raise BundleRefused(place, "position: Cases must be in order, from 0.")
        seen += 1
        return row

    def output(place: str, line: dict[str, Any]) -> dict[str, Any]:
        row = _of_run(into, Output, old)(place, line)
        limits = {
            "case_position": run["case_count"],
            "variant_position": run["variant_count"],
            "repeat": run["repeats"],
        }
        for name, limit in limits.items():
            if not 0 <= row[name] < limit:
                raise BundleRefused(place, f"{name}: The run has no such cell.", code="bad_value")
        return row

    cases = f"{folder}/cases.jsonl"
    await into.insert_lines(RunCase, cases, case)
    if seen != run["case_count"]:
        raise BundleRefused(cases, f"The run has {run['case_count']} cases, this part {seen}.")
    await into.insert_lines(Output, f"{folder}/outputs.jsonl", output)
    await into.insert_lines(Score, f"{folder}/scores.jsonl", _of_run(into, Score, old))
    comparisons = f"{folder}/comparisons.jsonl"
    await into.insert_lines(Comparison, comparisons, _of_run(into, Comparison, old))

    def human(place: str, line: dict[str, Any]) -> dict[str, Any]:
        return codec(HumanScore).decode(line, place=place, identities=into.identities)

    await into.insert_lines(HumanScore, f"{folder}/human_scores.jsonl", human)
    await _read_sent(into, f"{folder}/sent_prompts.jsonl")


async def _read_sent(into: Import, path: str) -> None:
    """Equal prompts are stored once per project."""
    for place, line in into.bundle.records(path):
        row = _SENT.decode(line, place=place, identities=into.identities)
        if hashlib.sha256(row["content"].encode()).hexdigest() != row["digest"]:
            raise BundleRefused(place, "digest: This is not the digest of the content.")
        of_project = SentPrompt.project_id == into.project_id
        if await into.rows.find(SentPrompt, of_project, SentPrompt.digest == row["digest"]) is None:
            row["project_id"] = into.project_id
            await into.rows.insert(SentPrompt, [row], part=place)
