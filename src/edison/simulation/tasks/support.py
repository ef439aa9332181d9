"""Customer support replies: personal, sympathetic, concrete, careful, short."""

import re

from edison.simulation.directives import load_rules
from edison.simulation.facts import Facts, word_count
from edison.simulation.seeded import pick
from edison.simulation.tasks import support_texts as texts
from edison.simulation.tasks.task import Draft, Task

WORD_LIMIT = 110

_SERIOUS = re.compile(
    r"lawyer|legal action|attorney|injur|burn|smoke|unsafe|dangerous|third time|sue\b|press\b|"
    r"authorit|Anwalt|avocat|abogad",
    re.IGNORECASE,
)
_SORRY = re.compile(r"\b(?:sorry|apologi[sz]e|understand how|regret)\b", re.IGNORECASE)
_STEP = re.compile(
    r"\bplease (?:send|put|open|confirm|hold|reply|share|follow|check)|"
    r"\bI have (?:created|asked|opened|noted|passed|arranged|sent)|next step",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:within|in) (?:\d+|an?|one|two|three|five|the next \w+) (?:business |working )?"
    r"(?:hours?|days?)|\bby (?:mon|tues|wednes|thurs|fri|tomorrow|the end of)",
    re.IGNORECASE,
)
_PROMISE = re.compile(
    r"full refund right away|\bguarantee\b|will definitely|never happen again", re.I
)
_HANDOVER = re.compile(
    r"handing your case|escalat|senior colleague|supervisor|specialist team", re.I
)
_ASKS_NUMBER = re.compile(r"(?:order|reference|customer) number[^.?!]*\?", re.IGNORECASE)
_ADDRESSED = re.compile(r"\b(?:you|your|we|us)\b.*\b(?:hello|dear|hi|we|I|your)\b", re.I | re.S)
_CLOSING = re.compile(r"(?:regards|wishes|sincerely|yours),?\s*\n?.{0,40}team\s*$", re.IGNORECASE)


def _is_serious(facts: Facts) -> bool:
    return _SERIOUS.search(facts.text) is not None


def _has_name(facts: Facts) -> bool:
    return facts.name is not None


def _names(facts: Facts, answer: str) -> float:
    return float((facts.name or "").lower() in " ".join(answer.split()[:6]).lower())


def _refers(facts: Facts, answer: str) -> float:
    if facts.code:
        return float(facts.code.lower() in answer.lower())
    return float(_ASKS_NUMBER.search(answer) is not None)


def _is_short(facts: Facts, answer: str) -> float:
    return max(0.0, min(1.0, (WORD_LIMIT + 50 - word_count(answer)) / 50))


def _finds(found: re.Pattern[str], answer: str) -> float:
    return float(found.search(answer) is not None)


def _substance(facts: Facts, answer: str) -> float:
    addressed = _ADDRESSED.search(answer) is not None
    return (1.0 if addressed else 0.3) * min(1.0, word_count(answer) / 15)


RULES = load_rules(
    "support",
    checks={
        "name": _names,
        "sympathy": lambda facts, answer: _finds(_SORRY, answer),
        "reference": _refers,
        "step": lambda facts, answer: _finds(_STEP, answer),
        "deadline": lambda facts, answer: _finds(_WHEN, answer),
        "promise": lambda facts, answer: 1.0 - _finds(_PROMISE, answer),
        "short": _is_short,
        "closing": lambda facts, answer: _finds(_CLOSING, answer),
        "handover": lambda facts, answer: _finds(_HANDOVER, answer),
    },
    applies={
        "name": _has_name,
        "handover": _is_serious,
    },
)


def compose(draft: Draft) -> str:
    facts, kept, salt = draft.facts, draft.kept, draft.salt
    written = facts.text.lower()
    topic = next((one for one in texts.TOPICS if one.cue.search(written)), texts.OTHERWISE)
    greetings = texts.GREETINGS if "name" in kept and facts.name else texts.IMPERSONAL
    body = [
        pick(texts.SYMPATHY if "sympathy" in kept else texts.COOL, salt, 1).format(
            trouble=topic.trouble
        )
    ]
    if "reference" in kept:
        known = texts.REFERENCES if facts.code else texts.ASKS
        body.append(pick(known, salt, 2).format(code=facts.code))
    if "handover" in kept and _is_serious(facts):
        body.append(pick(texts.HANDOVERS, salt, 3))
    body.append(topic.action if "step" in kept else pick(texts.SHRUGS, salt, 4))
    body.append(pick(texts.DEADLINES if "deadline" in kept else texts.SOMETIME, salt, 5))
    if "promise" not in kept:
        body.append(pick(texts.PROMISES, salt, 6))
    paragraphs = [pick(greetings, salt, 0).format(name=facts.name), " ".join(body)]
    if "short" not in kept:
        paragraphs.extend(texts.PADDING)
    if "closing" in kept:
        paragraphs.append(pick(texts.CLOSINGS, salt, 7))
    return "\n\n".join(paragraphs)


TASK = Task(
    key="support",
    title="Customer support reply",
    cues=re.compile(
        r"\b(?:customers?|support|repl(?:y|ies)|complaints?|service agent|apolog\w+|helpdesk|"
        r"inquir(?:y|ies)|empath\w+)\b",
        re.IGNORECASE,
    ),
    rules=RULES,
    compose=compose,
    substance=_substance,
)
