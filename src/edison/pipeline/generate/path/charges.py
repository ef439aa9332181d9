"""What an attempt is charged, never less than the provider bills: what it did not count is
charged at its upper bound.

| The attempt ended                                  | It is charged                              |
|----------------------------------------------------|--------------------------------------------|
| with the provider's final count, answer or failure | that count                                 |
| in a whole answer without a count                  | the prompt, and a token per byte received, |
|                                                    | up to the maximum of tokens                |
| before it left: queue, look-up, connection, TLS    | nothing                                    |
| in an error status, nothing received               | nothing: no provider bills these           |
| in an error status for filtered text               | the prompt                                 |
| in any other way: unreadable, cut off, timed out,  | the worst case, which is the reservation   |
| cancelled, an error inside an accepted answer, a   |                                            |
| gateway that lost its server                       |                                            |

Estimates are priced like reservations: nothing read from the provider's cache, and everything
written into it where that costs more. Counts that cannot be true, such as a prompt without tokens,
are taken for none (`wire.reply.credible`).
"""

from dataclasses import replace

from edison.pipeline.generate.outcome import Billed, CallFailed, Completion, Usage
from edison.pipeline.generate.prices import Prices

# Of ordinary text. A longer answer than the maximum of tokens at this rate did not keep to it.
BYTES_PER_TOKEN = 3


def most_tokens(text: str, *, max_tokens: int) -> int:
    """How many tokens a text can have at most: one per byte, within the maximum that was set."""
    size = len(text.encode("utf-8", "surrogatepass"))
    return max(min(size, max_tokens), -(-size // BYTES_PER_TOKEN))


def usage_of_answer(completion: Completion, *, input_tokens: int, max_tokens: int) -> Usage:
    if completion.usage is not None:
        return completion.usage
    said = [completion.text, *(call.name + call.arguments for call in completion.tool_calls)]
    return Usage(
        input_tokens=input_tokens,
        output_tokens=most_tokens("".join(said), max_tokens=max_tokens),
        is_estimated=True,
    )


def usage_of_failure(
    failure: CallFailed | None, *, input_tokens: int, received: str, max_tokens: int
) -> Usage | None:
    """What a failed attempt used at most, None for nothing. `failure` is None when the call was
    cancelled on its way; `received` is the text streamed before it ended.
    """
    worst = Usage(
        input_tokens=input_tokens,
        output_tokens=max(max_tokens, most_tokens(received, max_tokens=max_tokens)),
        is_estimated=True,
    )
    if failure is None:
        return worst
    if failure.is_unsent:
        return None
    counted = failure.usage
    if counted is None:
        return worst if received else _without_answer(failure.billed, worst)
    if not counted.is_estimated:
        return counted
    return replace(
        worst,
        input_tokens=max(worst.input_tokens, counted.input_tokens),
        output_tokens=max(worst.output_tokens, counted.output_tokens),
    )


def _without_answer(billed: Billed, worst: Usage) -> Usage | None:
    if billed == Billed.NOTHING:
        return None
    return replace(worst, output_tokens=0) if billed == Billed.PROMPT else worst


def charge_nanos(usage: Usage, prices: Prices) -> int:
    if not usage.is_estimated:
        return prices.cost_nanos(usage)
    return prices.worst_case_nanos(input_tokens=usage.input_tokens, max_tokens=usage.output_tokens)
