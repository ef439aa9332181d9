"""Runs the improvement loop with simulated models: run, judge, aggregate, refine, decide.

The loop sees only what the product sees. True quality is computed afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID, uuid5

import numpy as np

from edison.pipeline.aggregate.compare import Pair
from edison.pipeline.aggregate.composite import collapse
from edison.pipeline.aggregate.summary import summarise
from edison.pipeline.aggregate.table import (
    Floats,
    ScoreTable,
    TableCase,
    TableCriterion,
    TableScorer,
    TableVariant,
)
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import Completion, FinishReason, Usage
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.refine.exemplars import Exemplar, ScoredOutput, choose_exemplars
from edison.pipeline.refine.optimizer import (
    EarlierSuggestion,
    Optimizer,
    RefinerInput,
    SuggestionFate,
)
from edison.pipeline.refine.optimizers.refine import Refine
from edison.pipeline.refine.suggestion import Proposal, SuggestedEdit
from edison.pipeline.refine.weakness import TargetCriterion, WeakCriterion, weakest_criteria
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.pipeline.score.rubric import Criterion
from edison.pipeline.score.scorer import Subject
from edison.pipeline.score.scorers.judge import Judge
from edison.simulation.data import Split
from edison.simulation.habits import Habits
from edison.simulation.material import DemoCase, DemoTask
from edison.simulation.oracle import Exam, qualities
from edison.simulation.simulate import simulate
from edison.simulation.tasks.recognition import TASKS
from edison.simulation.tiers import TIERS
from tests.support.simulated import sampling_of

_NAMESPACE = UUID("6f0a6b0e-9a39-4d5e-8a8f-0c2f7b1f3a11")
_RESAMPLES = 50


def model_id(tier: str) -> UUID:
    return uuid5(_NAMESPACE, tier)


@dataclass(slots=True, kw_only=True)
class SimTools:
    """Simulated models by their ids, as in the engine. Counts calls of strategies and judges, all
    answers and their cost.
    """

    habits: Habits = field(default_factory=Habits)
    asked: int = 0
    answered: int = 0
    spent_nanos: int = 0
    _tiers: dict[UUID, str] = field(default_factory=lambda: {model_id(key): key for key in TIERS})

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        self.asked += 1
        return self.answer(self._tiers[model_id], prompt, parameters)

    def answer(self, tier: str, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        reply = simulate(prompt, TIERS[tier], sampling_of(parameters), self.habits)
        usage = Usage(input_tokens=reply.input_tokens, output_tokens=reply.output_tokens)
        price = TIERS[tier]
        nanos = price.input_nanos_per_million * reply.input_tokens
        nanos += price.output_nanos_per_million * reply.output_tokens
        self.answered += 1
        self.spent_nanos += nanos // 1_000_000
        outcome = Completion(
            text=reply.text, finish_reason=FinishReason.STOP, usage=usage, model=tier
        )
        return Answer(
            outcome=outcome,
            attempts=1,
            cost_nanos=0,
            is_cached=False,
            waited_seconds=0,
            price_version=None,
            cache_key="",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Results of a version on the train cases."""

    outputs: tuple[ScoredOutput, ...]
    table: ScoreTable

    @property
    def composites(self) -> Floats:
        """Per case."""
        return np.asarray(collapse(self.table).composite[:, 0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A demo task with its models for answering, judging and refining."""

    task: DemoTask
    tools: SimTools = field(default_factory=SimTools)
    answerer: str = "sim-medium"
    judge: str = "sim-large"
    refiner: str = "sim-large"
    seed: int = 0

    @property
    def starter(self) -> PromptTemplate:
        return PromptTemplate(text=self.task.starter)

    @property
    def criteria(self) -> tuple[TargetCriterion, ...]:
        return tuple(
            TargetCriterion(
                key=one.name, name=one.name, description=one.description, weight=one.weight
            )
            for one in self.task.rubric
        )

    def optimizer(self, candidates: int = 2) -> Refine:
        return Refine(model_id=model_id(self.refiner), candidates=candidates, seed=self.seed)

    @property
    def train_cases(self) -> list[DemoCase]:
        return [case for case in self.task.cases if case.split == "train"]

    async def run(self, prompt: PromptTemplate, split: Split = "train") -> Results:
        """Every case of a split, answered and judged."""
        cases = [case for case in self.task.cases if case.split == split]
        return self.results([await self.score(at, case, prompt) for at, case in enumerate(cases)])

    def results(self, outputs: Sequence[ScoredOutput]) -> Results:
        return Results(outputs=tuple(outputs), table=self._table(outputs))

    async def propose(
        self,
        prompt: PromptTemplate,
        results: Results,
        *,
        iteration: int = 1,
        history: Sequence[EarlierSuggestion] = (),
        optimizer: Optimizer | None = None,
    ) -> tuple[Proposal, ...]:
        weak, exemplars = self.weaknesses(results)
        refiner_input = RefinerInput(
            iteration=iteration,
            goal=self.task.goal,
            prompt=prompt,
            criteria=self.criteria,
            weak=weak,
            exemplars=exemplars,
            history=tuple(history),
        )
        return await (optimizer or self.optimizer()).propose(refiner_input, self.tools)

    def weaknesses(
        self, results: Results
    ) -> tuple[tuple[WeakCriterion, ...], tuple[Exemplar, ...]]:
        """The weakest criteria, and answers that fail on them."""
        summary = summarise(results.table, resamples=_RESAMPLES)
        weak = weakest_criteria(summary, self.criteria)
        return weak, choose_exemplars(results.outputs, weak)

    async def improve(self, iterations: int) -> tuple[PromptTemplate, ...]:
        """The versions of a loop that approves the suggestion with the best score on the train
        cases, unless it is worse than the version before.
        """
        versions = [self.starter]
        results = await self.run(self.starter)
        history: list[EarlierSuggestion] = []
        for iteration in range(1, iterations + 1):
            current = versions[-1]
            proposals = await self.propose(current, results, iteration=iteration, history=history)
            tried = [
                (suggestion, await self.run(suggestion.prompt))
                for suggestion in proposals
                if isinstance(suggestion, SuggestedEdit)
            ]
            scores = [float(found.composites.mean()) for _, found in tried]
            floor = float(results.composites.mean())
            best = scores.index(max(scores)) if scores and max(scores) >= floor else None
            history += [
                _tried(suggestion, is_approved=at == best, is_worse=score < floor)
                for at, ((suggestion, _), score) in enumerate(zip(tried, scores, strict=True))
            ]
            if best is not None:
                versions.append(tried[best][0].prompt)
                results = tried[best][1]
        return tuple(versions)

    async def score(self, at: int, case: DemoCase, prompt: PromptTemplate) -> ScoredOutput:
        """One case, answered and judged; `at` is its place."""
        parameters = Parameters(seed=self.seed)
        answer = self.tools.answer(self.answerer, prompt.render(case.inputs), parameters)
        text = answer.outcome.text if isinstance(answer.outcome, Completion) else ""
        subject = Subject(text=text, expected=case.expected, inputs=case.inputs)
        scored = await self._judge().score(subject, self.tools)
        return ScoredOutput(
            case=str(at),
            variant="v",
            inputs=case.inputs,
            output=text,
            expected=case.expected,
            tags=case.tags,
            scores={name: one.value for name, one in scored.criteria.items()},
            rationales={
                name: one.rationale for name, one in scored.criteria.items() if one.rationale
            },
        )

    def _judge(self) -> Judge:
        criteria = tuple(
            Criterion(name=one.name, description=one.description, weight=one.weight)
            for one in self.task.rubric
        )
        return Judge(goal=self.task.goal, criteria=criteria, model_id=model_id(self.judge))

    def _table(self, outputs: Sequence[ScoredOutput]) -> ScoreTable:
        names = [one.name for one in self.task.rubric]
        case, criterion = np.meshgrid(np.arange(len(outputs)), np.arange(len(names)), indexing="ij")
        zeros = np.zeros(case.size, dtype=np.int64)
        return ScoreTable(
            cases=tuple(TableCase(key=each.case, tags=each.tags) for each in outputs),
            variants=(TableVariant(key="v"),),
            scorers=(TableScorer(key="judge", is_judge=True),),
            criteria=tuple(
                TableCriterion(key=one.name, weight=one.weight) for one in self.task.rubric
            ),
            case=case.ravel(),
            variant=zeros,
            scorer=zeros,
            criterion=criterion.ravel(),
            repeat=zeros,
            value=np.array([each.scores[name] for each in outputs for name in names]),
        )


def _tried(suggestion: SuggestedEdit, *, is_approved: bool, is_worse: bool) -> EarlierSuggestion:
    not_chosen = SuggestionFate.REJECTED if is_worse else SuggestionFate.UNDECIDED
    return EarlierSuggestion(
        prompt=suggestion.prompt,
        diff=suggestion.diff,
        note=suggestion.note,
        targets=suggestion.targets,
        fate=SuggestionFate.APPROVED if is_approved else not_chosen,
        reason="It does worse on the train cases." if is_worse else "",
    )


def useless_edits(bench: Bench) -> dict[str, PromptTemplate]:
    """Useless edits that pass every guard rail, by their fault."""
    heaviest = max(
        (rule for rule in TASKS[bench.task.key].rules if not rule.forbids),
        key=lambda rule: rule.weight,
    )
    contrary = f"Do not {heaviest.directive[0].lower()}{heaviest.directive[1:]}"
    lines = {
        "fluff": "Always do your very best and remember that quality matters.",
        "contrary": contrary,
        "keywords": "Empathy, accuracy, brevity, format, helpfulness, completeness, clarity.",
    }
    head, _, material = bench.task.starter.rpartition("\n\n")
    return {
        name: PromptTemplate(text=f"{head}\n{line}\n\n{material}") for name, line in lines.items()
    }


def hidden_pair(
    name: str, *, task: str, before: PromptTemplate, after: Sequence[PromptTemplate], cases: int
) -> Pair:
    """True quality of a prompt and of its successor on unseen cases; for several outcomes per case
    the mean, because evidence is counted in cases.
    """
    exam = Exam(task=task, count=cases)
    return Pair(
        baseline="before",
        other=name,
        baseline_scores=np.array(qualities_of(before, exam)),
        other_scores=np.mean([qualities_of(each, exam) for each in after], axis=0),
    )


def qualities_of(prompt: PromptTemplate, exam: Exam) -> list[float]:
    """True quality per case, 0 to 1."""
    shots = [(each.user, each.assistant) for each in prompt.few_shots]
    return qualities(prompt.text, exam, system=prompt.system, shots=shots)
