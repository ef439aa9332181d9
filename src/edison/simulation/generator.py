"""Simulates a test data generator: cases or questions, in the requested number and variety."""

import json
import re
from typing import Any

from edison.simulation import luck
from edison.simulation.answerer import Chance
from edison.simulation.casework import make_case, pool
from edison.simulation.sections import sections
from edison.simulation.skeleton import drafts, languages_in, number_after, topic_of
from edison.simulation.tasks.recognition import TASKS, recognise

_MOST = 500
_COUNT = re.compile(
    r"\bgenerate (?:exactly )?(\d+)\b|\b(?:count|number of (?:cases|questions))\b\D{0,6}(\d+)|"
    r"\b(\d+) (?:\w+[ ,-]+){0,3}(?:test cases|cases|questions|examples|inputs)",
    re.IGNORECASE,
)
_VARIABLES = re.compile(r"variables?(?: names?)?\W{0,4}:\s*([^\n]+)", re.IGNORECASE)
_CONTAINER = re.compile(r"\"(cases|test_cases|questions|items|examples|rows)\"\s*:")
_KINDS = re.compile(
    r"^- (injection|ambiguity|long|empty|contradictory|multilingual):", re.MULTILINE
)
# Max rows per batch; a request does not state the size of earlier batches.
_BATCH = 10
# Sentences in each half of a long text.
_FILLERS = 7
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
    """A parsed request, from which any number of rows is made."""

    def __init__(self, text: str, hints: str, chance: Chance) -> None:
        self.text = text
        self.topic = topic_of(hints)
        self.task = recognise(hints).key
        self.languages = languages_in(text)
        self.diversity = number_after(text, "diversity", 5)
        self.kinds = _KINDS.findall(text)
        self.is_adversarial = (
            bool(self.kinds)
            or "adversarial" in hints.lower()
            or "adversarial cases" in text.lower()
        )
        listed = _VARIABLES.search(text)
        self.variables = re.findall(r"[A-Za-z_]\w*", listed[1])[:8] if listed else ["input"]
        self.salt = (text, *chance.key())
        # The same for all batches of a generation, so that they cycle through the texts together.
        self.luck = (self.topic, *chance.key())
        self.first = (number_after(text, "batch", 1) - 1) * _BATCH
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
            return self._attack(index)
        source = pool(self.task) if self.task in TASKS else None
        bodies = source.in_language(language) if source else []
        if self.levels:
            bodies = [body for body in bodies if body["difficulty"] in self.levels] or bodies
        if not source or not bodies:
            return self._question(index, language), "", [language], 1 + index % 5
        # Low diversity means few kinds of cases, repeated.
        most = max(1, round(len(bodies) * self.diversity / 10))
        kinds = luck.shuffled(bodies, *self.salt)[:most]
        case = make_case(source, kinds[index % len(kinds)], index, *self.salt)
        (body,) = case.inputs.values()
        return body, case.expected, list(case.tags), case.difficulty

    def _question(self, index: int, language: str) -> str:
        turn = (self.first + index) // len(self.languages)
        text = self._take(drafts()["questions"][language], turn, language)
        return self._filled_in(text, self.first + index)

    def _attack(self, index: int) -> tuple[str, str, list[str], int]:
        """Cycles through the kinds, and through the texts of each kind."""
        texts = drafts()["adversarial"]
        kinds = self.kinds or list(texts)
        turn, place = divmod(self.first + index, len(kinds))
        kind = kinds[place]
        body = self._filled_in(self._take(texts[kind], turn, "en"), self.first + index)
        return body, "", [*self.kinds[place : place + 1], "adversarial"], 5

    def _take(self, texts: list[str], turn: int, language: str) -> str:
        """Every text once in random order; after that, with a different setting each time."""
        round_number, place = divmod(turn, len(texts))
        text = luck.shuffled(texts, *self.luck)[place]
        if round_number == 0:
            return text
        settings = luck.shuffled(drafts()["settings"][language], text, *self.luck)
        return f"{settings[(round_number - 1) % len(settings)]} {text}"

    def _filled_in(self, text: str, number: int) -> str:
        fillers = luck.shuffled(drafts()["filler"]["sentences"], number, *self.luck)
        for start in range(0, 2 * _FILLERS, _FILLERS):
            text = text.replace("{filler}", " ".join(fillers[start : start + _FILLERS]), 1)
        values = {"topic": self.topic, "n": 10 + number * 5, "m": 3 + number % 4, "day": "Saturday"}
        for name, value in values.items():
            text = text.replace("{" + name + "}", str(value))
        return text

    def _filled(self, body: str) -> dict[str, str]:
        others = {"language": "English", "tone": "friendly", "context": f"About {self.topic}."}
        filled = {name: others.get(name, self.topic) for name in self.variables}
        main = next((name for name in self.variables if name not in others), self.variables[0])
        return {**filled, main: body}
