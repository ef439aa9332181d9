"""An output with everything about it, as it is shown."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from edison.kit.money import usd_from_nanos
from edison.runs.engine.models import Output, Run, RunVariant, Score
from edison.runs.engine.repository.grid import PREVIEW_CHARACTERS
from edison.runs.engine.schemas.reads import (
    CellScore,
    GradeRead,
    OutputDetail,
    Provenance,
    ScoreRead,
    SentPromptRead,
)
from edison.runs.engine.summaries import Grade


def read_grade(grade: Grade | None) -> GradeRead | None:
    return None if grade is None else GradeRead.model_validate(grade)


def _cell_fields(output: Output, scores: Iterable[Score], grade: Grade | None) -> dict[str, Any]:
    shown = output.text if output.text is not None else output.message
    return {
        "id": output.id,
        "number": output.number,
        "case_position": output.case_position,
        "variant_position": output.variant_position,
        "repeat": output.repeat,
        "status": output.status,
        "error": output.error,
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
        "scores": [read_cell_score(score) for score in scores],
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
    scores: Sequence[Score],
    grade: Grade | None,
    sent: str | None,
) -> OutputDetail:
    rest = output.completion or {}
    fields = ("message", "text", "parsed", "finish_reason", "attempts", "waited_seconds")
    more = ("first_token_seconds", "cached_input_tokens", "reasoning_tokens", "created_at")
    return OutputDetail(
        **_cell_fields(output, scores, grade),
        **{name: getattr(output, name) for name in (*fields, *more)},
        run_id=run.id,
        tool_calls=rest.get("tool_calls", []),
        sent=_sent(sent),
        provenance=Provenance(
            prompt_version_id=variant.version_id,
            prompt_label=f"{variant.prompt_name} {variant.version_label}",
            model=output.model,
            provider=variant.provider,
            parameters=variant.parameters,
            ignored_parameters=rest.get("ignored_parameters", []),
            request_id=output.request_id,
            price_version=output.price_version,
            prompt_digest=output.prompt_digest,
            cache_key=output.cache_key,
            code_version=run.code_version,
        ),
        details=[_score(score) for score in scores],
    )


def _sent(text: str | None) -> SentPromptRead:
    content: Mapping[str, Any] = {"system": None, "messages": [], "tools": []}
    return SentPromptRead.model_validate(content if text is None else json.loads(text))


def _score(score: Score) -> ScoreRead:
    return ScoreRead(
        id=score.id,
        scorer=score.scorer_position,
        value=score.value,
        is_passed=score.is_passed,
        flag=score.flag,
        rationale=score.rationale,
        raw=score.raw,
        criteria=score.criteria,
        judges=score.judges,
        judge_text=score.judge_text,
        cost_usd=None if score.cost_nanos is None else usd_from_nanos(score.cost_nanos),
    )
