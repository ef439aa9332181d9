"""A directive counts only when a sentence states it. Prompts that merely contain the right words
gain nothing on held-out cases, measured by the hidden truth over many seeds; short commands that a
person would write do count.
"""

from collections.abc import Callable
from math import sqrt
from statistics import mean, stdev

import pytest

from edison.simulation import seeded
from edison.simulation.directives import BRIEF, SPECIFIC, VAGUE, directions
from edison.simulation.material import demo_tasks
from edison.simulation.oracle import Exam
from edison.simulation.sentences import FUNCTION_WORDS, words_of
from edison.simulation.tasks.recognition import TASKS
from tests.simulation.playing import TASK_KEYS, truth, with_lines
from tests.support.thorough import IS_THOROUGH

SEEDS = range(8)
DICTIONARY = words_of(
    "lantern gravel of the umbrella quickly seven marble under violet and thirst bridge cotton"
    " write keep number say answer a with never use order first date customer start other reply"
)
FLUFF = (
    "You are the best and most brilliant assistant in the world.",
    "Take a deep breath and believe in yourself.",
    "This is very important to my career.",
    "Remember that quality matters more than anything.",
    "I will be very grateful for your help.",
    "Nobody does this better than you.",
)
OTHERS = {key: [other for other in TASK_KEYS if other != key] for key in TASK_KEYS}

Control = Callable[[str, int], str]


def catchwords(task: str) -> list[str]:
    said = " ".join(rule.directive for rule in TASKS[task].rules)
    return [word for word in words_of(said) if word not in FUNCTION_WORDS]


def heaps(task: str, seed: int, *, is_shuffled: bool = False) -> list[str]:
    """The relevant words, one to four at a time."""
    words = catchwords(task)
    if is_shuffled:
        words = seeded.shuffled(words, "heap", task, seed)
    cut, start = [], 0
    while start < len(words):
        size = 1 + int(4 * seeded.uniform("size", task, seed, start))
        cut.append(" ".join(words[start : start + size]).capitalize())
        start += size
    return cut


def shuffled_directives(task: str, seed: int) -> str:
    words = " ".join(rule.directive for rule in TASKS[task].rules).split()
    return " ".join(seeded.shuffled(words, "jumble", task, seed))


def foreign_directives(task: str, seed: int) -> str:
    other = TASKS[OTHERS[task][seed % 3]]
    return "\n".join(rule.directive for rule in seeded.shuffled(other.rules, seed)[:5])


CONTROLS: dict[str, Control] = {
    "random words": lambda task, seed: " ".join(seeded.shuffled(DICTIONARY, seed)[:20]) + ".",
    "fluff": lambda task, seed: "\n".join(seeded.shuffled(FLUFF, seed)[:3]),
    "catchwords": lambda task, seed: " ".join(catchwords(task)),
    "between commas": lambda task, seed: ", ".join(heaps(task, seed)).lower() + ".",
    "between full stops": lambda task, seed: ". ".join(heaps(task, seed)) + ".",
    "line by line": lambda task, seed: "\n".join(heaps(task, seed)),
    "after a colon": lambda task, seed: "Keep in mind: " + ", ".join(heaps(task, seed)).lower(),
    "shuffled, full stops": lambda task, seed: ". ".join(heaps(task, seed, is_shuffled=True)) + ".",
    "shuffled, as a list": lambda task, seed: (
        "- " + "\n- ".join(heaps(task, seed, is_shuffled=True))
    ),
    "shuffled directives": shuffled_directives,
    "another task's directives": foreign_directives,
}


# One of each kind in everyday runs.
SAMPLE = ("random words", "fluff", "line by line", "another task's directives")


@pytest.mark.parametrize("task", TASK_KEYS)
@pytest.mark.parametrize("control", CONTROLS if IS_THOROUGH else SAMPLE)
def test_meaningless_words_do_not_improve_quality(task: str, control: str) -> None:
    demo = demo_tasks()[task]
    for base in (demo.starter, demo.improved):
        differences = []
        for seed in SEEDS:
            exam = Exam(task=task, count=125, salt=f"control {seed}", seed=seed)
            changed = with_lines(base, CONTROLS[control](task, seed))
            pairs = zip(truth(changed, exam), truth(base, exam), strict=True)
            differences.extend(after - before for after, before in pairs)
        assert mean(differences) < 0.025
        assert mean(differences) < 3 * stdev(differences) / sqrt(len(differences))


def stated(task: str, lines: str) -> dict[str, float]:
    """The rules that the lines add to the starter prompt."""
    opening = demo_tasks()[task].starter.partition("\n\n")[0]
    rules = TASKS[task].rules
    before, after = (
        directions(text, rules).precisions for text in (opening, f"{opening}\n{lines}")
    )
    rows = zip(rules, before, after, strict=True)
    return {rule.key: now for rule, was, now in rows if now != was}


@pytest.mark.parametrize("task", TASK_KEYS)
@pytest.mark.parametrize("control", CONTROLS)
def test_meaningless_words_state_no_rule(task: str, control: str) -> None:
    """Exactly, without randomness: only rare accidental matches are allowed."""
    found = [sum(stated(task, CONTROLS[control](task, seed)).values()) for seed in range(40)]
    assert mean(found) < 0.03


TELEGRAMS = [
    ("support", "Apologise. Order number. Refund. 3 sentences. JSON."),
    ("support", "Apology, order number, next step, two business days, no promises, 100 words."),
    ("support", "Greet name.\nApologise problem.\nQuote order number.\nState next step."),
    ("support", "Keywords: apologise problem, quote order number, state next step, say when"),
    ("support", "greet name; apologise problem; quote order number; state next step"),
    ("extraction", "JSON only. Keys. YYYY-MM-DD. Number. Null. Gross total. Due date."),
    ("extraction", "Use: null, JSON, YYYY-MM-DD, number, gross total, currency code."),
    ("classification", "Labels. Billing, bug, account, shipping. Label only. Intent. Other."),
    ("summary", "Decision first. Figures. Owner. Deadline. Prose. 60 words. Three sentences."),
    ("summary", "start, decision, keep, figures, say, who, does, leave, small talk, write, prose"),
]


@pytest.mark.parametrize(("task", "lines"), TELEGRAMS)
def test_a_telegram_of_catchwords_states_nothing(task: str, lines: str) -> None:
    assert stated(task, lines) == {}


@pytest.mark.parametrize(
    ("task", "lines", "expected"),
    [
        ("support", "Apologise first.", {"sympathy": BRIEF}),
        ("support", "Be brief.", {"short": VAGUE}),
        ("support", "Quote the order number.", {"reference": SPECIFIC}),
        ("support", "Never promise refunds.", {"promise": SPECIFIC}),
        ("support", "In case of doubt, hand over to a senior colleague.", {"handover": SPECIFIC}),
        ("extraction", "Answer in JSON.", {"bare": VAGUE}),
        ("extraction", "Use null.", {"nulls": BRIEF}),
        ("extraction", "Use ISO dates.", {"iso": BRIEF}),
        ("classification", "Answer with the label only.", {"bare": SPECIFIC}),
        ("summary", "No bullet points.", {"prose": SPECIFIC}),
        (
            "summary",
            "Start with the decision. Keep the figures. Stay neutral.",
            {"lead": SPECIFIC, "figures": SPECIFIC, "neutral": VAGUE},
        ),
        (
            "support",
            "# Tone\nBe friendly.\n# Content\nApologise first.\nQuote the order number.",
            {"name": VAGUE, "sympathy": BRIEF, "reference": SPECIFIC},
        ),
        (
            "support",
            "Rules: apologise first, quote the order number, never promise refunds.",
            {"sympathy": BRIEF, "reference": SPECIFIC, "promise": SPECIFIC},
        ),
    ],
)
def test_short_commands_of_a_person_count(
    task: str, lines: str, expected: dict[str, float]
) -> None:
    assert stated(task, lines) == expected
