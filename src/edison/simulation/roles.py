"""Detects which role a prompt asks the simulation to play, from English markers in the template.

The markers are phrases that any reasonable template of that kind contains. Quoted material (in
tags, frames, fences or under labels) never counts. Without enough markers, the prompt is a task to
be answered.
"""

import re
from enum import StrEnum
from functools import lru_cache

from edison.simulation.prompt_reader import quoted_in
from edison.simulation.sections import opening_of, unquoted


class SimulatedRole(StrEnum):
    ANSWERER = "answerer"
    JUDGE = "judge"
    PAIRWISE = "pairwise"
    REFINER = "refiner"
    GENERATOR = "generator"
    DRAFTER = "drafter"


# (points, marker). A role needs `_ENOUGH` points.
_MARKERS: dict[SimulatedRole, tuple[tuple[int, str], ...]] = {
    SimulatedRole.REFINER: (
        (
            3,
            r"prompt refinement|refine (?:the|this|a) prompt|"
            r"improve (?:the|this) prompt based on",
        ),
        (3, r"unified diff"),
        (2, r"<diff>|^--- a/"),
        (2, r"weak (?:areas|criteria)|weakest criteria"),
        (2, r"failing exemplars?|failing (?:cases|examples)|inputs_outputs_feedback"),
        (3, r"write a new instruction for the assistant|new instructions within ```"),
        (
            2,
            r"(?:rewrite|revise|improve|mutate) "
            r"the (?:current |existing )?(?:prompt|instructions?)",
        ),
        (1, r"current prompt|prompt engineer"),
    ),
    SimulatedRole.PAIRWISE: (
        (
            3,
            r"pairwise comparison|"
            r"compare (?:the )?two (?:outputs|answers|responses|replies)",
        ),
        (2, r"\"winner\"|\"preferred\"|\"preference\""),
        (2, r"which (?:one|output|answer|response|of the two)[^.\n]{0,30}(?:is )?better"),
        (2, r"(?:output|answer|response) a\b[\s\S]*(?:output|answer|response) b\b"),
    ),
    SimulatedRole.JUDGE: (
        (
            3,
            r"evaluation task|"
            r"you are (?:an? |the )?(?:\w+ ){0,2}(?:evaluator|judge|grader|assessor)\b",
        ),
        (2, r"\"scores?\"\s*:|\"verdict\"|\"rating\"|\"passed?\"\s*:"),
        (
            2,
            r"(?:score|rate|grade|evaluate|judge|assess) (?:the|this|each|it)\b[^.\n]{0,60}"
            r"(?:output|answer|response|reply|criteri\w+|rubric|"
            r"summary|question|against|from|on a)",
        ),
        (2, r"(?:output|answer|response) to (?:evaluate|judge|score|grade|rate)"),
        (1, r"\brubric\b|\bcriteri(?:a|on)\b"),
        (1, r"rationales?|justification"),
    ),
    SimulatedRole.GENERATOR: (
        (
            3,
            r"test (?:data|case) generator|generate (?:exactly )?\d+ "
            r"(?:\w+[ ,-]+){0,4}(?:test )?"
            r"(?:cases|questions|examples|inputs|tickets|rows)",
        ),
        (
            2,
            r"(?:diverse|synthetic|adversarial|realistic)[\w, -]{0,30}"
            r"(?:test )?(?:cases|questions|examples|data)",
        ),
        (2, r"\"difficulty\"|\"questions\"|\"cases\"|\"test_cases\""),
        (1, r"diversity|jsonl"),
        (1, r"^count: ?\d+|\bcount\b"),
    ),
    SimulatedRole.DRAFTER: (
        (
            4,
            r"\A\s*(?:improve|sharpen|expand) (?:the|this|my|their) "
            r"(?:objective|prompt|rubric|question)\b",
        ),
        (
            3,
            r"objective (?:options|statements)|"
            r"draft (?:\w+ ){0,3}(?:objectives?|rubric|prompts?)",
        ),
        (3, r"(?:propose|generate|draft|suggest|create) (?:an? )?(?:\w+ ){0,3}rubric"),
        (3, r"(?:\d+|three|several) different prompt approaches|prompt variants"),
        (
            2,
            r"\"options\"\s*:|\"criteria\"\s*:|\"prompts\"\s*:|"
            r"\"improved\w*\"\s*:|\"suggestions?\"\s*:",
        ),
        (2, r"prompt (?:engineering|evaluation) expert|expert prompt engineer"),
        (
            3,
            r"(?:improve|add (?:details|constraints) to|"
            r"expand|sharpen|rewrite) (?:the|this|my|their|"
            r"an?)(?: user's)? (?:objective|goal|prompt|rubric|criterion|description|question)",
        ),
        (2, r"weights must sum|4-6 (?:evaluation )?criteria"),
    ),
}
_COMPILED = {
    role: tuple((points, re.compile(marker, re.I | re.M)) for points, marker in markers)
    for role, markers in _MARKERS.items()
}
_ENOUGH = 4
_NAMES_A_ROLE = 3
# On a tie the first wins: a refiner's prompt quotes rubric and verdicts, a judge's may quote
# anything.
_ORDER = (
    SimulatedRole.REFINER,
    SimulatedRole.PAIRWISE,
    SimulatedRole.DRAFTER,
    SimulatedRole.GENERATOR,
    SimulatedRole.JUDGE,
)
_HINT = re.compile(
    r"\b(?:rubrics?|criteri|evaluat|judg|grade|scor|rate\b|rating|compar|winner|diff\b|prompts?\b|"
    r"instructions?\b|generat|objective)",
    re.IGNORECASE,
)


def role_of(text: str, system: str | None = None) -> SimulatedRole:
    # Most prompts are tasks; this check detects them without splitting them into parts.
    return _role_of(text, system) if _HINT.search(text) else SimulatedRole.ANSWERER


@lru_cache(maxsize=512)
def _role_of(text: str, system: str | None) -> SimulatedRole:
    """If the system text or, without one, the text before the first quoted part names a role, that
    decides. Markers inside quoted material never count: an example that mentions verdicts does not
    turn a refiner into a judge.
    """
    named = _points(system or opening_of(text), _ORDER)
    roles = tuple(role for role in _ORDER if named[role] >= _NAMES_A_ROLE) or _ORDER
    frame = unquoted(text)
    for body in quoted_in(frame):
        frame = frame.replace(body, " … ")
    points = _points(frame, roles)
    best = max(roles, key=lambda role: (points[role], named[role]))
    return best if points[best] >= _ENOUGH else SimulatedRole.ANSWERER


def _points(text: str, roles: tuple[SimulatedRole, ...]) -> dict[SimulatedRole, int]:
    return {
        role: sum(worth for worth, marker in _COMPILED[role] if marker.search(text))
        for role in roles
    }
