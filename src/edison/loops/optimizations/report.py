"""The report of an optimization as a file: verdict, candidates, rounds, costs, settings."""

import asyncio
from collections.abc import Sequence
from typing import Literal
from uuid import UUID

from edison.api.documents.document import (
    Block,
    Conclusion,
    Document,
    Heading,
    Paragraph,
    Table,
    Verbatim,
)
from edison.api.documents.markdown import write_markdown
from edison.api.documents.pdf import write_pdf
from edison.api.downloads import attachment
from edison.db.session import Database
from edison.kit import clock
from edison.loops.experiments.reports.export import MEDIA_TYPES, ReportFile
from edison.loops.experiments.reports.files import wording
from edison.loops.optimizations import service
from edison.loops.optimizations.models import Optimization
from edison.loops.optimizations.repository import Optimizations
from edison.loops.optimizations.schemas.candidates import CandidateRead, CandidateSummary
from edison.loops.optimizations.schemas.optimizations import OptimizationDetail
from edison.loops.optimizations.schemas.rounds import RoundRead
from edison.loops.optimizations.schemas.verdicts import CheaperModelsRead, FinalistTestRead
from edison.loops.optimizations.states import OptimizationOutcome, RoundKind
from edison.pipeline.refine.search import GateReason, SearchStop
from edison.workspace.audit import service as audit

OptimizationReportFormat = Literal["pdf", "md"]

_ENDS = {
    OptimizationOutcome.NO_GAIN: "No candidate was better than the base on the training cases.",
    OptimizationOutcome.NO_HEADROOM: "The base scores too high for a worthwhile gain.",
    OptimizationOutcome.WORN_OUT: "The held-out cases were tested too often to show a gain.",
}
_VERDICTS = {
    GateReason.BETTER: "promoted",
    GateReason.NOT_BETTER: "refused, because that may be chance",
    GateReason.TOO_SMALL: "refused, because the gain is too small",
    GateReason.LESS_SAFE: "refused, because it is less safe",
    GateReason.MISSING: "not decided, because too many answers have no score",
}
_STOPS = {
    SearchStop.NO_HEADROOM: "The search ended because the base can hardly be improved.",
    SearchStop.TARGET: "The search ended because the target score was reached.",
    SearchStop.GENERATIONS: "The search ended after all generations.",
    SearchStop.PATIENCE: "The search ended because no better candidate came up.",
    SearchStop.MONEY: "The search ended because the money left paid for no further generation.",
    SearchStop.NO_CANDIDATES: "The search ended because nothing new was proposed.",
}


async def export_report(
    database: Database,
    *,
    project_id: UUID,
    optimization_id: UUID,
    file_format: OptimizationReportFormat,
) -> ReportFile:
    """Records the export in the audit log. Raises NotFound."""
    async with database.write() as session:
        row = await Optimizations(session).get(project_id, optimization_id)
        audit.record(
            session,
            f"{Optimization.NOUN}.exported",
            entity=(Optimization.NOUN, optimization_id),
            project_id=project_id,
            after={"format": file_format},
        )
        found = await service.get_optimization(
            session, project_id=project_id, optimization_id=optimization_id
        )
        finalist = None
        if found.finalist is not None:
            finalist = await service.get_candidate(
                session,
                project_id=project_id,
                optimization_id=optimization_id,
                number=found.finalist,
            )
    document = compose(found, finalist)
    content = (
        write_markdown(document).encode()
        if file_format == "md"
        else await asyncio.to_thread(write_pdf, document, at=row.updated_at)
    )
    name = f"{found.name}-{clock.now():%Y-%m-%d}.{file_format}"
    return ReportFile(
        content=content, media_type=MEDIA_TYPES[file_format], disposition=attachment(name)
    )


def compose(found: OptimizationDetail, finalist: CandidateRead | None) -> Document:
    dataset = "deleted" if found.dataset is None else found.dataset.name
    cases = f"{found.train_cases or 0} for training, {found.holdout_cases or 0} held out"
    return Document(
        title=found.name,
        subtitle=f"Optimization of {found.prompt.name} {found.version_label}",
        facts=[
            ("State", found.state.value),
            ("Dataset", f"{dataset} ({cases})"),
            ("Strategy", found.strategy),
            ("Cost", f"{wording.usd(found.cost_usd)} of {wording.usd(found.budget_usd)}"),
            ("Seed", str(found.seed)),
        ],
        blocks=[
            Conclusion(items=_conclusion(found)),
            *_progress(found),
            *_candidates(found.candidate_list, found.finalist),
            *_rounds(found.rounds),
            *_models(found.model_choice),
            *_finalist(finalist),
        ],
    )


def _conclusion(found: OptimizationDetail) -> list[str]:
    items = []
    if found.gate is not None:
        items.append(describe_gate(found.finalist, found.gate))
    elif found.outcome is not None:
        items.append(_ENDS.get(found.outcome, "It ended without a test."))
    else:
        items.append(found.message or f"It has no result yet: it is {found.state.value}.")
    if found.stop_reason is not None:
        items.append(_STOPS[found.stop_reason])
    if found.model_choice is not None:
        items.append(describe_model_choice(found.model_choice))
    return items


def describe_gate(finalist: int | None, gate: FinalistTestRead) -> str:
    """The verdict in one sentence, with scores out of 10."""
    held_out = _difference(gate.difference, gate.low, gate.high)
    return (
        f"Candidate {finalist} looked better by {wording.score(gate.train_gain)} on training "
        f"cases; held out {held_out} on {gate.cases} cases: {_VERDICTS[gate.reason]}. It was test "
        f"{gate.look} on these cases, at a significance level of {gate.alpha:.3f}."
    )


def describe_model_choice(choice: CheaperModelsRead) -> str:
    """Which model is recommended, or that none is, with the margin out of 10."""
    chosen = next((each for each in choice.trials if each.model_id == choice.chosen), None)
    margin = wording.score(choice.margin)
    if chosen is None:
        return (
            f"No cheaper model is shown to be as good as {choice.incumbent} with the base, within "
            f"a margin of {margin}."
        )
    return (
        f"{chosen.name} with {_name(choice.candidate).lower()} is as good as {choice.incumbent} "
        f"with the base, within a margin of {margin}, and costs {choice.saving or 0:.0%} less."
    )


def _models(choice: CheaperModelsRead | None) -> list[Block]:
    if choice is None:
        return []
    rows = [
        [choice.incumbent, wording.usd(choice.cost_usd), "", "Incumbent, with the base"],
        *(
            [
                each.name,
                wording.usd(each.cost_usd),
                _difference(each.difference, each.low, each.high),
                "As good" if each.is_as_good else each.reason,
            ]
            for each in choice.trials
        ),
    ]
    columns = ["Model", "Cost per answer", "Against the incumbent", "Remark"]
    return [
        Heading(text="Cheaper models, on held-out cases"),
        Table(columns=columns, rows=rows, words=frozenset({0, 3})),
    ]


def _difference(value: float | None, low: float | None, high: float | None) -> str:
    said = wording.difference(value)
    if low is None or high is None:
        return said
    return f"{said} ({wording.difference(low)} to {wording.difference(high)})"


def _progress(found: OptimizationDetail) -> list[Block]:
    if not found.progress:
        return []
    rows = [
        [
            "Baseline" if each.generation == 0 else str(each.generation),
            _name(each.best),
            _range(each.mean, each.low, each.high),
            str(each.candidates),
            str(each.dropped),
        ]
        for each in found.progress
    ]
    columns = ["Generation", "Best", "Training score", "Candidates", "Dropped"]
    return [
        Heading(text="Best score by generation"),
        Table(columns=columns, rows=rows, words=frozenset({0, 1})),
    ]


def _candidates(candidates: Sequence[CandidateSummary], finalist: int | None) -> list[Block]:
    if not candidates:
        return []
    rows = [
        [
            _name(each.number),
            str(each.generation),
            wording.score(each.mean),
            wording.difference(each.gain),
            str(each.cases),
            _remark(each, finalist),
        ]
        for each in candidates
    ]
    columns = ["Candidate", "Generation", "Score", "Against the base", "Cases", "Remark"]
    return [
        Heading(text="Candidates"),
        Paragraph(text="Scores are out of 10, on training cases, which chose the finalist."),
        Table(columns=columns, rows=rows, words=frozenset({0, 5})),
    ]


def _remark(candidate: CandidateSummary, finalist: int | None) -> str:
    if candidate.elimination is not None:
        rival = candidate.elimination
        better = wording.score(-rival.difference)
        return f"Dropped: {_name(rival.rival)} was better by {better} on {rival.cases} cases"
    return "Finalist" if candidate.number == finalist else ""


def _rounds(rounds: Sequence[RoundRead]) -> list[Block]:
    if not rounds:
        return []
    rows = [
        [
            _round_name(each),
            str(len(each.candidates)),
            str(each.cases),
            wording.usd(each.cost_usd),
        ]
        for each in rounds
    ]
    columns = ["Round", "Candidates", "Cases", "Cost"]
    return [Heading(text="Rounds and costs"), Table(columns=columns, rows=rows)]


def _round_name(each: RoundRead) -> str:
    if each.kind is RoundKind.GATE:
        return "Test on held-out cases"
    if each.generation == 0:
        return "Baseline"
    return f"Generation {each.generation}" + (f", stage {each.stage}" if each.stage > 1 else "")


def _finalist(candidate: CandidateRead | None) -> list[Block]:
    if candidate is None:
        return []
    return [
        Heading(text=f"{_name(candidate.number)}, against the base"),
        *([Paragraph(text=candidate.note)] if candidate.note.strip() else []),
        Verbatim(text=candidate.diff, kind="diff"),
    ]


def _name(number: int) -> str:
    return "Base" if number == 0 else f"Candidate {number}"


def _range(mean: float | None, low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return wording.score(mean)
    return f"{wording.score(mean)} ({wording.score(low)} to {wording.score(high)})"
