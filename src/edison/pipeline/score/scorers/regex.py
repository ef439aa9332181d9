"""Whether the answer matches a regular expression."""

from functools import lru_cache
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from edison.pipeline.score.scorer import Scored, Scorer, ScorerGroup, Subject, Tools
from edison.pipeline.score.wording import quoted


class Regex(Scorer):
    r"""1 when the pattern matches somewhere in the answer (or the whole answer), else 0.

    The syntax is RE2's, which runs in linear time for every pattern: look-arounds and
    backreferences are not supported. `(?i)`, `(?m)` and `(?s)` at the beginning of a pattern make
    it case insensitive, let `^` and `$` match at lines, and let `.` match line breaks.
    """

    title: ClassVar[str] = "Regular expression"
    description: ClassVar[str] = "A pattern matches the answer."
    group: ClassVar[ScorerGroup] = ScorerGroup.TEXT
    example: ClassVar[str] = "Pattern ORD-[0-9]+: “Your order ORD-4711 is late.” gives 1."
    is_pass_or_fail: ClassVar[bool] = True

    pattern: str = Field(min_length=1, max_length=2000, title="Pattern")
    matches: Literal["somewhere", "whole"] = Field(default="somewhere", title="Where it matches")
    is_case_sensitive: bool = Field(default=True, title="Case sensitive")

    @model_validator(mode="after")
    def _compiles(self) -> Self:
        self._compiled()
        return self

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        compiled = self._compiled()
        find = compiled.search if self.matches == "somewhere" else compiled.fullmatch
        # RE2 requires UTF-8, which cannot encode lone surrogates.
        match = find(subject.answer.encode(errors="replace").decode())
        if match is None:
            return Scored(value=0.0, rationale="The pattern does not match.")
        return Scored(value=1.0, rationale=f"The pattern matches {quoted(match.group())}.")

    def _compiled(self) -> Any:
        return _compile(self.pattern, self.is_case_sensitive)


@lru_cache(maxsize=256)
def _compile(pattern: str, is_case_sensitive: bool) -> Any:
    """Raises ValueError with a sentence for the author of the pattern."""
    import re2  # type: ignore[import-untyped]  # no type stubs

    options = re2.Options()
    options.case_sensitive = is_case_sensitive
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as wrong:
        reason = wrong.args[0]
        text = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise ValueError(f"This is not a pattern RE2 can read: {text}.") from wrong
