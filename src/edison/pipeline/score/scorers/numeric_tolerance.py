"""Whether a number in the answer is close enough to the expected one."""

import re
from decimal import Decimal
from typing import ClassVar, Literal

from pydantic import Field

from edison.pipeline.score.long_text import search
from edison.pipeline.score.scorer import (
    Flag,
    NotApplicable,
    Scored,
    Scorer,
    ScorerGroup,
    Subject,
    Tools,
)

# A minus sign right after a word is a hyphen, as in 2026-08-01.
_NUMBER = re.compile(
    r"(?=[-+\u2212.\d])"  # skips everything else quickly
    r"(?:(?<![\w)])[-+\u2212])?"
    r"(?:(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,3}(?!\d))?|(?<!\d)\.\d+)",
    re.ASCII,
)
# Longer numbers are not quantities.
_LONGEST_NUMBER = 400


class NumericTolerance(Scorer):
    """1 when a number in the answer differs from the expected one by no more than the absolute
    tolerance, or by no more than that share of the expected number, else 0.

    The dot is the decimal point, commas separate thousands, `1e3` is 1000; currency and percent
    signs are ignored. An answer without a number gives 0. The expected answer must contain exactly
    one number.
    """

    title: ClassVar[str] = "Number within tolerance"
    description: ClassVar[str] = "A number of the answer is near enough to the expected one."
    group: ClassVar[ScorerGroup] = ScorerGroup.EXPECTED
    example: ClassVar[str] = "Expected “100”, tolerance 2: “It costs $98.” gives 1."
    needs_expected: ClassVar[bool] = True
    is_pass_or_fail: ClassVar[bool] = True

    absolute: Decimal = Field(default=Decimal(0), ge=0, le=10**15, title="Absolute tolerance")
    relative: Decimal = Field(
        default=Decimal(0),
        ge=0,
        le=1,
        title="Relative tolerance",
        description="As a share of the expected number: 0.05 is 5 %.",
    )
    takes: Literal["last", "first", "only"] = Field(
        default="last", title="Which number of the answer"
    )

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        expected, answer = subject.need_expected(), subject.answer
        wanted = await search(len(expected), numbers_in, expected)
        if len(wanted) != 1:
            reason = "The expected answer does not hold exactly one number."
            raise NotApplicable(Flag.UNUSABLE_EXPECTED, reason)
        found = self._taken(await search(len(answer), numbers_in, answer))
        if found is None:
            return Scored(value=0.0, rationale="The answer does not hold such a number.")
        off = abs(found - wanted[0])
        tolerated = max(self.absolute, self.relative * abs(wanted[0]))
        return Scored(
            value=float(off <= tolerated), raw=str(found), rationale=f"{found} is off by {off}."
        )

    def _taken(self, numbers: list[Decimal]) -> Decimal | None:
        if not numbers or (self.takes == "only" and len(numbers) > 1):
            return None
        return numbers[0] if self.takes == "first" else numbers[-1]


def numbers_in(text: str) -> list[Decimal]:
    return [
        Decimal(match[0].replace(",", "").replace("\u2212", "-"))
        for match in _NUMBER.finditer(text)
        if len(match[0]) <= _LONGEST_NUMBER
    ]
