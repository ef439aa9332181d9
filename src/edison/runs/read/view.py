"""Converts runs, variants and outputs to response schemas, with pace and remaining time."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from edison.kit import clock
from edison.kit.money import usd_from_nanos
from edison.library.models.names import NamedModel
from edison.pipeline.score.parse import Malformation, explain
from edison.pipeline.score.seats import name_seat
from edison.runs.plan.schemas import PiiRedaction, RunEstimate
from edison.runs.read.cells import PREVIEW_CHARACTERS
from edison.runs.read.schemas import (
    Action,
    CellScore,
    ComparedWithEstimate,
    GradeRead,
    OutputDetail,
    OutputProvenance,
    PhaseRead,
    RunAuthor,
    RunComparerRead,
    RunDetail,
    RunRead,
    RunScorerRead,
    RunVariantRead,
    ScoreRead,
    SentPromptRead,
)
from edison.runs.store.effective_scores import EffectiveGrade
from edison.runs.store.models import Output, Run, RunComparer, RunScorer, RunVariant, Score
from edison.runs.store.states import COMMAND_LINE, IMPORTED, OVER, WORKING, RunState
from edison.runs.store.transitions import worked_seconds

# Below these limits the pace is not representative.
LEAST_CELLS = 3
LEAST_SECONDS = 0.5


def cells_per_second(run: Run, now: datetime) -> float | None:
    seconds = worked_seconds(run, now)
    if run.done_count < LEAST_CELLS or seconds < LEAST_SECONDS:
        return None
    return run.done_count / seconds


def remaining_seconds(run: Run, now: datetime) -> float | None:
    """None for runs that are not working, and while the pace is unknown."""
    if run.state not in WORKING:
        return None
    pace = cells_per_second(run, now)
    if pace is None:
        return None
    missing = run.cell_count - run.done_count
    # Scores follow answers closely, so missing scores are not counted.
    return missing / pace


TIMELINE = (
    RunState.PENDING,
    RunState.EXECUTING,
    RunState.SCORING,
    RunState.AGGREGATING,
    RunState.COMPLETED,
)

Author = tuple[str, str | None]


def read_run(run: Run, *, author: Author | None, variants: Sequence[RunVariant]) -> RunRead:
    return RunRead(**_run_fields(run, author, variants))


def read_detail(
    run: Run,
    *,
    author: Author | None,
    variants: Sequence[RunVariant],
    scorers: Sequence[RunScorer],
    comparers: Sequence[RunComparer],
) -> RunDetail:
    now = clock.now()
    estimate = None if run.estimate is None else RunEstimate.model_validate(run.estimate)
    return RunDetail(
        **_run_fields(run, author, variants),
        variants=[read_variant(run, variant) for variant in variants],
        scorers=[RunScorerRead.model_validate(scorer) for scorer in scorers],
        comparers=[RunComparerRead.model_validate(comparer) for comparer in comparers],
        phases=read_phases(run),
        estimate=estimate,
        compared=_compared(run, estimate),
        cells_per_second=cells_per_second(run, now),
        remaining_seconds=remaining_seconds(run, now),
        actions=list_actions(run),
        parent_id=run.parent_id,
        replay_of_id=run.replay_of_id,
        redaction=None if run.redaction is None else PiiRedaction.model_validate(run.redaction),
        failed_count_zero=run.failed_count_zero,
        code_version=run.code_version,
        last_number=run.last_number,
    )


def _run_fields(run: Run, author: Author | None, variants: Sequence[RunVariant]) -> dict[str, Any]:
    return {
        **tally(run),
        "id": run.id,
        "name": run.name,
        "origin": run.origin,
        "state": RunState(run.state),
        "reason": run.reason,
        "message": run.message,
        "author": _author(run, author),
        "dataset_id": run.dataset_id,
        "dataset_name": run.dataset_name,
        "case_count": run.case_count,
        "variant_count": run.variant_count,
        "version_labels": list(dict.fromkeys(each.version_label for each in variants)),
        "model_names": list(dict.fromkeys(each.model_name for each in variants)),
        "repeats": run.repeats,
        "cell_count": run.cell_count,
        "scorer_count": run.scorer_count,
        "unconfirmed_usd": usd_from_nanos(run.unconfirmed_nanos),
        "comparison_total": run.comparison_total,
        "comparison_count": run.comparison_count,
        "is_simulated": any(each.is_simulated for each in variants),
        "created_at": run.created_at,
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "elapsed_seconds": worked_seconds(run, clock.now()),
        "score": (run.summary or {}).get("score"),
        "is_kept": run.is_kept,
        "archived_at": run.archived_at,
    }


def tally(counted: Run | RunVariant) -> dict[str, Any]:
    return {
        "done_count": counted.done_count,
        "error_count": counted.error_count,
        "malformed_count": counted.malformed_count,
        "cached_count": counted.cached_count,
        "unpriced_count": counted.unpriced_count,
        "score_count": counted.score_count,
        "cost_usd": usd_from_nanos(counted.cost_nanos),
        "input_tokens": counted.input_tokens,
        "output_tokens": counted.output_tokens,
    }


def _author(run: Run, author: Author | None) -> RunAuthor | None:
    if author is None or run.author_id is None:
        return None
    email, name = author
    return RunAuthor(id=run.author_id, name=name or email)


def read_variant(run: Run, variant: RunVariant) -> RunVariantRead:
    return RunVariantRead.model_validate(
        {
            **tally(variant),
            **{name: getattr(variant, name) for name in _VARIANT_FIELDS},
            "cell_count": run.case_count * run.repeats,
        }
    )


_VARIANT_FIELDS = (
    "id",
    "position",
    "label",
    "prompt_id",
    "version_id",
    "prompt_name",
    "version_label",
    "model_id",
    "fallback_model_id",
    "model_name",
    "provider",
    "is_simulated",
    "parameters",
    "halted",
    "waiting",
    "summary",
)


def read_phases(run: Run) -> list[PhaseRead]:
    """Each phase ends when a later one begins."""
    began = {RunState.PENDING: run.created_at} | {
        state: datetime.fromisoformat(run.phases[state])
        for state in TIMELINE[1:]
        if state in run.phases
    }
    phases = []
    for place, state in enumerate(TIMELINE):
        later = [began[each] for each in TIMELINE[place + 1 :] if each in began]
        ended = later[0] if state in began and later else None
        if state is RunState.PENDING and ended is not None:
            # A retry begins later phases a second time.
            ended = run.started_at or ended
        phases.append(PhaseRead(state=state, began_at=began.get(state), ended_at=ended))
    return phases


def list_actions(run: Run) -> list[Action]:
    """The actions available in the run's state."""
    if run.origin == IMPORTED:
        return ["again", "replay"]
    state = RunState(run.state)
    actions: list[Action] = []
    if state in (RunState.PENDING, RunState.EXECUTING, RunState.SCORING):
        actions.append("pause")
    if run.origin == COMMAND_LINE:
        return actions if state in OVER else [*actions, "cancel"]
    if state in (RunState.PAUSED, RunState.FAILED):
        actions.append("resume")
    if state not in (RunState.COMPLETED, RunState.CANCELLED):
        actions.append("cancel")
    if run.error_count and state in (RunState.COMPLETED, RunState.FAILED, RunState.PAUSED):
        actions.append("retry")
    if state is RunState.COMPLETED and run.replay_of_id is None and not run.scope_ids:
        actions.append("rescore")
    if state in OVER:
        actions += ["again", "replay"]
    return actions


def _compared(run: Run, estimate: RunEstimate | None) -> ComparedWithEstimate | None:
    if estimate is None or run.state != RunState.COMPLETED:
        return None
    low, high = estimate.cost.low_usd, estimate.cost.high_usd
    cost = usd_from_nanos(run.cost_nanos)
    known = low is not None and high is not None and not run.unpriced_count
    return ComparedWithEstimate(
        is_cost_within=low <= cost <= high if low is not None and high is not None else None,
        cost_ratio=_ratio(float(cost), float(low or 0), float(high or 0)) if known else None,
        seconds_ratio=_ratio(
            worked_seconds(run, clock.now()), estimate.seconds.low, estimate.seconds.high
        ),
        output_tokens_ratio=_ratio(
            run.output_tokens, estimate.output_tokens.low, estimate.output_tokens.high
        ),
    )


def _ratio(actual: float, low: float | None, high: float | None) -> float | None:
    if low is None or high is None or low + high == 0:
        return None
    return actual / ((low + high) / 2)


def read_grade(grade: EffectiveGrade | None) -> GradeRead | None:
    return None if grade is None else GradeRead.model_validate(grade)


def _cell_fields(output: Output, grade: EffectiveGrade | None) -> dict[str, Any]:
    shown = output.text if output.text is not None else output.message
    return {
        "id": output.id,
        "number": output.number,
        "case_position": output.case_position,
        "variant_position": output.variant_position,
        "repeat": output.repeat,
        "status": output.status,
        "error": output.error,
        "provider_text": (output.completion or {}).get("provider_text"),
        "finish_reason": output.finish_reason,
        "preview": None if shown is None else shown[:PREVIEW_CHARACTERS],
        "is_truncated": shown is not None and len(shown) > PREVIEW_CHARACTERS,
        "is_cached": output.is_cached,
        "is_fallback": output.is_fallback,
        "is_wanted_again": output.is_wanted_again,
        "cost_usd": None if output.cost_nanos is None else usd_from_nanos(output.cost_nanos),
        "input_tokens": output.input_tokens,
        "output_tokens": output.output_tokens,
        "latency_seconds": output.latency_seconds,
        "human_value": output.human_value,
        "grade": read_grade(grade),
    }


def read_cell_score(score: Score) -> CellScore:
    return CellScore(
        scorer=score.scorer_position,
        value=score.value,
        is_passed=score.is_passed,
        flag=score.flag,
    )


def read_output(
    output: Output,
    *,
    run: Run,
    variant: RunVariant,
    scores: Sequence[ScoreRead],
    grade: EffectiveGrade | None,
    sent: str | None,
) -> OutputDetail:
    rest = output.completion or {}
    fields = ("text", "parsed", "attempts", "waited_seconds")
    more = ("first_token_seconds", "cached_input_tokens", "reasoning_tokens", "created_at")
    return OutputDetail(
        **_cell_fields(output, grade),
        **{name: getattr(output, name) for name in (*fields, *more)},
        run_id=run.id,
        message=explained(output),
        tool_calls=rest.get("tool_calls", []),
        sent=_sent(sent),
        provenance=OutputProvenance(
            prompt_version_id=variant.version_id,
            prompt_label=f"{variant.prompt_name} {variant.version_label}",
            model=output.model,
            provider=variant.provider,
            credential=rest.get("credential"),
            parameters=variant.parameters,
            ignored_parameters=rest.get("ignored_parameters", []),
            request_id=output.request_id,
            price_version=output.price_version,
            prompt_digest=output.prompt_digest,
            cache_key=output.cache_key,
            code_version=run.code_version,
        ),
        # Their JSON has the fields of a `CellScore` only.
        scores=scores,
        details=scores,
    )


def explained(output: Output) -> str | None:
    """Why the call failed, or why the answer is malformed."""
    if output.status == "malformed" and output.error and output.text is not None:
        return explain(output.text, Malformation(output.error))
    return output.message


def _sent(text: str | None) -> SentPromptRead:
    content: Mapping[str, Any] = {"system": None, "messages": [], "tools": []}
    return SentPromptRead.model_validate(content if text is None else json.loads(text))


def judge_models(scores: Iterable[Score]) -> set[UUID]:
    """The models of the judges of panels."""
    return {UUID(judge["model_id"]) for score in scores for judge in (score.judges or {}).values()}


def _named(
    judges: Mapping[str, Mapping[str, Any]], models: Mapping[UUID, NamedModel]
) -> dict[str, Any]:
    named = {}
    for label, judge in judges.items():
        model = models.get(UUID(judge["model_id"]))
        named[label] = {**judge, "name": name_seat(label, model and model.name)}
    return named


def read_score(score: Score, models: Mapping[UUID, NamedModel]) -> ScoreRead:
    return ScoreRead(
        id=score.id,
        scorer=score.scorer_position,
        value=score.value,
        is_passed=score.is_passed,
        flag=score.flag,
        rationale=score.rationale,
        raw=score.raw,
        criteria=score.criteria,
        judges=None if score.judges is None else _named(score.judges, models),
        judge_text=score.judge_text,
        cost_usd=None if score.cost_nanos is None else usd_from_nanos(score.cost_nanos),
    )
