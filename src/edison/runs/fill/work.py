"""The remaining work of a chunk, derived from its rows."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from functools import cached_property
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import NotFound
from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.gateway import CallContext
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.library.prompts import service as prompts
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.path.fair_queue import CallGroup
from edison.pipeline.generate.path.question import CacheMode
from edison.pipeline.render.expected_output import ExpectedOutput
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.pipeline.score.safety.redaction import redaction_of, wanted_of
from edison.runs.store.comparisons import Comparisons, Place
from edison.runs.store.models import (
    Output,
    Run,
    RunChunk,
    RunComparer,
    RunScorer,
    RunVariant,
)
from edison.runs.store.money import permit_of
from edison.runs.store.outputs import Outputs
from edison.runs.store.repository import Runs
from edison.runs.store.rows import restore_output
from edison.runs.store.states import RunCache
from edison.runs.store.types import CellOutput, StoredCase


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A variant ready to be called. A model is None if it was removed from the project, and for
    questions that are judged: their answer is the prompt.
    """

    position: int
    template: PromptTemplate
    expected_output: ExpectedOutput
    model: CallableModel | None
    is_echo: bool
    fallback: CallableModel | None
    parameters: Parameters
    halted: Mapping[str, str] | None


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """`again_id` is the output to replace, if the cell was marked for retry."""

    case: StoredCase
    column: Column
    repeat: int
    again_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unscored:
    """An output without some of its scores."""

    output: CellOutput
    case: StoredCase
    scorers: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Work:
    """The missing cells and scores of a chunk, and what is needed to produce them. `answered` are
    the existing outputs to compare, `compared` the comparisons that exist.
    """

    run: Run
    chunk: RunChunk
    columns: Sequence[Column]
    scorers: Sequence[RunScorer]
    cells: Sequence[Cell]
    unscored: Sequence[Unscored]
    comparers: Sequence[RunComparer] = ()
    answered: Sequence[tuple[CellOutput, StoredCase]] = ()
    compared: Collection[Place] = ()

    @cached_property
    def run_id(self) -> UUID:
        return self.run.id

    @cached_property
    def project_id(self) -> UUID:
        return self.run.project_id

    @cached_property
    def is_replay(self) -> bool:
        return self.run.replay_of_id is not None

    def call_context(
        self, purpose: str, call_group: CallGroup, *, is_judging: bool = False
    ) -> CallContext:
        run = self.run
        mode = RunCache(run.cache_mode)
        is_cached = mode is RunCache.USE or (is_judging and mode is RunCache.FRESH)
        return CallContext(
            purpose=purpose,
            scope_ids=tuple(UUID(each) for each in run.scope_ids),
            keep_for=None if run.keep_seconds is None else timedelta(seconds=run.keep_seconds),
            cache=CacheMode.USE if is_cached else CacheMode.BYPASS,
            run_id=run.id,
            permit=permit_of(run.id),
            call_group=call_group,
            redaction=None if run.redaction is None else redaction_of(wanted_of(run.redaction)),
        )


async def load(session: AsyncSession, run: Run, chunk: RunChunk) -> Work:
    runs, reading = Runs(session), Outputs(session)
    columns = [await _column(session, run, row) for row in await runs.list_variants(run.id)]
    scorers = await runs.list_scorers(run.id)
    span = (run.id, chunk.first_position, chunk.end_position)
    cases = await reading.list_cases(*span)
    # Most chunks are new.
    is_new = not await reading.has_outputs(*span)
    outputs = [] if is_new else await reading.list_outputs(*span)
    scored = set() if is_new else await reading.list_scored(*span)
    by_place = {(each.case_position, each.variant_position, each.repeat): each for each in outputs}
    by_position = {case.position: case for case in cases}
    comparisons = Comparisons(session)
    comparers = await comparisons.list_comparers(run.id)
    current = [
        (output, by_position[output.case_position])
        for output in outputs
        if not output.is_wanted_again
    ]
    wanted = range(len(scorers))
    return Work(
        run=run,
        chunk=chunk,
        columns=columns,
        scorers=scorers,
        cells=_missing(cases, columns, run.repeats, by_place),
        unscored=[
            Unscored(output=restore_output(output), case=case, scorers=lacking)
            for output, case in current
            if output.status != "error"
            and (lacking := tuple(at for at in wanted if (output.id, at) not in scored))
        ],
        comparers=comparers,
        answered=[(restore_output(output), case) for output, case in current] if comparers else (),
        compared=await comparisons.list_places(*span) if comparers else (),
    )


def _missing(
    cases: Sequence[StoredCase],
    columns: Sequence[Column],
    repeats: int,
    by_place: Mapping[tuple[int, int, int], Output],
) -> list[Cell]:
    missing = []
    for case in cases:
        for repeat in range(repeats):
            for column in columns:
                there = by_place.get((case.position, column.position, repeat))
                if there is None:
                    missing.append(Cell(case=case, column=column, repeat=repeat))
                elif there.is_wanted_again:
                    missing.append(Cell(case=case, column=column, repeat=repeat, again_id=there.id))
    return missing


async def _column(session: AsyncSession, run: Run, row: RunVariant) -> Column:
    template = prompts.template_of_stored(row.template)
    return Column(
        position=row.position,
        template=template,
        expected_output=template.expected_output(),
        model=await _model(session, run.project_id, row.model_id),
        is_echo=row.model_id is None and row.provider == models.ECHO,
        fallback=await _model(session, run.project_id, row.fallback_model_id),
        parameters=models.read_parameters(row.parameters),
        halted=row.halted,
    )


async def _model(
    session: AsyncSession, project_id: UUID, model_id: UUID | None
) -> CallableModel | None:
    if model_id is None:
        return None
    try:
        return await models.get_callable(session, project_id=project_id, model_id=model_id)
    except NotFound:
        return None
