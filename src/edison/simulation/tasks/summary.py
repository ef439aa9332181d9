"""Summaries: the outcome first, with figures, people and dates; short, neutral and to the point."""

import re
from functools import lru_cache

from edison.simulation.directives import load_rules
from edison.simulation.facts import Facts, content_words, overlap, word_count
from edison.simulation.luck import pick
from edison.simulation.sentences import split_sentences
from edison.simulation.tasks.task import Draft, Task

WORD_LIMIT = 60

_OUTCOME = re.compile(
    r"\b(?:decided|agreed|approved|resolved|chose|concluded|voted|confirmed|announced|fixed|"
    r"rejected|will (?:close|open|move|replace|launch|stop|start))\b",
    re.IGNORECASE,
)
_TODO = re.compile(
    r"\bby (?:(?:\d{1,2} )?(?:january|february|march|april|may|june|july|august|september|october|"
    r"november|december)|the end|mon|tues|wednes|thurs|fri|next)",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\b(?:coffee|weather|parking|cake|lunch|biscuits|joke\w*|by the way|as usual|projector|"
    r"holiday|football|plants?)\b",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(
    r"^\s*(?:here is|here's|this is a|below is|sure|summary:|the following)", re.I
)
_OPINION = re.compile(
    r"great news|in my (?:view|opinion)|impressive|worrying|everyone should", re.I
)
_DIGITS = re.compile(r"\d[\d.,]*\d|\d")


@lru_cache(maxsize=4096)
def _parts(facts: Facts) -> tuple[str, str | None, str | None, str | None]:
    """The sentences with the outcome, the figures, the to-do and the digression."""
    useful = [one for one in facts.sentences if not _ASIDE.search(one)] or list(facts.sentences)
    outcome = next((one for one in useful if _OUTCOME.search(one)), useful[0] if useful else "")
    todo = next((one for one in useful if _TODO.search(one) and one != outcome), None)
    figures = next(
        (one for one in useful if _DIGITS.search(one) and one not in {outcome, todo}), None
    )
    aside = next((one for one in facts.sentences if _ASIDE.search(one)), None)
    return outcome, figures, todo, aside


def _is_short(facts: Facts, answer: str) -> float:
    return max(0.0, min(1.0, (WORD_LIMIT + 25 - word_count(answer)) / 25))


def _leads(facts: Facts, answer: str) -> float:
    said = split_sentences(_PREAMBLE.sub("", answer).partition(":\n")[2] or answer)
    return float(bool(said) and overlap(_parts(facts)[0], said[0]) >= 0.6)


def _keeps_figures(facts: Facts, answer: str) -> float:
    figures = _DIGITS.findall(_parts(facts)[1] or "")
    return sum(figure in answer for figure in figures) / len(figures)


def _keeps_todo(facts: Facts, answer: str) -> float:
    return float(overlap(_parts(facts)[2] or "", answer) >= 0.6)


def _leaves_aside(facts: Facts, answer: str) -> float:
    return float(overlap(_parts(facts)[3] or "", answer) < 0.6)


def _substance(facts: Facts, answer: str) -> float:
    """Whether the answer is about the text, and long enough to be a summary."""
    about = min(1.0, overlap(answer, facts.text) / 0.4)
    return about * min(1.0, word_count(answer) / 8)


RULES = load_rules(
    "summary",
    checks={
        "short": _is_short,
        "lead": _leads,
        "figures": _keeps_figures,
        "todo": _keeps_todo,
        "aside": _leaves_aside,
        "neutral": lambda facts, answer: float(_OPINION.search(answer) is None),
        "direct": lambda facts, answer: float(_PREAMBLE.search(answer) is None),
        "prose": lambda facts, answer: float(
            re.search(r"^\s*[-*•] ", answer, re.MULTILINE) is None
        ),
    },
    applies={
        "figures": lambda facts: _parts(facts)[1] is not None,
        "todo": lambda facts: _parts(facts)[2] is not None,
        "aside": lambda facts: _parts(facts)[3] is not None,
    },
)


def compose(draft: Draft) -> str:
    facts, kept, salt = draft.facts, draft.kept, draft.salt
    outcome, figures, todo, aside = _parts(facts)
    chosen = [outcome]
    if figures:
        chosen.append(figures if "figures" in kept else _DIGITS.sub("several", figures))
    if todo and "todo" in kept:
        chosen.append(todo)
    rest = [one for one in facts.sentences if one not in {outcome, figures, todo, aside}]
    if "short" not in kept:
        chosen.extend(rest)
        chosen.extend(f"The text also says this: {one}" for one in rest[:2])
    if "lead" not in kept:
        background = rest[:1] or [f"The text is about {_topic(facts)}."]
        chosen = background + [one for one in chosen if one not in background]
    if aside and "aside" not in kept:
        chosen.append(aside)
    if "neutral" not in kept:
        chosen.append(pick(("This is great news.", "In my view this is worrying."), salt, 1))
    chosen = [one if one[-1:] in ".!?" else f"{one}." for one in chosen if one]
    body = " ".join(chosen) if "prose" in kept else "\n".join(f"- {one}" for one in chosen)
    opening = pick(("Here is a summary of the text:", "Here is what it says:"), salt, 2)
    return body if "direct" in kept else f"{opening}\n\n{body}"


def _topic(facts: Facts) -> str:
    words = sorted(
        content_words(facts.text), key=lambda word: (-facts.text.lower().count(word), word)
    )
    return " and ".join(words[:2]) or "several things"


TASK = Task(
    key="summary",
    title="Summary",
    cues=re.compile(
        r"\b(?:summar\w+|condens\w+|shorten|tl;?dr|gist|minutes|key points|recap|abstract)\b", re.I
    ),
    rules=RULES,
    compose=compose,
    substance=_substance,
)
