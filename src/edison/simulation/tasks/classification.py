"""Ticket classification: exact labels only, by the writer's intent and not by the words used."""

import re
from functools import lru_cache

from edison.simulation.directives import load_rules
from edison.simulation.facts import Facts, overlap
from edison.simulation.luck import pick
from edison.simulation.sentences import words_of
from edison.simulation.tasks.task import Draft, Task

LABELS = ("billing", "bug", "feature_request", "account", "shipping", "other")
LOOSE = {
    "billing": "Payment question",
    "bug": "Technical problem",
    "feature_request": "Product suggestion",
    "account": "User profile",
    "shipping": "Delivery question",
    "other": "General enquiry",
}

# The writer's intent determines the label. The first match counts; the order is part of the rules.
_WANTS = (
    (
        "other",
        r"just (?:wanted to say|saying)|job opening|apply for|internship|partnership|press "
        r"enquiry|newsletter|wrong number|thank you for the lovely|opening hours|school project",
    ),
    (
        "feature_request",
        r"would be (?:great|nice|useful|lovely)|please add|could you add|wish (?:it|"
        r"you|there)|suggest(?:ion)?|consider adding|feature idea|missing option",
    ),
    (
        "billing",
        r"charged|refund|invoice|vat\b|payment (?:failed|method)|credit note|overcharg|"
        r"discount code|price on my|pay twice",
    ),
    (
        "shipping",
        r"parcel|courier|tracking|delivered|delivery address|has not arrived|customs|"
        r"shipment|wrong house",
    ),
    (
        "bug",
        r"crash|error|freez|blank|broken|does not load|won't open|bug\b|spins forever|corrupt|"
        r"wrong total|not saved",
    ),
    (
        "account",
        r"password|log ?in|sign in|locked|e-?mail address|delete my|two-factor|username|"
        r"profile|permission",
    ),
)
_WANTED = tuple((label, re.compile(found, re.IGNORECASE)) for label, found in _WANTS)
_SURFACE = {
    "billing": r"pay\w*|price|money|cost\w*|card|bill\w*|invoice\w*|charged|refund",
    "bug": r"problem\w*|error\w*|crash\w*|work\w*|broken|issue\w*|bug|app",
    "feature_request": r"add|feature\w*|option\w*|wish|suggest\w*|idea",
    "account": r"account\w*|password|log\w*|profile|user\w*|sign",
    "shipping": r"deliver\w*|parcel|ship\w*|courier|track\w*|order\w*|address",
}
_WORDS = {label: re.compile(rf"\b(?:{found})\b", re.I) for label, found in _SURFACE.items()}
_OFFERED = re.compile(
    r"(?:one of|labels?|categor(?:y|ies)|classes|options)[^:\n]{0,60}:\s*"
    r"([^\n.]+(?:\n\s*[-*]\s*[^\n]+)*)",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def truth(text: str) -> str:
    return next((label for label, found in _WANTED if found.search(text)), "other")


@lru_cache(maxsize=4096)
def at_first_sight(text: str) -> str:
    """The label by word counts: the superficial choice."""
    counts = {label: len(found.findall(text)) for label, found in _WORDS.items()}
    return max(counts, key=lambda label: counts[label])


def label_in(answer: str) -> str | None:
    said = answer.lower().replace("feature request", "feature_request")
    found = [label for label in LABELS if re.search(rf"\b{label}\b", said)]
    if not found:
        found = [label for label, loose in LOOSE.items() if loose.lower() in said]
    return found[0] if len(found) == 1 else None


def _is_right(facts: Facts, answer: str) -> float:
    return float(label_in(answer) == truth(facts.text))


def _is_exact(facts: Facts, answer: str) -> float:
    return float(any(re.search(rf"\b{label}\b", answer) for label in LABELS))


def _is_bare(facts: Facts, answer: str) -> float:
    return float(len(words_of(answer)) <= 3 and "\n" not in answer.strip())


def _is_plain(facts: Facts) -> bool:
    wanted = truth(facts.text)
    return wanted != "other" and at_first_sight(facts.text) == wanted


def _misleads(facts: Facts) -> bool:
    wanted = truth(facts.text)
    return wanted != "other" and at_first_sight(facts.text) != wanted


def _is_outside(facts: Facts) -> bool:
    return truth(facts.text) == "other"


RULES = load_rules(
    "classification",
    checks={
        "labels": _is_exact,
        "bare": _is_bare,
        "plain": _is_right,
        "intent": _is_right,
        "outside": _is_right,
    },
    applies={
        "plain": _is_plain,
        "intent": _misleads,
        "outside": _is_outside,
    },
)


def compose(draft: Draft) -> str:
    text, kept = draft.facts.text, draft.kept
    wanted = truth(text)
    if _is_outside(draft.facts):
        label = wanted if "outside" in kept else at_first_sight(text)
    elif _misleads(draft.facts):
        label = wanted if "intent" in kept else at_first_sight(text)
    else:
        wrong = tuple(label for label in LABELS if label != wanted)
        label = wanted if "plain" in kept else pick(wrong, draft.salt, "label")
    said = _offered(draft.instructions, label, text) or (
        label if "labels" in kept else LOOSE[label]
    )
    if "bare" in kept:
        return said
    shown = draft.facts.sentences[0].rstrip(".!?") if draft.facts.sentences else "the message"
    openings = ("Category: {label}", "I would classify this as {label}", "This looks like {label}")
    opening = pick(openings, draft.salt, "open").format(label=said)
    return f'{opening}, because the message says "{shown}".'


@lru_cache(maxsize=4096)
def _offered(instructions: str, label: str, text: str) -> str | None:
    """For a prompt with its own labels: the one most similar to the message."""
    offered = _OFFERED.search(instructions)
    if offered is None:
        return None
    names = [name.strip(" \"'`*-\n") for name in re.split(r"[,;|/\n]| or ", offered[1])]
    names = [name for name in names if name]
    # Words that merely follow a colon are not labels.
    if len(names) < 2 or any(len(name.split()) > 3 for name in names):
        return None
    if label in (name.lower() for name in names) or set(names) & set(LABELS):
        return None
    return max(names, key=lambda name: (overlap(name, text), overlap(name, LOOSE[label]), name))


TASK = Task(
    key="classification",
    title="Ticket classification",
    cues=re.compile(
        r"\b(?:classif\w+|categor\w+|labels?|tickets?|sort|triage|tag|misclassif\w+)\b", re.I
    ),
    rules=RULES,
    compose=compose,
    substance=lambda facts, answer: 0.3 if label_in(answer) is None else 1.0,
)
