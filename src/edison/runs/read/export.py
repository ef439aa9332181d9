"""Exports the finished cells of a run, one record each."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal, Protocol
from uuid import UUID

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.csv_text import encode_rows, guard
from edison.kit.money import usd_from_nanos
from edison.runs.read.junit import JunitWriter
from edison.runs.store.effective_scores import Effective, EffectiveGrade
from edison.runs.store.models import Output, Run, RunCase, RunScorer, RunVariant, Score
from edison.runs.store.outputs import Outputs
from edison.runs.store.repository import Runs
from edison.runs.store.schemas import RowFilter
from edison.workspace.audit import service as audit

OF_CASE = ("position", "case_id", "split", "difficulty", "tags", "expected", "inputs")
OF_VARIANT = ("label", "prompt_name", "version_label", "model_name", "provider", "parameters")
OF_OUTPUT = (
    "status",
    "error",
    "message",
    "text",
    "parsed",
    "finish_reason",
    "is_cached",
    "is_fallback",
    "attempts",
    "input_tokens",
    "output_tokens",
    "latency_seconds",
    "human_value",
)
OF_SCORE = ("value", "is_passed", "flag", "rationale")


def list_records(
    cases: Sequence[RunCase],
    outputs: Iterable[Output],
    *,
    variants: Sequence[RunVariant],
    scorers: Sequence[RunScorer],
    scores: Mapping[UUID, Sequence[Score]],
    grades: Mapping[UUID, EffectiveGrade],
) -> Iterator[dict[str, Any]]:
    by_position = {case.position: case for case in cases}
    for output in outputs:
        case, variant = by_position[output.case_position], variants[output.variant_position]
        grade = grades.get(output.id)
        yield {
            "case": {name: _plain(getattr(case, name)) for name in OF_CASE},
            "variant": {name: getattr(variant, name) for name in OF_VARIANT},
            "repeat": output.repeat,
            "output_id": str(output.id),
            **{name: getattr(output, name) for name in OF_OUTPUT},
            "cost_usd": None if output.cost_nanos is None else _usd(output.cost_nanos),
            "grade": None if grade is None else grade.value,
            "graded_by": None if grade is None else grade.by,
            "scores": [
                {
                    "scorer": score.scorer_position,
                    "label": scorers[score.scorer_position].label,
                    **{name: getattr(score, name) for name in OF_SCORE},
                }
                for score in scores.get(output.id, ())
            ],
        }


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, UUID) else value


def _usd(nanos: int) -> str:
    return format(usd_from_nanos(nanos), "f")


ExportFormat = Literal["csv", "json", "jsonl", "junit"]
_CASE = ("case", "case_id", "split", "difficulty", "tags", "expected")
_TAKEN = ("cost_usd", "grade", "graded_by")

Record = dict[str, Any]


class Writer(Protocol):
    def begin(self) -> bytes: ...

    def write(self, records: Iterable[Record]) -> bytes: ...

    def end(self) -> bytes: ...


class JsonLinesWriter:
    def begin(self) -> bytes:
        return b""

    def write(self, records: Iterable[Record]) -> bytes:
        return b"".join(orjson.dumps(record) + b"\n" for record in records)

    def end(self) -> bytes:
        return b""


class JsonArrayWriter:
    def __init__(self) -> None:
        self._is_first = True

    def begin(self) -> bytes:
        return b"["

    def write(self, records: Iterable[Record]) -> bytes:
        written = []
        for record in records:
            written += [b"\n" if self._is_first else b",\n", orjson.dumps(record)]
            self._is_first = False
        return b"".join(written)

    def end(self) -> bytes:
        return b"\n]\n"


class CsvWriter:
    """`variables` are the input variables of the cases, `scorers` the scorers' labels."""

    def __init__(self, variables: Sequence[str], scorers: Sequence[str]) -> None:
        self._variables = variables
        self._scorers = scorers

    def begin(self) -> bytes:
        of_scorers = [
            f"{kind}: {label}"
            for label in self._scorers
            for kind in ("score", "passed", "rationale")
        ]
        inputs = [f"inputs.{name}" for name in self._variables]
        header = [*_CASE, *inputs, *OF_VARIANT, "repeat", *OF_OUTPUT, *_TAKEN, *of_scorers]
        return encode_rows([map(guard, header)])

    def write(self, records: Iterable[Record]) -> bytes:
        return encode_rows(map(self._cells, records))

    def end(self) -> bytes:
        return b""

    def _cells(self, record: Record) -> list[str]:
        case, variant = record["case"], record["variant"]
        # One-based, as in the grid.
        values = [case["position"] + 1, *(case[name] for name in _CASE[1:4])]
        values += [", ".join(case["tags"]), case["expected"]]
        values += [case["inputs"].get(name) for name in self._variables]
        values += [variant[name] for name in OF_VARIANT]
        values += [record["repeat"] + 1, *(record[name] for name in (*OF_OUTPUT, *_TAKEN))]
        said = {score["scorer"]: score for score in record["scores"]}
        for position in range(len(self._scorers)):
            score = said.get(position, {})
            values += [score.get(name) for name in ("value", "is_passed", "rationale")]
        return [_cell(value) for value in values]


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, int | float):
        # Numbers cannot be formulas; only text needs the guard.
        return orjson.dumps(value).decode()
    if isinstance(value, str):
        return guard(value)
    return guard(orjson.dumps(value).decode())


ROWS_AT_ONCE = 100


async def begin_export(
    database: Database,
    *,
    project_id: UUID,
    run_id: UUID,
    wanted: RowFilter,
    file_format: ExportFormat,
) -> Run:
    """Writes the audit record of the export. Raises NotFound."""
    filters = {name: value for name, value in asdict(wanted).items() if value is not None}
    async with database.write() as session:
        run = await Runs(session).get(project_id, run_id)
        audit.record(
            session,
            "run.exported",
            entity=("run", run_id),
            project_id=project_id,
            after={"format": file_format, "cells": run.done_count, **filters},
        )
    return run


async def stream_cells(
    database: Database, *, run: Run, wanted: RowFilter, file_format: ExportFormat
) -> AsyncIterator[bytes]:
    """Streams the cells of the matching rows, in the order of the cases."""
    run_id = run.id
    async with database.read() as session:
        variants = await Runs(session).list_variants(run_id)
        scorers = await Runs(session).list_scorers(run_id)
    writer = await _open_writer(database, run, wanted, file_format, scorers)
    yield writer.begin()
    after = -1
    while True:
        async with database.read() as session:
            cases = await Outputs(session).list_next(run_id, wanted, after, ROWS_AT_ONCE)
            if not cases:
                break
            piece = await _read_piece(session, run_id, cases, variants, scorers)
        yield await asyncio.to_thread(writer.write, piece)
        after = cases[-1].position
    yield writer.end()


async def _open_writer(
    database: Database,
    run: Run,
    wanted: RowFilter,
    file_format: ExportFormat,
    scorers: Sequence[RunScorer],
) -> Writer:
    if file_format == "jsonl":
        return JsonLinesWriter()
    if file_format == "json":
        return JsonArrayWriter()
    if file_format == "junit":
        return JunitWriter(run.name)
    # The header needs a column for every input variable of any case.
    variables: dict[str, None] = {}
    after = -1
    while True:
        async with database.read() as session:
            cases = await Outputs(session).list_next(run.id, wanted, after, ROWS_AT_ONCE)
        if not cases:
            return CsvWriter(list(variables), [scorer.label for scorer in scorers])
        for case in cases:
            variables.update(dict.fromkeys(case.inputs))
        after = cases[-1].position


async def _read_piece(
    session: AsyncSession,
    run_id: UUID,
    cases: Sequence[RunCase],
    variants: Sequence[RunVariant],
    scorers: Sequence[RunScorer],
) -> list[dict[str, object]]:
    reading = Outputs(session)
    outputs = await reading.list_whole(run_id, [case.position for case in cases])
    output_ids = [output.id for output in outputs]
    scores: dict[UUID, list[Score]] = defaultdict(list)
    for score in await reading.list_scores(output_ids):
        scores[score.output_id].append(score)
    grades = await Effective(session).find_grades(output_ids)
    return list(
        list_records(
            cases, outputs, variants=variants, scorers=scorers, scores=scores, grades=grades
        )
    )
