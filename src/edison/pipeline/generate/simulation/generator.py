"""Plays a generator of test data: cases or questions, as many and as varied as asked for."""

import json
import re
from typing import Any

from edison.pipeline.generate.simulation import luck
from edison.pipeline.generate.simulation.answerer import Chance
from edison.pipeline.generate.simulation.casework import make_case, pool
from edison.pipeline.generate.simulation.sections import sections
from edison.pipeline.generate.simulation.skeleton import (
    drafts,
    languages_in,
    number_after,
    topic_of,
)
from edison.pipeline.generate.simulation.tasks.recognition import TASKS, recognise

_MOST = 500
_COUNT = re.compile(
    r"\bgenerate (?:exactly )?(\d+)\b|\b(?:count|number of (?:cases|questions))\b\D{0,6}(\d+)|"
    r"\b(\d+) (?:\w+[ ,-]+){0,3}(?:test cases|cases|questions|examples|inputs)",
    re.IGNORECASE,
)
_VARIABLES = re.compile(r"variables?(?: names?)?\W{0,4}:\s*([^\n]+)", re.IGNORECASE)
_CONTAINER = re.compile(r"\"(cases|test_cases|questions|items|examples|rows)\"\s*:")
_LEVELS = {"easy": (1, 2), "simple": (1, 2), "medium": (2, 3), "moderate": (2, 3), "hard": (4, 5)}


def generate(text: str, chance: Chance) -> str:
    parts = sections(text)
    hints = parts.get("hints") or parts.get("goal") or text
    counted = _COUNT.search(text)
    count = int(next(group for group in counted.groups() if group)) if counted else 10
    container = _CONTAINER.search(text)
    is_questions = bool(container and container[1] == "questions") or (
        "question" in text.lower() and '"input"' not in text and "test case" not in text.lower()
    )
    request = _Request(text, hints, chance)
    rows = [request.row(index, is_questions) for index in range(min(count, _MOST))]
    if "jsonl" in text.lower():
        return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    found: Any = {container[1]: rows} if container else rows
    if is_questions and not container:
        found = {"questions": rows}
    return json.dumps(found, ensure_ascii=False, indent=1)


class _Request:
    """One request, read once, from which any number of rows is made."""

    def __init__(self, text: str, hints: str, chance: Chance) -> None:
        self.text = text
        self.topic = topic_of(hints)
        self.task = recognise(hints).key
        self.languages = languages_in(text)
        self.diversity = number_after(text, "diversity", 5)
        self.is_adversarial = "adversarial" in hints.lower() or "adversarial cases" in text.lower()
        listed = _VARIABLES.search(text)
        self.variables = re.findall(r"[A-Za-z_]\w*", listed[1])[:8] if listed else ["input"]
        self.salt = (text, *chance.key())
        self.has_object = '"question"' in text
        level = re.search(
            r"difficulty\W{0,4}(?:level)?\W{0,3}(easy|simple|medium|moderate|hard)", text, re.I
        )
        self.levels = _LEVELS[level[1].lower()] if level else None

    def row(self, index: int, is_question: bool) -> Any:
        language = self.languages[index % len(self.languages)]
        if is_question:
            asked = self._question(index, language)
            return {"question": asked, "difficulty": 1 + index % 5} if self.has_object else asked
        body, expected, tags, difficulty = self._material(index, language)
        row: dict[str, Any] = {"input": self._filled(body), "tags": tags, "difficulty": difficulty}
        if '"expected' in self.text:
            row["expected"] = expected
        return row

    def _material(self, index: int, language: str) -> tuple[str, str, list[str], int]:
        if self.is_adversarial or (self.diversity >= 8 and index % 9 == 8):
            texts = drafts()["adversarial"]["texts"]
            body = luck.pick(texts, index, *self.salt).replace("{topic}", self.topic)
            return body, "", ["adversarial"], 5
        source = pool(self.task) if self.task in TASKS else None
        bodies = source.in_language(language) if source else []
        if self.levels:
            bodies = [body for body in bodies if body["difficulty"] in self.levels] or bodies
        if not source or not bodies:
            return self._question(index, language), "", [language], 1 + index % 5
        # Little diversity means few kinds of cases, over and over.
        most = max(1, round(len(bodies) * self.diversity / 10))
        kinds = luck.shuffled(bodies, *self.salt)[:most]
        case = make_case(source, kinds[index % len(kinds)], index, *self.salt)
        (body,) = case.inputs.values()
        return body, case.expected, list(case.tags), case.difficulty

    def _question(self, index: int, language: str) -> str:
        asked = drafts()["questions"][language]
        draw = luck.uniforms(index, *self.salt)
        filled = asked[(index + int(draw[0] * 3)) % len(asked)].replace("{topic}", self.topic)
        filled = filled.replace("{n}", str(10 + index * 5)).replace("{m}", str(3 + index % 4))
        return str(filled.replace("{day}", "Saturday"))

    def _filled(self, body: str) -> dict[str, str]:
        others = {"language": "English", "tone": "friendly", "context": f"About {self.topic}."}
        filled = {name: others.get(name, self.topic) for name in self.variables}
        main = next((name for name in self.variables if name not in others), self.variables[0])
        return {**filled, main: body}
