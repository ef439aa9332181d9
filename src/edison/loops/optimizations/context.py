"""Builds the refiner input of a generation: the pool with its weaknesses, and training cases."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from edison.db.session import Database
from edison.kit.errors import NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.prompts import service as prompts
from edison.library.prompts.models import PromptVersion
from edison.loops.optimizations.configure import read_config
from edison.loops.optimizations.models import (
    Optimization,
    OptimizationCandidate,
    OptimizationRound,
)
from edison.loops.optimizations.repository import Optimizations, OptimizationSteps
from edison.loops.optimizations.rounds import BASE
from edison.loops.optimizations.states import RoundKind
from edison.loops.optimizations.transitions import find_held_nanos
from edison.pipeline.refine.exemplars import Exemplar, ScoredOutput, choose_exemplars
from edison.pipeline.refine.optimizer import (
    EarlierSuggestion,
    PoolMember,
    RefinerInput,
    SuggestionFate,
    TrainingCase,
)
from edison.pipeline.refine.parts import with_parts
from edison.pipeline.refine.search import LEAST_COVERAGE, SearchCandidate, choose_finalist
from edison.pipeline.refine.weakness import TargetCriterion, WeakCriterion, weakest_criteria
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.runs.plan.types import PlannedScorer
from edison.runs.results import service as results
from edison.runs.store.models import Output, RunCase, RunScorer, Score
from edison.workspace.budgets import service as budgets

# Keys of criteria by name, for each scorer; None for a scorer without a rubric.
Rubrics = Mapping[int, Mapping[str, str] | None]
# Lowest scores from which the exemplars of a candidate are chosen.
_LOWEST = 120
# The base, and the latest other candidates.
_MOST_MEMBERS = 24
_MOST_HISTORY = 10
VERSION_GONE = "The version of the prompt that is improved was deleted."


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchContext:
    """`templates` are the prompts of all candidates by number."""

    version: PromptVersion
    templates: Mapping[int, PromptTemplate]
    refiner_input: RefinerInput


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weakness:
    weak: tuple[WeakCriterion, ...]
    exemplars: tuple[Exemplar, ...]


def search_candidates(rows: Sequence[OptimizationCandidate]) -> list[SearchCandidate]:
    """Candidates with scores, the base first."""
    return [
        SearchCandidate(
            number=each.number,
            generation=each.generation,
            scores=each.scores,
            is_dropped=each.elimination is not None,
        )
        for each in rows
        if each.scores or each.number == BASE
    ]


async def find_base(database: Database, row: Optimization) -> PromptVersion:
    """Raises NotFound."""
    async with database.read() as session:
        version = None
        if row.prompt_id is not None and row.version_id is not None:
            version = await Optimizations(session).find_version(row.prompt_id, row.version_id)
    if version is None:
        raise NotFound(VERSION_GONE)
    return version


def context_of_base(
    version: PromptVersion, *, goal: str, scorers: Sequence[PlannedScorer]
) -> SearchContext:
    """Before the first round: the base and the rubrics to state, without any answers."""
    base = prompts.template_of(version)
    criteria = tuple(
        TargetCriterion(
            key=f"s{position}.{at}",
            name=str(each["name"]),
            description=str(each.get("description") or ""),
            weight=scorer.weight * float(each.get("weight", 1.0)),
        )
        for position, scorer in enumerate(scorers)
        for at, each in enumerate(scorer.options.get("criteria") or ())
    )
    given = RefinerInput(
        iteration=1, goal=goal, prompt=base, criteria=criteria, weak=(), exemplars=()
    )
    return SearchContext(version=version, templates={BASE: base}, refiner_input=given)


async def build_context(
    database: Database,
    row: Optimization,
    candidates: Sequence[OptimizationCandidate],
    rounds: Sequence[OptimizationRound],
    *,
    generation: int,
) -> SearchContext:
    """Raises NotFound when the base or a run was deleted."""
    version = await find_base(database, row)
    base = prompts.template_of(version)
    templates = {each.number: with_parts(base, each.parts) for each in candidates}
    least = LEAST_COVERAGE * len(candidates[0].scores)
    measured = [each for each in candidates if each.scores and len(each.scores) >= least]
    measured = [*measured[:1], *measured[1:][-(_MOST_MEMBERS - 1) :]]
    reader = _ContextReader(database=database, row=row, rounds=rounds)
    criteria = await reader.read_criteria()
    weaknesses = {each.number: await reader.read_weakness(each, criteria) for each in measured}
    leader = choose_finalist(search_candidates(measured)) if measured else None
    best = BASE if leader is None else leader.number
    return SearchContext(
        version=version,
        templates=templates,
        refiner_input=RefinerInput(
            iteration=generation,
            goal=read_config(row).goal,
            prompt=templates[best],
            criteria=criteria,
            weak=weaknesses[best].weak if best in weaknesses else (),
            exemplars=weaknesses[best].exemplars if best in weaknesses else (),
            history=_history(candidates, templates),
            pool=tuple(
                PoolMember(
                    prompt=templates[each.number],
                    scores=each.scores,
                    weak=weaknesses[each.number].weak,
                    exemplars=weaknesses[each.number].exemplars,
                )
                for each in measured
            ),
            cases=await reader.read_cases(),
            seed=row.seed,
            money_left_nanos=await reader.read_money_left(),
        ),
    )


def _history(
    candidates: Sequence[OptimizationCandidate], templates: Mapping[int, PromptTemplate]
) -> tuple[EarlierSuggestion, ...]:
    base = candidates[0].scores
    found = []
    for each in candidates[1:][-_MOST_HISTORY:]:
        shared = [each.scores[key] - base[key] for key in each.scores if key in base]
        found.append(
            EarlierSuggestion(
                prompt=templates[each.number],
                diff=each.diff,
                note=each.note,
                targets=tuple(each.targets),
                fate=SuggestionFate.UNDECIDED,
                difference=sum(shared) / len(shared) if shared else None,
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ContextReader:
    database: Database
    row: Optimization
    rounds: Sequence[OptimizationRound]

    async def read_criteria(self) -> tuple[TargetCriterion, ...]:
        """Weighted criteria. Only those of rubrics have a description."""
        digest = await results.digest_run(
            self.database, project_id=self.row.project_id, run_id=self._run_of(BASE)[0]
        )
        scorers = await self._scorers(self._run_of(BASE)[0])
        told = {
            names[each["name"]]: str(each.get("description") or "")
            for scorer in scorers
            if (names := digest.layout.rubrics.get(scorer.position))
            for each in scorer.options.get("criteria") or ()
        }
        return tuple(
            TargetCriterion(
                key=each.key,
                name=each.name,
                description=told.get(each.key, ""),
                weight=each.weight,
            )
            for each in digest.layout.criteria.values()
            if each.weight > 0
        )

    async def read_weakness(
        self, candidate: OptimizationCandidate, criteria: Sequence[TargetCriterion]
    ) -> _Weakness:
        """From the last round that measured the candidate."""
        run_id, place, count = self._run_of(candidate.number)
        digest = await results.digest_run(
            self.database, project_id=self.row.project_id, run_id=run_id
        )
        each_has = digest.composites.shape[1] // count
        positions = range(place * each_has, (place + 1) * each_has)
        weak = weakest_criteria(digest.summary, criteria, variants=[str(at) for at in positions])
        scorers = [each.position for each in await self._scorers(run_id) if each.weight > 0]
        async with self.database.read() as session:
            rows = await OptimizationSteps(Optimizations(session)).list_scored(
                run_id, variants=positions, scorers=scorers, limit=_LOWEST
            )
        return _Weakness(
            weak=weak, exemplars=choose_exemplars(_merge(rows, digest.layout.rubrics), weak)
        )

    async def read_cases(self) -> tuple[TrainingCase, ...]:
        run_id = self._run_of(BASE)[0]
        digest = await results.digest_run(
            self.database, project_id=self.row.project_id, run_id=run_id
        )
        async with self.database.read() as session:
            rows = await OptimizationSteps(Optimizations(session)).list_run_cases(run_id)
        return tuple(
            TrainingCase(
                key=key,
                inputs=each.inputs,
                expected=each.expected,
                tags=tuple(each.tags),
                split=each.split or "",
            )
            for each, key in zip(rows, digest.case_keys, strict=True)
        )

    async def read_money_left(self) -> int | None:
        """Of the smallest budget in reach, without what is set aside for the test."""
        row = self.row
        async with self.database.read() as session:
            held = await find_held_nanos(OptimizationSteps(Optimizations(session)), row.id)
            left = await budgets.list_left(session, project_id=row.project_id, scope_ids=[row.id])
        return min((max(0, each.left_nanos - (held or 0)) for each in left), default=None)

    def _run_of(self, number: int) -> tuple[UUID, int, int]:
        """The last run that measured a candidate, its place in it, and how many took part."""
        for each in reversed(self.rounds):
            if each.kind == RoundKind.TRAIN and number in each.candidates and each.run_id:
                return each.run_id, each.candidates.index(number), len(each.candidates)
        raise NotFound("A run of this optimization was deleted.")

    async def _scorers(self, run_id: UUID) -> Sequence[RunScorer]:
        async with self.database.read() as session:
            return await OptimizationSteps(Optimizations(session)).list_run_scorers(run_id)


def _merge(rows: Sequence[tuple[Output, Score, RunCase]], rubrics: Rubrics) -> list[ScoredOutput]:
    """One entry per answer, with the scores of all scorers."""
    found: dict[UUID, ScoredOutput] = {}
    for output, score, case in rows:
        known = found.get(output.id) or ScoredOutput(
            case=str(case.position),
            variant=str(output.variant_position),
            inputs=case.inputs,
            output=output.parsed or output.text or "",
            expected=case.expected,
            tags=tuple(case.tags),
        )
        scores, said = _read_score(score, rubrics)
        found[output.id] = replace(
            known, scores={**known.scores, **scores}, rationales={**known.rationales, **said}
        )
    return list(found.values())


def _read_score(score: Score, rubrics: Rubrics) -> tuple[dict[str, float], dict[str, str]]:
    """Values and rationales by the criterion's key."""
    names = rubrics.get(score.scorer_position)
    if not names:
        key = f"s{score.scorer_position}"
        scores = {} if score.value is None else {key: score.value}
        return scores, {key: score.rationale} if score.rationale else {}
    judged = score.criteria or {}
    scores = {
        names[name]: each["value"]
        for name, each in judged.items()
        if name in names and each["value"] is not None
    }
    said = {
        names[name]: each["rationale"]
        for name, each in judged.items()
        if name in names and each.get("rationale")
    }
    for judge in (score.judges or {}).values():
        for name, each in (judge.get("criteria") or {}).items():
            if name in names and each.get("rationale"):
                said.setdefault(names[name], each["rationale"])
    return scores, said
