"""One search on a simulated world with a limit in dollars: the decisions of optimizations without
their database.

A world is a demo task with its own cases. Answers, judgements and proposals are paid from the
limit; the test on held-out cases is not, since it costs every search the same.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from edison.pipeline.aggregate.alpha import alpha_of_look
from edison.pipeline.aggregate.compare import Pair, compare_pairs
from edison.pipeline.refine.baselines import state_the_rubric
from edison.pipeline.refine.elimination import eliminate
from edison.pipeline.refine.exemplars import ScoredOutput
from edison.pipeline.refine.optimizer import (
    EarlierSuggestion,
    Optimizer,
    PoolMember,
    RefinerInput,
    SuggestionFate,
    TrainingCase,
)
from edison.pipeline.refine.search import (
    WORTHWHILE,
    GateReason,
    SearchCandidate,
    choose_finalist,
    find_objections,
    gain_over,
    judge_gate,
)
from edison.pipeline.refine.suggestion import SuggestedEdit
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.simulation.casework import make_cases
from edison.simulation.material import DemoCase, demo_tasks
from edison.simulation.oracle import Exam
from tests.support.refining import Bench, qualities_of

# As many as optimizations show to strategies.
_MOST_MEMBERS, _MOST_HISTORY = 30, 20
_MOST_GENERATIONS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """`starter` replaces the prompt of the task."""

    task: str
    seed: int
    train: int = 24
    held_out: int = 40
    starter: str | None = None

    def bench(self) -> Bench:
        task = demo_tasks()[self.task]
        cases = [
            DemoCase(
                inputs=each.inputs,
                expected=each.expected,
                tags=each.tags,
                difficulty=each.difficulty,
                split=split,
            )
            for split, count in (("train", self.train), ("holdout", self.held_out))
            for each in make_cases(self.task, count, f"optimize-{self.seed}", split=split)
        ]
        starter = self.starter or task.starter
        return Bench(task=replace(task, cases=tuple(cases), starter=starter), seed=self.seed)

    def quality(self, prompt: PromptTemplate, *, cases: int) -> float:
        """True quality on cases that no search saw."""
        return float(np.mean(qualities_of(prompt, Exam(task=self.task, count=cases))))


@dataclass(slots=True, kw_only=True)
class Contender:
    """A candidate and its answers so far, by the place of the case."""

    prompt: PromptTemplate
    generation: int
    edit: SuggestedEdit | None = None
    outputs: dict[int, ScoredOutput] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    is_dropped: bool = False


@dataclass(slots=True, kw_only=True)
class Search:
    """Generations until the money is used up. Without an optimizer: the base and the rubric."""

    bench: Bench
    limit_nanos: int
    optimizer: Optimizer | None = None
    is_rubric_stated: bool = True
    contenders: list[Contender] = field(default_factory=list)

    async def run(self) -> PromptTemplate:
        """The finalist; the base, if no candidate is better on the training cases."""
        base = Contender(prompt=self.bench.starter, generation=0)
        self.contenders = [base]
        cases = len(self.bench.train_cases)
        await self._measure(base, cases)
        stated = state_the_rubric(self._input(1)) if self.is_rubric_stated else None
        if stated is not None:
            self._add([stated], generation=0)
            await self._race(self.contenders[1:], (cases,))
        for generation in range(1, _MOST_GENERATIONS + 1):
            if self.optimizer is None or not self._has_money():
                break
            given = self._input(generation)
            added = self._add(
                await self.optimizer.propose(given, self.bench.tools), generation=generation
            )
            if not added:
                break
            await self._race(added, self.optimizer.stages(cases))
        return self._finalist().prompt

    def _finalist(self) -> Contender:
        found = choose_finalist(
            [
                SearchCandidate(
                    number=at,
                    generation=each.generation,
                    scores=each.scores,
                    is_dropped=each.is_dropped,
                )
                for at, each in enumerate(self.contenders)
            ]
        )
        return self.contenders[0 if found is None else found.number]

    def _has_money(self) -> bool:
        """Whether another generation fits, if it costs as much per answer as those so far."""
        assert self.optimizer is not None
        tools = self.bench.tools
        measured = sum(len(each.outputs) for each in self.contenders)
        needed = self.optimizer.most_proposals * len(self.bench.train_cases)
        return tools.spent_nanos * (1 + needed / measured) <= self.limit_nanos

    def _add(self, proposals: Sequence[object], *, generation: int) -> list[Contender]:
        known = [each.prompt for each in self.contenders]
        added: list[Contender] = []
        material = self._material()
        for each in proposals:
            if not isinstance(each, SuggestedEdit) or each.prompt in known:
                continue
            if find_objections(self.bench.starter, each.prompt, material=material):
                continue
            known.append(each.prompt)
            added.append(Contender(prompt=each.prompt, generation=generation, edit=each))
        self.contenders += added
        return added

    async def _race(self, added: Sequence[Contender], stages: Sequence[int]) -> None:
        base = self.contenders[0]
        for count in stages:
            alive = [each for each in added if not each.is_dropped]
            for each in alive:
                await self._measure(each, count)
            keys = self._keys()[:count]
            columns = {
                str(at): np.array([each.scores.get(key, np.nan) for key in keys])
                for at, each in enumerate([base, *added])
            }
            for lost in eliminate(columns, entered=len(columns)):
                if lost.candidate != "0":
                    added[int(lost.candidate) - 1].is_dropped = True

    async def _measure(self, contender: Contender, count: int) -> None:
        for at, case in enumerate(self.bench.train_cases[:count]):
            if at not in contender.outputs:
                contender.outputs[at] = await self.bench.score(at, case, contender.prompt)
        keys = self._keys()
        found = self.bench.results([contender.outputs[at] for at in sorted(contender.outputs)])
        contender.scores = {keys[at]: float(score) for at, score in enumerate(found.composites)}

    def _input(self, generation: int) -> RefinerInput:
        least = len(self.contenders[0].scores) / 2
        members = [each for each in self.contenders if len(each.scores) >= least]
        members = [*members[:1], *members[1:][-(_MOST_MEMBERS - 1) :]]
        pool = [self._member(each) for each in members]
        best = self._finalist()
        own = pool[members.index(best)]
        return RefinerInput(
            iteration=generation,
            goal=self.bench.task.goal,
            prompt=best.prompt,
            criteria=self.bench.criteria,
            weak=own.weak,
            exemplars=own.exemplars,
            history=tuple(self._history()),
            pool=tuple(pool),
            cases=tuple(
                TrainingCase(key=key, inputs=case.inputs, expected=case.expected, tags=case.tags)
                for key, case in zip(self._keys(), self.bench.train_cases, strict=True)
            ),
            seed=self.bench.seed,
        )

    def _member(self, contender: Contender) -> PoolMember:
        results = self.bench.results([contender.outputs[at] for at in sorted(contender.outputs)])
        weak, exemplars = self.bench.weaknesses(results)
        return PoolMember(
            prompt=contender.prompt, scores=contender.scores, weak=weak, exemplars=exemplars
        )

    def _history(self) -> list[EarlierSuggestion]:
        base = self.contenders[0].scores
        return [
            EarlierSuggestion(
                prompt=each.prompt,
                diff=each.edit.diff,
                note=each.edit.note,
                targets=each.edit.targets,
                fate=SuggestionFate.UNDECIDED,
                difference=gain_over(base, each.scores),
            )
            for each in self.contenders[1:][-_MOST_HISTORY:]
            if each.edit is not None
        ]

    def _keys(self) -> list[str]:
        return [
            hashlib.sha256(repr(sorted(case.inputs.items())).encode()).hexdigest()
            for case in self.bench.train_cases
        ]

    def _material(self) -> tuple[str, ...]:
        cases = self.bench.train_cases
        return tuple(text for case in cases for text in (*case.inputs.values(), case.expected))


async def test_finalist(bench: Bench, finalist: PromptTemplate) -> GateReason:
    """The only test of the finalist, on held-out cases, as the first look at them."""
    if finalist == bench.starter:
        return GateReason.NOT_BETTER
    scores: Mapping[str, np.ndarray] = {
        name: (await bench.run(prompt, "holdout")).composites
        for name, prompt in (("base", bench.starter), ("finalist", finalist))
    }
    pair = Pair(
        baseline="base",
        other="finalist",
        baseline_scores=scores["base"],
        other_scores=scores["finalist"],
    )
    (found,) = compare_pairs([pair], alpha=alpha_of_look(1))
    return judge_gate(
        found.verdict, found.difference.value, worthwhile=WORTHWHILE, is_less_safe=False
    )
