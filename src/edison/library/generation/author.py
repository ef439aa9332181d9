"""Lets a model write batches of cases, through the gateway."""

from dataclasses import replace
from datetime import timedelta

from edison.kit.errors import Exhausted
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.gateway import CallContext, Gateway
from edison.library.generation.claims import GenerationFailure, Lease
from edison.library.generation.instructions import prompt_of, repair_of
from edison.library.generation.parse import ParsedRows, parse_rows
from edison.library.generation.plan import GenerationPlan
from edison.library.models.service import CallableModel
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed, Completion
from edison.pipeline.render.prompt import RenderedPrompt

PURPOSE = "generate"
# Long enough to resume a generation after an outage.
ANSWERS_KEPT = timedelta(days=2)
CALL_CONTEXT = CallContext(purpose=PURPOSE, keep_for=ANSWERS_KEPT)
HOTTEST_DIVERSITY = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchAnswer:
    """The parsed answer for a batch. `cost_nanos` is None when unknown."""

    number: int
    parsed: ParsedRows
    cost_nanos: int | None
    was_repaired: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Calls the model only while the claim on the generation holds."""

    gateway: Gateway
    claim: Lease
    model: CallableModel
    plan: GenerationPlan

    async def write(self, number: int) -> BatchAnswer | GenerationFailure:
        """One call, and a second one with a repair prompt when no row of the first could be
        read.
        """
        first = await self._ask(prompt_of(self.plan, number))
        if isinstance(first, GenerationFailure):
            return first
        text, cost_nanos = first
        parsed = self._parse(number, text)
        if parsed.rows:
            return BatchAnswer(
                number=number, parsed=parsed, cost_nanos=cost_nanos, was_repaired=False
            )
        second = await self._ask(repair_of(self.plan, number, text))
        if isinstance(second, GenerationFailure):
            return second
        text, more_nanos = second
        repaired = self._parse(number, text)
        return BatchAnswer(
            number=number,
            parsed=replace(repaired, malformed=repaired.malformed + max(1, parsed.malformed)),
            cost_nanos=_sum(cost_nanos, more_nanos),
            was_repaired=True,
        )

    def _parse(self, number: int, text: str) -> ParsedRows:
        return parse_rows(text, most=2 * self.plan.size_of(number))

    async def _ask(self, prompt: RenderedPrompt) -> tuple[str, int | None] | GenerationFailure:
        await self.claim.renew_or_raise()
        try:
            answer = await self.gateway.answer(
                self.model, prompt, self._parameters(), context=CALL_CONTEXT
            )
        except Exhausted as exhausted:
            return GenerationFailure(reason="budget", message=exhausted.message)
        await self.gateway.flush()
        match answer.outcome:
            case CallFailed() as failed:
                return GenerationFailure(reason=failed.reason, message=failed.message)
            case Completion() as completion:
                return completion.text, answer.cost_nanos

    def _parameters(self) -> Parameters:
        """Higher diversity raises the temperature; the seed differs between generations."""
        heat = self.plan.diversity / HOTTEST_DIVERSITY
        return replace(self.model.parameters, temperature=heat, seed=self.plan.seed)


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second
