"""Separates the instructions of a prompt from its material.

A model sees one text: instructions with a case's values filled in. Text between tags, in fences, or
under a label such as "Customer message:" is material; the rest is instructions.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from edison.kit.lazy_dataclasses import dataclass
from edison.simulation.request import ChatRequest

_NOUNS = (
    r"message|input|text|ticket|e-?mail|article|document|question|invoice|report|content|notes?|"
    r"transcript|review|conversation|query|passage|source|data|story|mail|complaint|request|"
    r"inquiry|enquiry|minutes|letter|receipt|order|user|customer|context|case|description"
)
_TAGGED = re.compile(r"<([A-Za-z][\w:.-]*)>[ \t]*\n?(.*?)\n?[ \t]*</\1>", re.DOTALL)
_NOT_MATERIAL = frozenset({"response", "answer", "output", "rules", "instructions", "format"})
_FENCED = re.compile(r"(```|\"\"\"|~~~)[a-z]*\n(.*?)\n?\1", re.DOTALL)
_LABEL = re.compile(
    rf"^[ \t]*(?:#{{1,4}}[ \t]+)?(?:\*\*)?("
    rf"(?:[A-Z][\w'\u2019-]*[ \t]+)?(?:[\w'\u2019-]+[ \t]+){{0,3}}"
    rf"(?:{_NOUNS}))(?:\*\*)?[ \t]*:(?:\*\*)?[ \t]*(.*)$|"
    rf"^#{{1,4}}[ \t]+((?:[\w'\u2019-]+[ \t]+){{0,3}}(?:{_NOUNS}))[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_AFTERWORD = re.compile(
    r"\n\s*\n(?=(?:#{1,4} |(?:Now |Then )?(?:Reply|Answer|Return|Respond|Write|Remember|Output|"
    r"Summari[sz]e|Classify|Extract|Label|Your (?:answer|reply|summary|label|task))\b))"
)
_EMPTY_LABEL = re.compile(
    r"^[ \t]*(?:#{1,4} )?(?:Your )?(?:answer|reply|summary|label|category|output|json|response)"
    r"[ \t]*:?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)

Span = tuple[int, int, str]
"""Start and end of a quotation, including its marks, and its body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """`shots` are worked examples: question and answer."""

    instructions: str
    material: str
    shots: tuple[tuple[str, str], ...] = ()


def whole_text(prompt: ChatRequest) -> str:
    parts = [prompt.system or "", *(message.text for message in prompt.messages)]
    return "\n\n".join(part for part in parts if part)


def read(prompt: ChatRequest) -> Reading:
    messages = prompt.messages
    last = messages[-1].text if messages else ""
    earlier = messages[:-1]
    shots = tuple(
        (asked.text, answered.text)
        for asked, answered in pairwise(earlier)
        if asked.role == "user" and answered.role == "assistant"
    )
    told, material = _split(last, has_instructions=bool(prompt.system) or bool(shots))
    system = prompt.system or ""
    instructions = f"{system}\n\n{told}".strip() if system else told
    # The examples repeat the template; only their material differs.
    trimmed = tuple((_split(asked, has_instructions=True)[1], said) for asked, said in shots)
    return Reading(instructions=instructions, material=material, shots=trimmed)


@lru_cache(maxsize=2048)
def _split(text: str, *, has_instructions: bool) -> tuple[str, str]:
    for find in (_by_tags, _by_fences, _by_labels):
        spans = find(text)
        if spans:
            return _cut(text, spans)
    text = _EMPTY_LABEL.sub("", text).strip()
    if has_instructions:
        return "", text
    paragraphs = [part for part in re.split(r"\n\s*\n", text) if part.strip()]
    if len(paragraphs) > 1 and not re.match(r"\s*[-*•\d]", paragraphs[-1]):
        return "\n\n".join(paragraphs[:-1]), paragraphs[-1].strip()
    before, colon, after = text.partition(": ")
    if colon and len(before.split()) <= 25 and len(after.split()) >= 5 and "\n" not in before:
        return f"{before}.", after.strip()
    return text, text


def quoted_in(text: str) -> list[str]:
    """Text that is marked as material, by any kind of mark."""
    spans = (span for find in (_by_tags, _by_fences, _by_labels) for span in find(text))
    return [body for _, _, body in spans]


def _by_tags(text: str) -> list[Span]:
    return [
        (match.start(), match.end(), match[2])
        for match in _TAGGED.finditer(text)
        if match[1].lower() not in _NOT_MATERIAL and match[2].strip()
    ]


def _by_fences(text: str) -> list[Span]:
    return [(match.start(), match.end(), match[2]) for match in _FENCED.finditer(text)][-1:]


def _by_labels(text: str) -> list[Span]:
    labels = [match for match in _labels_in(text) if _has_body(text, match)]
    spans = []
    for index, label in enumerate(labels):
        end = labels[index + 1].start() if index + 1 < len(labels) else len(text)
        start = label.start(2) if label[2] else label.end()
        tail = _AFTERWORD.search(text, start, end)
        end = tail.start() if tail else end
        body = _EMPTY_LABEL.sub("", text[start:end]).strip()
        if body:
            spans.append((label.start(), end, body))
    return spans


def _labels_in(text: str) -> Iterator[re.Match[str]]:
    # Checks only lines that can be labels, because this runs for every answer.
    start = 0
    for line in text.split("\n"):
        match = _LABEL.match(text, start) if ":" in line or "#" in line else None
        if match:
            yield match
        start += len(line) + 1


def _has_body(text: str, label: re.Match[str]) -> bool:
    """A label above a list of rules ("Rules for the message:") has no material."""
    follows = text[label.end() :].lstrip()
    return bool(label[2]) or not re.match(r"[-*•]\s|\d{1,2}[.)]\s", follows)


def _cut(text: str, spans: list[Span]) -> tuple[str, str]:
    told, position = [], 0
    for start, end, _ in spans:
        told.append(text[position:start])
        position = end
    told.append(text[position:])
    instructions = _EMPTY_LABEL.sub("", "\n".join(told)).strip()
    return instructions, "\n\n".join(body.strip() for _, _, body in spans)
