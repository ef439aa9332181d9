"""The content of a report, in order."""

from collections.abc import Sequence

from edison.api.documents.document import (
    Block,
    Bullets,
    Conclusion,
    Document,
    Drawing,
    Heading,
    Paragraph,
    Table,
    Verbatim,
)
from edison.loops.experiments.reports.files import wording
from edison.loops.experiments.reports.files.drawing import draw_costs, draw_models, draw_trend
from edison.loops.experiments.schemas.experiments import BestRead
from edison.loops.experiments.schemas.reports import (
    DecisionSummary,
    ExperimentReport,
    TrendPoint,
)
from edison.pipeline.refine.choose import GateState
from edison.pipeline.refine.parts import PromptPart

_STATES = {
    "draft": "Draft, not started",
    "ready": "Between iterations",
    "running": "Running",
    "paused": "Paused",
    "reviewing": "Awaiting review",
    "completed": "Completed",
    "failed": "Last iteration failed",
}
_ORIGINS = {"refiner": "refiner", "rubric": "rubric baseline", "person": "manual edit"}
_PARTS = {
    PromptPart.TEXT: "the main text",
    PromptPart.SYSTEM: "the system text",
    PromptPart.FEW_SHOTS: "the examples",
}
_DECIDED = ("approved", "edited", "rejected")
SIMULATED = (
    "The models in this experiment are simulated. The figures say nothing about real models."
)


def compose(report: ExperimentReport) -> Document:
    return Document(
        title=report.name,
        subtitle=f"Experiment report. {_STATES[report.state]}.",
        facts=[
            ("Project", report.project),
            ("Date", wording.date(report.changed_at)),
            ("People", ", ".join(report.people) or wording.NOTHING),
        ],
        blocks=[
            *_conclusion(report),
            *([Paragraph(text=SIMULATED)] if report.is_simulated else []),
            Heading(text="Objective"),
            Paragraph(text=report.goal or "No objective."),
            *_summary(report),
            *_first_and_best(report),
            *_trend(report),
            *_criteria(report),
            *_costs(report),
            *_models(report),
            *_decisions(report),
            *_outlook(report),
            *_texts(report),
        ],
    )


def _conclusion(report: ExperimentReport) -> list[Block]:
    """Which version, which model, at what cost; says when there is no evidence."""
    best, gain = report.best, report.against_first
    if best is None:
        return [Conclusion(items=["No version has a score yet, so there is nothing to conclude."])]
    where = "held-out" if best.basis == "holdout" else "training"
    said = [f"Best version: {best.version_label}, {wording.score(best.score)}/10 on {where} cases."]
    if gain is not None:
        said.append(f"Against the first version: {wording.change(gain)}.")
    items = [" ".join(said)]
    if best.gate.sentence is not None:
        items.append(best.gate.sentence)
    if report.recommended is not None:
        chosen = report.recommended
        items.append(f"Recommended model: {chosen.model_name}. {chosen.reasons[0]}")
    items.append(
        f"{wording.counted(report.iterations, 'iteration')} cost "
        f"{wording.usd(report.cost.total_usd)} in all."
    )
    return [Conclusion(items=items)]


def _summary(report: ExperimentReport) -> list[Block]:
    best = report.best
    facts = [
        ("Iterations", wording.count(report.iterations)),
        ("Ended", "Not yet" if report.stop is None else report.stop.message),
        ("Total cost", wording.usd(report.cost.total_usd)),
        ("Tokens", wording.count(report.tokens.total)),
        ("Running time", wording.duration(report.working_seconds)),
        ("Total time, waiting included", wording.duration(report.elapsed_seconds)),
    ]
    if best is not None:
        where = "held-out cases" if best.basis == "holdout" else "training cases"
        facts[:0] = [
            ("Best version", f"{best.version_label}, iteration {best.iteration}"),
            ("Score", f"{wording.score(best.score)}/10 on {where}"),
        ]
    blocks: list[Block] = [
        Heading(text="Summary"),
        Table(columns=["Figure", "Value"], rows=facts, words=frozenset({0, 1})),
    ]
    if best is not None and best.warnings:
        blocks.append(Bullets(items=best.warnings))
    return blocks


def _first_and_best(report: ExperimentReport) -> list[Block]:
    scored = [each for each in report.trend if each.train is not None]
    if not scored:
        return []
    named = [("First", scored[0])]
    named += [("Best", each) for each in scored if _is_best(report, each) and each != scored[0]]
    if scored[-1] not in (scored[0], named[-1][1]):
        named.append(("Latest", scored[-1]))
    blocks: list[Block] = [
        Heading(text="First, best and latest"),
        Table(
            columns=["", "Version", "Score (training)", "Score (held out)", "Cost"],
            rows=[
                [
                    f"{name} (iteration {each.iteration})",
                    each.version_label,
                    wording.mean(each.train),
                    wording.mean(each.holdout),
                    wording.usd(each.cost.total_usd),
                ]
                for name, each in named
            ],
            words=frozenset({0, 1}),
        ),
    ]
    gain = report.against_first
    if gain is not None:
        tested = "" if report.best is None else _tested_label(report.best)
        said = (
            f"{tested} against the first version on held-out cases: {wording.change(gain)}. "
            f"{wording.evidence(gain)}"
        )
        blocks.append(Paragraph(text=said))
    return blocks


def _tested_label(best: BestRead) -> str:
    """Of the best version if it passed, otherwise of the one that did not."""
    is_first = best.gate.state is not GateState.PASSED and best.iteration == 1
    return best.gate.version_label if is_first else best.version_label


def _is_best(report: ExperimentReport, point: TrendPoint) -> bool:
    return report.best is not None and report.best.iteration == point.iteration


def _trend(report: ExperimentReport) -> list[Block]:
    if not report.trend:
        return []
    return [
        Heading(text="Trend"),
        Drawing(
            name="trend",
            svg=draw_trend(report.trend),
            words="Score out of 10 by iteration and version, with 95% confidence intervals.",
        ),
        Table(
            columns=[
                "Iteration",
                "Version",
                "Training",
                "Change (training)",
                "Held out",
                "Test against the first (held out)",
                "Cost",
                "Time",
            ],
            rows=[_trend_row(each) for each in report.trend],
            words=frozenset({0, 1, 5}),
        ),
        *_remarks(report.trend),
    ]


def _trend_row(point: TrendPoint) -> list[str]:
    return [
        f"{point.iteration} ({point.state})",
        point.version_label,
        wording.mean(point.train),
        wording.difference(None if point.change is None else point.change.difference.value),
        wording.mean(point.holdout),
        _test(point),
        wording.usd(point.cost.total_usd),
        wording.duration(point.seconds),
    ]


def _test(point: TrendPoint) -> str:
    test = point.holdout_test
    if test is None or test.look is None:
        return wording.NOTHING
    return f"{wording.change(point.against_first)} (look {test.look}, alpha {test.alpha:.2g})"


def _remarks(trend: Sequence[TrendPoint]) -> list[Block]:
    said = [f"Iteration {each.iteration}: {each.message}" for each in trend if each.message]
    return [Bullets(items=said)] if said else []


def _criteria(report: ExperimentReport) -> list[Block]:
    if not report.criteria:
        return []
    rows = [
        [
            each.name,
            f"{100 * each.weight:.0f}%",
            wording.score(each.first),
            wording.score(each.best),
            wording.difference(
                None if each.first is None or each.best is None else each.best - each.first
            ),
        ]
        for each in report.criteria
    ]
    columns = ["Criterion", "Weight", "First", "Best", "Change"]
    return [Heading(text="By criterion"), Table(columns=columns, rows=rows)]


def _costs(report: ExperimentReport) -> list[Block]:
    cost, tokens = report.cost, report.tokens
    rows = [
        [
            name,
            wording.usd(amount),
            wording.share(amount, cost.total_usd),
            wording.count(number),
            wording.share(number, tokens.total),
        ]
        for name, amount, number in (
            ("Answers", cost.execution_usd, tokens.execution),
            ("Judging", cost.judging_usd, tokens.judging),
            ("Refining", cost.refining_usd, tokens.refining),
            ("Total", cost.total_usd, tokens.total),
        )
    ]
    columns = ["Phase", "Cost", "Share", "Tokens", "Share"]
    blocks: list[Block] = [Heading(text="Cost and tokens"), Table(columns=columns, rows=rows)]
    if report.trend and cost.total_usd:
        words = "Cost per iteration in US dollars, by phase."
        blocks.append(Drawing(name="costs", svg=draw_costs(report.trend), words=words))
    return blocks


def _models(report: ExperimentReport) -> list[Block]:
    chosen = report.recommended
    if chosen is None:
        return []
    rows = [
        [
            each.label,
            wording.mean(each.train),
            wording.mean(each.holdout),
            wording.usd(each.cost_per_answer_usd),
            wording.seconds(each.latency_p50_seconds),
            wording.count(each.failed),
        ]
        for each in report.variants
    ]
    columns = ["Model", "Training", "Held out", "Cost per answer", "p50 latency", "Failed"]
    pruned = [f"{each.label} was pruned: {each.message}" for each in report.pruned]
    return [
        Heading(text="Recommended model"),
        Paragraph(text=f"{chosen.label}: {wording.mean(chosen.score)} out of 10."),
        Bullets(items=[*chosen.reasons, wording.parameters(chosen.parameters), *pruned]),
        Drawing(
            name="models",
            svg=draw_models(report.variants),
            words="Score out of 10 by model, with 95% confidence intervals.",
        ),
        Table(columns=columns, rows=rows),
    ]


def _decisions(report: ExperimentReport) -> list[Block]:
    if not report.decisions:
        return []
    rows = [
        [
            f"{each.iteration}.{each.number}",
            _ORIGINS.get(each.origin, each.origin),
            each.state,
            _decider(each),
            _change(each),
            each.reason or wording.NOTHING,
        ]
        for each in report.decisions
    ]
    columns = ["Suggestion", "Origin", "State", "Decided by", "Change", "Reason"]
    return [
        Heading(text="Suggestions and decisions"),
        Table(columns=columns, rows=rows, words=frozenset(range(len(columns)))),
    ]


def _change(decision: DecisionSummary) -> str:
    """The note, and which parts change unless it is the main text alone."""
    if decision.parts == [PromptPart.TEXT]:
        return decision.note
    listed = " and ".join(_PARTS[part] for part in decision.parts)
    return f"Changes {listed}. {decision.note}"


def _decider(decision: DecisionSummary) -> str:
    """Superseded suggestions have no decider."""
    if decision.state not in _DECIDED:
        return wording.NOTHING
    return decision.decided_by or "Edison"


def _outlook(report: ExperimentReport) -> list[Block]:
    weak = [each.message for each in report.weaknesses] or ["No criterion is below 9/10."]
    blocks: list[Block] = []
    if report.best is not None:
        blocks += [Heading(text="Remaining weaknesses"), Bullets(items=weak)]
    if report.next_steps:
        blocks += [Heading(text="Next steps"), Bullets(items=report.next_steps)]
    return blocks


def _texts(report: ExperimentReport) -> list[Block]:
    blocks: list[Block] = []
    if report.best_text is not None and report.best is not None:
        title = f"Best version: {report.best.version_label}"
        blocks += [Heading(text=title), Verbatim(text=report.best_text)]
    if report.diff:
        title = "Changes from the first version to the best"
        blocks += [Heading(text=title), Verbatim(text=report.diff, kind="diff")]
    return blocks
