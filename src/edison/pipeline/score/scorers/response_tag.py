"""Whether the answer has a response section."""

from typing import ClassVar

from edison.pipeline.score.parse import find_response
from edison.pipeline.score.scorer import Scored, Scorer, ScorerGroup, Subject, Tools


class ResponseTag(Scorer):
    """1 when the unparsed answer has text between `<response>` and `</response>`, else 0. An empty
    section does not count, nor does one inside a leading `<thinking>` section.
    """

    title: ClassVar[str] = "Response tag"
    description: ClassVar[str] = "The answer has a <response> section that is not empty."
    group: ClassVar[ScorerGroup] = ScorerGroup.FORMAT
    example: ClassVar[str] = "“<response>Paris</response>” gives 1."
    is_pass_or_fail: ClassVar[bool] = True

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        section = find_response(subject.text)
        if section is None:
            return Scored(value=0.0, rationale="There is no <response> section.")
        if not section:
            return Scored(value=0.0, rationale="The <response> section is empty.")
        return Scored(value=1.0, rationale="There is a <response> section.")
