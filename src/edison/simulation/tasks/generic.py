"""Fallback task: a plausible, recognisably simulated answer to any prompt."""

import re
from fractions import Fraction

from edison.simulation.directives import load_rules
from edison.simulation.facts import overlap, word_count
from edison.simulation.luck import pick
from edison.simulation.sentences import split_sentences, words_of
from edison.simulation.tasks.task import Draft, Task

WORD_LIMIT = 150

_SUM = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s*([-+*/x\u00d7\u00f7])\s*(\d+(?:\.\d+)?)(?![\w.])")
_COUNT = re.compile(
    r"\b(\d{1,2}|two|three|four|five|six|seven|eight|ten)\b(?: \w+){0,2} "
    r"(?:ideas|ways|reasons|examples|points|items|names|tips|questions|steps|things|titles|options|facts)",
    re.IGNORECASE,
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10}
_CODE = re.compile(
    r"\b(?:python|javascript|function|sql|code|script|regex|program)\b", re.IGNORECASE
)
_HELLO = re.compile(
    r"^\s*(?:hi|hello|hey|good (?:morning|evening|day))\b[^?]{0,40}$", re.IGNORECASE
)
_VERSE = re.compile(r"\b(?:poem|haiku|song|verse|limerick)\b", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:please|can you|could you|would you|i want to|i need|help me|tell me|give me|show me|"
    r"write|explain|describe|list|make|create|generate|translate|suggest|what(?: is| are|'s)?|"
    r"how (?:do|can|does|would|to|should)(?: (?:i|we|you|one))?|why (?:is|are|do|does)?|"
    r"who (?:is|was|are)|when (?:is|was|did)|where (?:is|are)|me|to|with|is|are|do|does)\b\W*)+",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"^(?:an?|the|\d+|two|three|four|five|six|seven|eight|ten)? ?(?:\w+ ){0,2}"
    r"(?:poem|haiku|song|verse|story|essay|ideas|ways|reasons|examples|points|names|tips|questions|"
    r"steps|things|titles|options|facts|function|script|program|code|query) "
    r"(?:about|for|to|of|on|why|that|which|in)\b ?",
    re.IGNORECASE,
)
_ASPECTS = (
    "what matters most about {topic}",
    "who cares about {topic}, and why",
    "what it takes in time and money",
    "what usually goes wrong with {topic}",
    "how to tell whether it works",
    "what to try first",
    "which alternatives there are",
    "how it changes over time",
    "what people disagree on about {topic}",
    "where to read more about {topic}",
)
_GREETING = (
    "Hello! I am a simulated model. Ask me to reply to a customer, extract data, classify or "
    "summarise."
)
_POEM = """A quiet word on {topic},
a lamp, a page, a pen;
we try, we read, we change a line,
and then we try again."""
_SKETCH = """```python
def {name}(value: str) -> str:
    # Simulated: a sketch for {topic}.
    return value.strip()
```"""
_FILLER = (
    "This is a broad subject, and there is of course much more that could be said about it from "
    "many different angles, depending on one's background, interests and the time available."
)

RULES = load_rules(
    "generic",
    checks={
        "short": lambda facts, answer: float(
            _FILLER[:40] not in answer and word_count(answer) <= 220
        ),
        "direct": lambda facts, answer: float(
            overlap(" ".join(answer.split()[:25]), facts.text) >= 0.2
        ),
        "example": lambda facts, answer: float("example" in answer.lower()),
        "structure": lambda facts, answer: float("\n- " in answer or "\n1. " in answer),
    },
)


def _topic(text: str) -> str:
    """The topic of the first sentence, in its own words."""
    first = next(iter(split_sentences(text)), text).strip().rstrip(".?!:")
    bare = _ABOUT.sub("", _LEAD.sub("", first)).strip(" ,'\"")
    return " ".join(bare.split()[:9]) or "this"


def compose(draft: Draft) -> str:
    text = draft.facts.text or draft.instructions
    special = _special(text)
    if special is not None:
        return special
    topic, kept = _topic(text), draft.kept
    lines = []
    if "direct" in kept:
        lines.append(f"On {topic}: start small, check the result, and build on what works.")
    else:
        lines.append("That is an interesting question with more than one possible reading.")
    lines.append(_details(draft, topic))
    if "example" in kept:
        lines.append(f"For example, take one real case of {topic} and follow it from start to end.")
    if "short" not in kept:
        lines.append(_FILLER)
    lines.append("(Simulated answer: connect a provider to hear from a real model.)")
    return "\n\n".join(line for line in lines if line)


def _details(draft: Draft, topic: str) -> str:
    asked = _COUNT.search(f"{draft.instructions}\n{draft.facts.text}")
    count = 3
    if asked:
        count = max(1, min(10, _NUMBERS.get(asked[1].lower()) or int(asked[1])))
    start = int(pick("0123456789", draft.salt, "details"))
    chosen = [_ASPECTS[(start + step) % 10].format(topic=topic) for step in range(count)]
    if "structure" in draft.kept or asked:
        return "\n".join(f"{number}. {one.capitalize()}" for number, one in enumerate(chosen, 1))
    return f"Things to look at are {', '.join(chosen[:-1])}, and {chosen[-1]}."


def _special(text: str) -> str | None:
    """Answers to special kinds of requests: greetings, arithmetic, verse and code."""
    if _HELLO.match(text):
        return _GREETING
    arithmetic = _SUM.search(text)
    if arithmetic and len(text) < 80:
        return _calculate(arithmetic[1], arithmetic[2], arithmetic[3])
    topic = _topic(text)
    if _VERSE.search(text):
        return _POEM.format(topic=topic)
    if _CODE.search(text):
        name = "_".join(words_of(topic)[:3]).replace("'", "") or "sketch"
        return _SKETCH.format(name=name, topic=topic)
    return None


def _calculate(left: str, operator: str, right: str) -> str:
    a, b = Fraction(left), Fraction(right)
    if operator in "/\u00f7" and b == 0:
        return "Dividing by zero has no result."
    results = {"+": a + b, "-": a - b}
    result = results.get(operator, a * b if operator in "*x\u00d7" else a / b if b else a)
    shown = str(result) if result.denominator == 1 else f"{float(result):.6g}"
    return f"{left} {operator} {right} = {shown}"


TASK = Task(
    key="generic",
    title="Anything else",
    cues=re.compile(r"(?!)"),
    rules=RULES,
    compose=compose,
    substance=lambda facts, answer: min(1.0, word_count(answer) / 3),
)
