"""Charge of an attempt, never less than the provider bills: usage that the provider did not report
is charged at its upper bound.

| The attempt ended                                  | Charge                                     |
|----------------------------------------------------|--------------------------------------------|
| with the provider's final count, answer or failure | that count                                 |
| in a complete answer without a count               | the prompt, and a token per byte received, |
|                                                    | up to max tokens                           |
| before it was sent: queue, DNS, connection, TLS    | nothing                                    |
| in an error status, nothing received               | nothing: no provider bills these           |
| in an error status for filtered text               | the prompt                                 |
| in any other way: unreadable, cut off, timed out,  | the worst case, which is the reservation   |
| cancelled, an error inside an accepted answer, a   |                                            |
| gateway that lost its server                       |                                            |

Estimates are priced like reservations: no tokens read from the provider's cache, and all tokens
written to it where that costs more. Impossible counts, such as a prompt without tokens, are treated
as missing (`wire.reply.credible`).
"""

from dataclasses import replace

from edison.pipeline.generate.outcome import Billed, CallFailed, Completion, Usage
from edison.pipeline.generate.prices import Prices

# Of ordinary text. An answer with more bytes than max tokens at this rate exceeded max tokens.
BYTES_PER_TOKEN = 3


def most_tokens(text: str, *, max_tokens: int) -> int:
    """Upper bound of a text's tokens: one per byte, capped at `max_tokens`, but at least one per
    `BYTES_PER_TOKEN` bytes.
    """
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
    """Upper bound of a failed attempt's usage; None for nothing. `failure` is None when the call
    was cancelled after it was sent; `received` is the text streamed before the end.
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
