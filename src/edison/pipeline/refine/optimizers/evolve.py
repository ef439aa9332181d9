"""Evolutionary search: selection, edits from failing answers, crossover and mutation."""

import random
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import ClassVar

from pydantic import Field

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.refine.baselines import EXEMPT, state_the_rubric
from edison.pipeline.refine.crossover import cross
from edison.pipeline.refine.model_optimizer import ModelOptimizer
from edison.pipeline.refine.optimizer import PoolMember, RefinerInput
from edison.pipeline.refine.parts import check_prompt, diff_prompts
from edison.pipeline.refine.population import Survivor, draw_pair, draw_parent, survivors_of
from edison.pipeline.refine.proposals import aims_of, distinct_proposals, gather_proposals
from edison.pipeline.refine.suggestion import (
    NoChange,
    Operator,
    Proposal,
    SuggestedEdit,
    SuggestionOrigin,
)
from edison.pipeline.refine.weakness import WeakCriterion
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.pipeline.score.scorer import Tools

_NOTHING_NEW = "No answer failed on the weakest criteria, and no two prompts can be combined."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Birth:
    """How one candidate is made: by a model's edit of `parent`, or as `child`, which needs none."""

    operator: Operator
    parent: Survivor
    targets: Sequence[WeakCriterion] = ()
    child: SuggestedEdit | None = None


class Evolve(ModelOptimizer):
    """Keeps a population of measured prompts and breeds new ones from it, generation by generation.

    Parents are the prompts with the best means (the elite) and those that are best on at least one
    training case; a prompt that leads on more cases is drawn more often. A child is a model's edit
    based on failing answers of its parent; or a combination of two parents by headed sections, or
    of their edits; or a mutation, a model's edit that targets one criterion without seeing answers.
    The first children are edits of the elite. All draws depend on the seed only. The first
    generation also has "state the rubric" as a candidate.
    """

    title: ClassVar[str] = "Evolve"
    description: ClassVar[str] = "Generations of edits, combinations and mutations."

    # Three: at equal cost, several small generations find more than few large ones (benchmark
    # `optimize`), because every generation edits what the one before found.
    candidates: int = Field(default=3, ge=1, le=16, title="Candidates per generation")
    population: int = Field(default=8, ge=2, le=32, title="Population")
    elite: int = Field(default=2, ge=1, le=8, title="Elite")
    crossover_share: float = Field(default=0.3, ge=0, le=1, title="Share of combinations")
    mutation_share: float = Field(default=0.15, ge=0, le=1, title="Share of mutations")
    temperature: float = Field(
        default=0.9, ge=0, le=2, title="Temperature", json_schema_extra=ADVANCED
    )

    async def propose(self, refiner_input: RefinerInput, tools: Tools) -> tuple[Proposal, ...]:
        births = self._births(refiner_input)
        requests = self._requests(refiner_input, births, tools)
        edits = await gather_proposals(requests.values())
        made = dict(zip(requests, edits, strict=True))
        found = [birth.child or made[slot] for slot, birth in enumerate(births)]
        if refiner_input.iteration == 1 and (stated := state_the_rubric(refiner_input)) is not None:
            found.append(stated)
        known = [member.prompt for member in refiner_input.pool]
        fresh = [
            each
            for each in found
            if not isinstance(each, SuggestedEdit) or each.prompt not in known
        ]
        return distinct_proposals(fresh) or (NoChange(note=_NOTHING_NEW),)

    def _births(self, refiner_input: RefinerInput) -> list[_Birth]:
        pool = refiner_input.pool or (PoolMember(prompt=refiner_input.prompt, scores={}),)
        survivors = survivors_of(pool, size=self.population, elite=min(self.elite, len(pool)))
        aims = aims_of(refiner_input.weak, self.candidates)
        births = []
        for slot in range(self.candidates):
            draw = random.Random(f"{refiner_input.seed}-{refiner_input.iteration}-{slot}")  # noqa: S311
            birth = (
                _Birth(operator=Operator.EDIT, parent=survivors[slot])
                if slot < min(self.elite, len(survivors))
                else self._drawn(refiner_input, survivors, pool[0].prompt, draw)
            )
            if birth.child is None and not birth.targets:
                birth = replace(birth, targets=_targets(birth.parent, slot, self.candidates, aims))
            births.append(birth)
        return births

    def _drawn(
        self,
        refiner_input: RefinerInput,
        survivors: Sequence[Survivor],
        ancestor: PromptTemplate,
        draw: random.Random,
    ) -> _Birth:
        kind = draw.random()
        if kind < self.crossover_share:
            child = _crossed(refiner_input, survivors, ancestor, draw)
            if child is not None:
                return child
        parent = draw_parent(survivors, draw)
        is_mutation = kind >= 1 - self.mutation_share
        criteria = [each for each in refiner_input.criteria if each.weight > 0]
        if not is_mutation or not criteria:
            return _Birth(operator=Operator.EDIT, parent=parent)
        (criterion,) = draw.choices(criteria, [each.weight for each in criteria])
        means = {each.criterion.key: each.mean for each in refiner_input.weak}
        target = WeakCriterion(criterion=criterion, mean=means.get(criterion.key, parent.mean))
        return _Birth(operator=Operator.MUTATION, parent=parent, targets=(target,))

    def _requests(
        self, refiner_input: RefinerInput, births: Sequence[_Birth], tools: Tools
    ) -> dict[int, Coroutine[None, None, Proposal]]:
        """Model calls by slot."""
        return {
            slot: self._edit(refiner_input, birth, slot, tools)
            for slot, birth in enumerate(births)
            if birth.child is None
        }

    async def _edit(
        self, refiner_input: RefinerInput, birth: _Birth, slot: int, tools: Tools
    ) -> Proposal:
        parent = birth.parent.member
        is_own = parent.prompt == refiner_input.prompt
        exemplars = parent.exemplars or (refiner_input.exemplars if is_own else ())
        if birth.operator is Operator.MUTATION:
            exemplars = ()
        elif not exemplars:
            return NoChange(note=_NOTHING_NEW)
        seed = refiner_input.seed + 1000 * refiner_input.iteration + slot
        refiner = self.refiner(tools, seed=seed)
        about = replace(refiner_input, prompt=parent.prompt, exemplars=exemplars)
        edit = await refiner.refine(about, birth.targets)
        if not isinstance(edit, SuggestedEdit):
            return edit
        return replace(
            edit,
            diff=diff_prompts(refiner_input.prompt, edit.prompt),
            operator=birth.operator,
            parents=(parent.prompt,),
        )


def _targets(
    parent: Survivor, slot: int, count: int, aims: Sequence[Sequence[WeakCriterion]]
) -> Sequence[WeakCriterion]:
    """The parent's own weak criteria, or those of the prompt that was run."""
    own = parent.member.weak
    return aims_of(own, count)[slot] if own else aims[slot]


def _crossed(
    refiner_input: RefinerInput,
    survivors: Sequence[Survivor],
    ancestor: PromptTemplate,
    draw: random.Random,
) -> _Birth | None:
    """None when the parents cannot be combined, or their child breaks a guard rail."""
    pair = draw_pair(survivors, draw)
    if pair is None:
        return None
    first, second = pair
    child = cross(first.member.prompt, second.member.prompt, ancestor=ancestor, draw=draw)
    if child is None or any(child == each.prompt for each in refiner_input.pool):
        return None
    material = refiner_input.material()
    broken = check_prompt(first.member.prompt, child, material=material)
    # Both parents kept to the limits of an edit; together they may exceed them.
    if any(each.rail not in EXEMPT for each in broken):
        return None
    edit = SuggestedEdit(
        origin=SuggestionOrigin.REFINER,
        prompt=child,
        diff=diff_prompts(refiner_input.prompt, child),
        note="Combines two prompts that lead on different training cases.",
        targets=(),
        operator=Operator.CROSSOVER,
        parents=(first.member.prompt, second.member.prompt),
    )
    return _Birth(operator=Operator.CROSSOVER, parent=first, child=edit)
