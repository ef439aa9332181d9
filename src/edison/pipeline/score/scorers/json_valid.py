"""Whether the answer is JSON."""

from typing import ClassVar

from edison.pipeline.score.json_text import NotJson, read_json
from edison.pipeline.score.long_text import search
from edison.pipeline.score.scorer import Scored, Scorer, ScorerGroup, Subject, Tools


class JsonValid(Scorer):
    """1 when the answer is a JSON value and nothing else, else 0. White space around it is ignored;
    a fence or prose around it is not.
    """

    title: ClassVar[str] = "Valid JSON"
    description: ClassVar[str] = "The answer is JSON and nothing else."
    group: ClassVar[ScorerGroup] = ScorerGroup.FORMAT
    example: ClassVar[str] = '“{"city": "Paris"}” gives 1; the same within a sentence gives 0.'
    is_pass_or_fail: ClassVar[bool] = True

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        try:
            await search(len(subject.answer), read_json, subject.answer)
        except NotJson as wrong:
            return Scored(value=0.0, rationale=f"Not JSON: {wrong}.")
        return Scored(value=1.0, rationale="Valid JSON.")
