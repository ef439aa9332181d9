"""All SQL that stores outputs and scores. Statements are prepared, because this is a hot path."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, cast
from uuid import UUID

from sqlalchemy import BigInteger, Dialect, Executable, Table, bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.db.prepared import Columns, Prepared
from edison.runs.store.models import EMPTY_TALLY, Output, Run, RunVariant, Score, SentPrompt
from edison.runs.store.rows import output_columns, score_columns
from edison.runs.store.types import CellOutput, NewScore
from edison.workspace.projects.models import Project

_OUTPUTS = cast(Table, Output.__table__)
_SCORES = cast(Table, Score.__table__)
_VARIANTS = cast(Table, RunVariant.__table__)
_SENT = cast(Table, SentPrompt.__table__)
_RUNS = cast(Table, Run.__table__)
TALLIED = tuple(EMPTY_TALLY)
# `add_charges` in `store/money.py` maintains a run's cost.
TALLIED_OF_RUN = tuple(name for name in TALLIED if name != "cost_nanos")


class RunProgress(NamedTuple):
    """Progress of a run. The field order is the column order of the query."""

    state: str
    cell_count: int
    scorer_count: int
    done_count: int
    error_count: int
    score_count: int
    comparison_total: int
    comparison_count: int


_STANDING = tuple(_RUNS.c[name] for name in RunProgress._fields)
_COMPARED = ("comparison_count", "unpriced_count")


def _adding(table: Table, names: Sequence[str]) -> dict[str, Any]:
    return {name: table.c[name] + _added(name) for name in names}


def _added(name: str) -> Any:
    return bindparam(f"add_{name}", type_=BigInteger())


def _new_rows(table: Table) -> Prepared:
    """Inserts rows; existing rows stay unchanged."""
    columns = [column.name for column in table.c if column.name != "human_value"]

    def make(dialect: Dialect) -> Executable:
        return upsert.insert_for(dialect, table).on_conflict_do_nothing()

    return Prepared(make, columns=columns)


def _new_sent(dialect: Dialect) -> Executable:
    """Of existing projects: one may be deleted while its calls are under way."""
    columns = [_SENT.c.project_id, _SENT.c.digest, _SENT.c.content]
    given = {each.name: bindparam(f"new_{each.name}", type_=each.type) for each in columns}
    is_found = select(Project.id).where(Project.id == given["project_id"]).exists()
    return (
        upsert.insert_for(dialect, _SENT)
        .from_select([each.name for each in columns], select(*given.values()).where(is_found))
        .on_conflict_do_nothing()
    )


def _numbers(table: Table) -> Prepared:
    number = table.c.number
    wanted = select(number).where(
        table.c.run_id == bindparam("of_run"),
        number.between(bindparam("first"), bindparam("last")),
    )
    return Prepared(lambda _: wanted)


def _tallying(names: Sequence[str]) -> Prepared:
    tally = update(_RUNS).where(_RUNS.c.id == bindparam("of_run")).values(_adding(_RUNS, names))
    return Prepared(lambda _: tally.returning(*_STANDING))


_TAKE_NUMBERS = Prepared(
    lambda _: (
        update(_RUNS)
        .where(_RUNS.c.id == bindparam("of_run"))
        .values(last_number=_RUNS.c.last_number + _added("numbers"))
        .returning(_RUNS.c.last_number)
    )
)
_ADD_SENT = Prepared(_new_sent)
_ADD_OUTPUTS, _ADD_SCORES = map(_new_rows, (_OUTPUTS, _SCORES))
_OUTPUT_NUMBERS, _SCORE_NUMBERS = map(_numbers, (_OUTPUTS, _SCORES))
_TALLY_RUN, _TALLY_COMPARISONS = map(_tallying, (TALLIED_OF_RUN, _COMPARED))
_TALLY_VARIANT = Prepared(
    lambda _: (
        update(_VARIANTS)
        .where(
            _VARIANTS.c.run_id == bindparam("of_run"),
            _VARIANTS.c.position == bindparam("of_position"),
        )
        .values(_adding(_VARIANTS, TALLIED))
    )
)


class Cells:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def take_numbers(self, run_id: UUID, count: int) -> int | None:
        """Allocates `count` consecutive numbers and returns the first. Locks the run's row until
        the transaction ends. None if the run does not exist.
        """
        found = await _TAKE_NUMBERS.fetch(self._session, of_run=run_id, add_numbers=count)
        return found[0][0] - count + 1 if found else None

    async def keep_sent(self, sent: Mapping[UUID, Mapping[str, str]]) -> None:
        """Stores sent prompts by project and digest, sorted to prevent deadlocks."""
        rows = [
            {"new_project_id": project_id, "new_digest": digest, "new_content": content}
            for project_id, of_project in sorted(sent.items())
            for digest, content in sorted(of_project.items())
        ]
        await _ADD_SENT.run(self._session, rows)

    async def add_outputs(self, numbered: Mapping[int, CellOutput]) -> Collection[int]:
        """Outputs of one run by number: ascending ones that were just allocated. Returns the
        numbers of the stored outputs; existing cells stay unchanged.
        """
        rows = output_columns(list(numbered.values()), numbers=list(numbered))
        return await self._add(_ADD_OUTPUTS, _OUTPUT_NUMBERS, rows)

    async def add_scores(self, numbered: Mapping[int, NewScore]) -> Collection[int]:
        """The same for scores."""
        rows = score_columns(list(numbered.values()), numbers=list(numbered))
        return await self._add(_ADD_SCORES, _SCORE_NUMBERS, rows)

    async def _add(self, adding: Prepared, stored: Prepared, rows: Columns) -> Collection[int]:
        """The rows that are found under the new numbers are the inserted ones."""
        numbers = rows["number"]
        if await adding.insert(self._session, rows) == len(numbers):
            return frozenset(numbers)
        found = await stored.fetch(
            self._session, of_run=rows["run_id"][0], first=numbers[0], last=numbers[-1]
        )
        return {number for (number,) in found}

    async def replace_output(self, number: int, output: CellOutput) -> bool:
        """Replaces an output marked for retry. False if it is no longer marked."""
        row = output_columns([output], numbers=[number])
        values = {**{name: value for name, (value,) in row.items()}, "human_value": None}
        replaced = await self._session.scalar(
            update(_OUTPUTS)
            .where(_OUTPUTS.c.id == output.id, _OUTPUTS.c.is_wanted_again)
            .values(values)
            .returning(_OUTPUTS.c.id)
        )
        return replaced is not None

    async def tally(
        self,
        run_id: UUID,
        by_variant: Mapping[int, Mapping[str, int]],
        total: Mapping[str, int],
    ) -> RunProgress | None:
        """Adds to the tallies of the run and its variants. Returns the progress afterwards."""
        if not by_variant:
            return None
        await _TALLY_VARIANT.run(
            self._session,
            [
                {"of_run": run_id, "of_position": position, **_sums(sums, TALLIED)}
                for position, sums in sorted(by_variant.items())
            ],
        )
        sums = _sums(total, TALLIED_OF_RUN)
        return _standing(await _TALLY_RUN.fetch(self._session, of_run=run_id, **sums))

    async def tally_comparisons(
        self, run_id: UUID, *, count: int, unpriced: int
    ) -> RunProgress | None:
        """Adds to the tallies of the run. Returns its progress afterwards."""
        found = await _TALLY_COMPARISONS.fetch(
            self._session,
            of_run=run_id,
            add_comparison_count=count,
            add_unpriced_count=unpriced,
        )
        return _standing(found)


def _standing(found: Sequence[tuple[Any, ...]]) -> RunProgress | None:
    return RunProgress(*found[0]) if found else None


def _sums(sums: Mapping[str, int], names: Sequence[str]) -> dict[str, int]:
    return {f"add_{name}": sums.get(name, 0) for name in names}
