"""Recognises the task of a text."""

import re
from functools import lru_cache

from edison.simulation.sentences import split_sentences
from edison.simulation.tasks import classification, extraction, generic, summary, support
from edison.simulation.tasks.task import Task

TASKS = {
    task.key: task for task in (support.TASK, extraction.TASK, classification.TASK, summary.TASK)
}

_ELSEWHERE = re.compile(
    r"\b(?:poem|haiku|song|story|translate|python|javascript|sql|recipe|essay|joke)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def recognise(text: str) -> Task:
    """The opening determines the task; the following sentences have less weight."""
    sentences = split_sentences(text)
    if _ELSEWHERE.search(" ".join(sentences[:2])):
        return generic.TASK
    telling = (n for n, one in enumerate(sentences) if any(_cues(one).values()))
    first = next(telling, None)
    if first is None:
        return generic.TASK
    opening, rest = _cues(sentences[first]), _cues(" ".join(sentences[first + 1 :]))
    points = {key: 5 * opening[key] + min(3, rest[key]) for key in TASKS}
    best = max(points, key=lambda key: points[key])
    return TASKS[best]


def _cues(text: str) -> dict[str, int]:
    return {key: len(set(task.cues.findall(text.lower()))) for key, task in TASKS.items()}
