"""Upper bounds of the input tokens that a provider bills, for reservations.

A known tokenizer counts exactly. Any other makes at most one token of each byte, and a chat
template adds some. What was billed so far tightens that bound, but never below the largest ratio
seen. Bills above a bound raise it, whatever the tokenizer.
"""

from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.tokens.count import Count, schema_text, tool_text
from edison.pipeline.render.prompt import RenderedPrompt

# For the markers that chat templates put around messages, and the texts that some add.
TEMPLATE_TOKENS = 64
TEMPLATE_TOKENS_PER_MESSAGE = 8
# From so many bills on, the ratio seen replaces the size in bytes. The margin is for texts with
# more tokens a byte than those seen.
ENOUGH_BILLS = 20
MARGIN_PERCENT = 25
# In shorter prompts the template outweighs the text, so that a ratio would say little about others.
SHORT_TOKENS = 100


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class BilledInput:
    """Bills of a model compared with Edison's own count: the largest ratio, in percent, and the
    most tokens above the count in a short prompt.
    """

    bills: int = 0
    ratio_percent: int = 0
    overhead_tokens: int = 0

    def add(self, *, counted: int, billed: int) -> "BilledInput":
        ratio, overhead = self.ratio_percent, self.overhead_tokens
        if counted < SHORT_TOKENS:
            overhead = max(overhead, billed - counted)
        else:
            ratio = max(ratio, -(-100 * billed // counted))
        return BilledInput(bills=self.bills + 1, ratio_percent=ratio, overhead_tokens=overhead)

    def covers(self, *, counted: int, billed: int) -> bool:
        """Whether there are enough bills, and this one has no larger ratio or overhead."""
        if self.bills <= ENOUGH_BILLS:
            return False
        if counted < SHORT_TOKENS:
            return billed - counted <= self.overhead_tokens
        return 100 * billed <= self.ratio_percent * counted

    def merge(self, other: "BilledInput") -> "BilledInput":
        return BilledInput(
            bills=max(self.bills, other.bills),
            ratio_percent=max(self.ratio_percent, other.ratio_percent),
            overhead_tokens=max(self.overhead_tokens, other.overhead_tokens),
        )

    def is_above(self, other: "BilledInput") -> bool:
        """Whether it has a larger ratio or overhead."""
        return (
            self.ratio_percent > other.ratio_percent or self.overhead_tokens > other.overhead_tokens
        )

    def seen_bound(self, counted: int) -> int:
        """The most that a prompt of this count was billed, by the largest ratio seen."""
        return -(-counted * max(self.ratio_percent, 100) // 100) + self.overhead_tokens


def bound_input(prompt: RenderedPrompt, counted: Count, billed: BilledInput) -> int:
    seen = billed.seen_bound(counted.tokens)
    if counted.method == "exact":
        return seen
    if billed.bills >= ENOUGH_BILLS:
        return max(seen, min(size_of(prompt), -(-seen * (100 + MARGIN_PERCENT) // 100)))
    return max(seen, size_of(prompt))


def size_of(prompt: RenderedPrompt) -> int:
    """The bound of a prompt that was not counted: a token of each byte, and a chat template."""
    texts = [message.text for message in prompt.messages]
    if prompt.system:
        texts.append(prompt.system)
    template = TEMPLATE_TOKENS + TEMPLATE_TOKENS_PER_MESSAGE * len(texts)
    texts += map(tool_text, prompt.tools)
    if prompt.json_schema is not None:
        texts.append(schema_text(prompt.json_schema))
    return template + sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
