"""What an attempt is charged: where the truth cannot be known, rather too much than too little.

| It ended                                          | It is charged                               |
|---------------------------------------------------|---------------------------------------------|
| in an answer                                      | what the provider counted, else an estimate |
| in a failure that says what was used              | that, or more if more was received          |
| before it left: queue, look-up, connection, TLS   | nothing                                     |
| in a refusal or an error answer, nothing received | nothing: no provider bills these            |
| unreadable, or filtered without a count           | the prompt, at the full price, and what was |
|                                                   | received                                    |
| cut off: timeout, lost connection, cancelled; as  | the prompt, at the full price, and what was |
| a stream                                          | received                                    |
| cut off, not as a stream                          | the worst case: how much of the answer was  |
|                                                   | written cannot be known                     |

An estimate counts the prompt as it was counted before the call and the answer by its length, at 3
bytes a token, where English has about 4.
"""

from dataclasses import replace

from edison.pipeline.generate.outcome import CallFailed, Completion, FailureReason, Usage

BYTES_PER_TOKEN = 3
# The provider said no, or failed, instead of answering.
ERROR_ANSWERS = frozenset(
    {
        FailureReason.RATE_LIMIT,
        FailureReason.INVALID_KEY,
        FailureReason.QUOTA,
        FailureReason.MODEL_NOT_FOUND,
        FailureReason.CONTEXT_LENGTH,
        FailureReason.PROVIDER,
    }
)
CUT_OFF = frozenset({FailureReason.TIMEOUT, FailureReason.NETWORK})


def estimated_tokens(text: str) -> int:
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


def usage_of_answer(completion: Completion, *, input_tokens: int) -> Usage:
    if completion.usage is not None:
        return completion.usage
    spoken = [completion.text, *(call.name + call.arguments for call in completion.tool_calls)]
    return Usage(
        input_tokens=input_tokens,
        output_tokens=sum(map(estimated_tokens, spoken)),
        is_estimated=True,
    )


def usage_of_failure(
    failure: CallFailed | None, *, input_tokens: int, received: str | None, max_tokens: int
) -> Usage | None:
    """What a failed attempt used, None for nothing. `failure` is None when the call was cancelled
    on its way, `received` when it was not streamed.
    """
    seen = estimated_tokens(received or "")
    if failure is not None:
        if failure.is_unsent:
            return None
        if failure.usage is not None:
            return _at_least(failure.usage, seen)
        if failure.reason in ERROR_ANSWERS and not seen:
            return None
    is_cut_off = failure is None or failure.reason in CUT_OFF
    written = max_tokens if is_cut_off and received is None else seen
    return Usage(input_tokens=input_tokens, output_tokens=written, is_estimated=True)


def _at_least(usage: Usage, output_tokens: int) -> Usage:
    """Providers that count along the way have counted less than they sent when a stream breaks."""
    if output_tokens <= usage.output_tokens:
        return usage
    return replace(usage, output_tokens=output_tokens, is_estimated=True)
