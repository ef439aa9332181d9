"""gepa (Agrawal et al. 2025) on a simulated world, with a limit in dollars. It gets the same cases,
judgements and models as the strategies of Edison, and its defaults otherwise.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import gepa
from gepa.core.adapter import EvaluationBatch, GEPAAdapter

from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import Completion
from edison.pipeline.refine.exemplars import ScoredOutput
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.simulation.material import DemoCase
from tests.support.refining import Bench

_PART = "prompt"
# Its own template, in the tags by which the simulated refiner finds its parts.
_TEMPLATE = """Your task is to write a new instruction for the assistant.
Improve the current prompt.

<current_prompt>
<curr_param>
</current_prompt>

The following are failing examples: inputs, the assistant's response for each of them, and some \
feedback on how the response could be better.

<failing_examples>
<side_info>
</failing_examples>

Read all the assistant responses and the corresponding feedback. Provide the new instructions \
within ``` blocks."""


def search_with_gepa(bench: Bench, *, limit_nanos: int) -> PromptTemplate:
    found = gepa.optimize(
        seed_candidate={_PART: bench.starter.text},
        trainset=list(enumerate(bench.train_cases)),
        valset=list(enumerate(bench.train_cases)),
        adapter=_Adapter(bench),
        reflection_lm=_Reflection(bench),
        reflection_prompt_template=_TEMPLATE,
        stop_callbacks=[lambda _: bench.tools.spent_nanos >= limit_nanos],
        use_merge=True,
        seed=bench.seed,
        logger=_Silence(),
        cache_evaluation=True,
    )
    best = found.best_candidate
    return PromptTemplate(text=best if isinstance(best, str) else best[_PART])


_Place = tuple[int, DemoCase]


class _Adapter(GEPAAdapter[_Place, ScoredOutput, str]):
    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def evaluate(
        self, batch: list[_Place], candidate: dict[str, str], capture_traces: bool = False
    ) -> EvaluationBatch[ScoredOutput, str]:
        prompt = PromptTemplate(text=candidate[_PART])
        if prompt.variables() != self._bench.starter.variables():
            return EvaluationBatch(
                outputs=[""] * len(batch), scores=[0.0] * len(batch), trajectories=[]
            )
        scored = asyncio.run(self._score(batch, prompt))
        return EvaluationBatch(
            outputs=[each.output for each in scored],
            scores=[float(one) for one in self._bench.results(scored).composites],
            trajectories=scored,
        )

    async def _score(self, batch: Sequence[_Place], prompt: PromptTemplate) -> list[ScoredOutput]:
        return [await self._bench.score(at, case, prompt) for at, case in batch]

    def make_reflective_dataset(
        self,
        candidate: dict[str, str],
        eval_batch: EvaluationBatch[ScoredOutput, str],
        components_to_update: list[str],
    ) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        rows = [
            {
                "Inputs": "\n".join(each.inputs.values()),
                "Generated Outputs": each.output,
                "Feedback": " ".join(
                    f"{name}: {score:.2f}. {each.rationales.get(name, '')}"
                    for name, score in each.scores.items()
                ),
            }
            for each in eval_batch.trajectories or []
        ]
        return {_PART: rows}


class _Reflection:
    """The model that writes new prompts. Each request has its own seed."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._asked = 0

    def __call__(self, prompt: str | list[dict[str, Any]]) -> str:
        self._asked += 1
        parameters = Parameters(temperature=1.0, seed=1000 * self._bench.seed + self._asked)
        rendered = RenderedPrompt(messages=(Message(role="user", text=str(prompt)),))
        answer = self._bench.tools.answer(self._bench.refiner, rendered, parameters)
        return answer.outcome.text if isinstance(answer.outcome, Completion) else ""


class _Silence:
    def log(self, message: str) -> None:
        """gepa reports every step."""
