"""The strategies of optimizations at equal dollars on all simulated worlds, beside gepa: true
quality on unseen cases, calls, cost, promotions. Then promotions where nothing can be gained: edits
that say nothing, and prompts that state all rules already.

`EDISON_BENCH_SEEDS` is the number of seeds per world, 10 unless set; 1 takes a minute.
`EDISON_BENCH_FIRST_SEED` is the first of them, 0 unless set.
"""

import asyncio
import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.stats import beta

from benchmarks.figures import Figure
from benchmarks.optimize_gepa import search_with_gepa
from benchmarks.optimize_search import Search, World, test_finalist
from edison.pipeline.aggregate.compare import Pair, compare_pairs
from edison.pipeline.refine.optimizer import Optimizer, RefinerInput
from edison.pipeline.refine.optimizers.evolve import Evolve
from edison.pipeline.refine.optimizers.few_shot import FewShotExamples
from edison.pipeline.refine.optimizers.race import Race
from edison.pipeline.refine.optimizers.refine import Refine
from edison.pipeline.refine.parts import diff_prompts
from edison.pipeline.refine.search import GateReason
from edison.pipeline.refine.suggestion import Proposal, SuggestedEdit, SuggestionOrigin
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.pipeline.score.scorer import Tools
from edison.simulation.material import demo_tasks
from tests.support.refining import Bench, model_id

SEEDS = int(os.environ.get("EDISON_BENCH_SEEDS", "10"))
FIRST_SEED = int(os.environ.get("EDISON_BENCH_FIRST_SEED", "0"))
LIMIT_NANOS = 3_000_000_000
HIDDEN_CASES = 200
MODEL = model_id("sim-large")

# Trials per world and kind where nothing can be gained: 480 in all with ten seeds.
TRIALS = 4 * SEEDS
NULL_TRAIN, NULL_HELD_OUT = 12, 20
NULL_LIMIT_NANOS = 400_000_000
MOST_PROMOTIONS = 0.07
LEAST_AGAINST_GEPA = -0.02
LEAST_AGAINST_RUBRIC = 0.05

RUBRIC, EVOLVE, GEPA = "state the rubric", "evolve", "gepa"
_STRATEGIES: dict[str, Callable[[int], Optimizer]] = {
    "refine": lambda seed: Refine(model_id=MODEL, seed=seed),
    "race": lambda _: Race(model_id=MODEL, candidates=20),
    "few_shot": lambda _: FewShotExamples(),
    EVOLVE: lambda _: Evolve(model_id=MODEL),
}
_SAYINGS = (
    "Always do your very best and take a deep breath.",
    "Remember that quality matters more than anything.",
    "You are a world-class expert in this field.",
    "Many people rely on this work every day.",
    "Think about the task for as long as it takes.",
    "A good result makes everyone happy.",
    "This is very important to my career.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """`quality` is that of the finalist, whether promoted or not."""

    world: World
    quality: float
    start: float
    calls: int
    nanos: int
    is_promoted: bool


def measure() -> list[Figure]:
    found: dict[str, list[Outcome]] = {}
    for task in demo_tasks():
        for seed in range(FIRST_SEED, FIRST_SEED + SEEDS):
            world = World(task=task, seed=seed)
            for name in ("no change", RUBRIC, *_STRATEGIES, GEPA):
                found.setdefault(name, []).append(_search(world, name))
    return [
        *(_row(name, outcomes) for name, outcomes in found.items()),
        *_by_world(found),
        *_compared(found),
        *_promotions(),
    ]


def _search(world: World, name: str) -> Outcome:
    bench = world.bench()
    if name == "no change":
        finalist = bench.starter
    elif name == GEPA:
        finalist = search_with_gepa(bench, limit_nanos=LIMIT_NANOS)
    else:
        strategy = _STRATEGIES.get(name)
        optimizer = None if strategy is None else strategy(world.seed)
        search = Search(bench=bench, limit_nanos=LIMIT_NANOS, optimizer=optimizer)
        finalist = asyncio.run(search.run())
    return _judge(world, bench, finalist)


def _judge(world: World, bench: Bench, finalist: PromptTemplate) -> Outcome:
    calls, nanos = bench.tools.answered, bench.tools.spent_nanos
    return Outcome(
        world=world,
        quality=world.quality(finalist, cases=HIDDEN_CASES),
        start=world.quality(bench.starter, cases=HIDDEN_CASES),
        calls=calls,
        nanos=nanos,
        is_promoted=asyncio.run(test_finalist(bench, finalist)) is GateReason.BETTER,
    )


def _row(name: str, outcomes: Sequence[Outcome]) -> Figure:
    promoted = [each for each in outcomes if each.is_promoted]
    worse = sum(each.quality < each.start for each in promoted)
    calls = np.mean([each.calls for each in outcomes])
    dollars = np.mean([each.nanos for each in outcomes]) / 1e9
    return Figure(
        name=f"All worlds, {name}",
        value=f"quality {_mean(outcomes):.3f}, {calls:,.0f} calls, ${dollars:.2f}",
        ratio=f"promoted {len(promoted)} of {len(outcomes)}, {worse} of them worse than the start",
    )


def _by_world(found: dict[str, list[Outcome]]) -> Iterator[Figure]:
    for task in demo_tasks():
        means = [
            f"{name} {_mean([each for each in outcomes if each.world.task == task]):.2f}"
            for name, outcomes in found.items()
        ]
        yield Figure(name=f"Quality, {task}", value=", ".join(means))


def _mean(outcomes: Sequence[Outcome]) -> float:
    return float(np.mean([each.quality for each in outcomes]))


def _compared(found: dict[str, list[Outcome]]) -> Iterator[Figure]:
    goals = ((GEPA, LEAST_AGAINST_GEPA), (RUBRIC, LEAST_AGAINST_RUBRIC))
    for other, least in goals:
        scores = [np.array([each.quality for each in found[name]]) for name in (other, EVOLVE)]
        pair = Pair(baseline=other, other=EVOLVE, baseline_scores=scores[0], other_scores=scores[1])
        (compared,) = compare_pairs([pair])
        interval = compared.difference.interval
        low = None if interval is None else interval.low
        reach = "" if interval is None else f" ({interval.low:+.3f} to {interval.high:+.3f})"
        yield Figure(
            name=f"Evolve against {other}, {len(scores[0])} searches each",
            value=f"{compared.difference.value or 0:+.3f}{reach}",
            target=f"lower bound >= {least:+.2f}",
            is_met=low is not None and low >= least,
        )


class Nonsense(Optimizer):
    """Adds sentences that ask for nothing."""

    title: ClassVar[str] = "Nonsense"
    description: ClassVar[str] = "Sentences that ask for nothing."

    @property
    def most_proposals(self) -> int:
        return 4

    async def propose(self, refiner_input: RefinerInput, tools: Tools) -> tuple[Proposal, ...]:
        prompt = refiner_input.prompt
        head, _, material = prompt.text.rpartition("\n\n")
        draw = random.Random(f"{refiner_input.seed}-{refiner_input.iteration}")  # noqa: S311
        edited = [
            replace(prompt, text=f"{head}\n{' '.join(draw.sample(_SAYINGS, 2))}\n\n{material}")
            for _ in range(self.most_proposals)
        ]
        return tuple(
            SuggestedEdit(
                origin=SuggestionOrigin.REFINER,
                prompt=each,
                diff=diff_prompts(prompt, each),
                note="",
                targets=(),
            )
            for each in edited
        )


def _promotions() -> Iterator[Figure]:
    kinds: dict[str, tuple[bool, Optimizer]] = {
        "nonsense": (False, Nonsense()),
        "nonsense, no headroom": (True, Nonsense()),
        "evolve, no headroom": (True, Evolve(model_id=MODEL)),
    }
    total = promoted = 0
    for name, (is_full, optimizer) in kinds.items():
        gates = [_null_trial(task, seed, optimizer, is_full=is_full) for task, seed in _trials()]
        count = sum(gates)
        total, promoted = total + len(gates), promoted + count
        yield Figure(name=f"Promotions, {name}", value=f"{count} of {len(gates)}")
    most = float(beta.ppf(0.975, promoted + 1, total - promoted))
    yield Figure(
        name="Promotions where nothing can be gained",
        value=f"{promoted} of {total}, 95 % interval up to {100 * most:.1f} %",
        target=f"<= {100 * MOST_PROMOTIONS:.0f} %, 400 trials",
        is_met=most <= MOST_PROMOTIONS,
    )


def _trials() -> Iterator[tuple[str, int]]:
    first = 1000 + FIRST_SEED
    return ((task, first + trial) for task in demo_tasks() for trial in range(TRIALS))


def _null_trial(task: str, seed: int, optimizer: Optimizer, *, is_full: bool) -> bool:
    starter = demo_tasks()[task].improved if is_full else None
    world = World(task=task, seed=seed, train=NULL_TRAIN, held_out=NULL_HELD_OUT, starter=starter)
    bench = world.bench()
    search = Search(
        bench=bench, limit_nanos=NULL_LIMIT_NANOS, optimizer=optimizer, is_rubric_stated=False
    )
    finalist = asyncio.run(search.run())
    return asyncio.run(test_finalist(bench, finalist)) is GateReason.BETTER
