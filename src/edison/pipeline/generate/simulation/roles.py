"""Which part the simulation is asked to play, told from the words of the prompt alone.

The markers are what any reasonable template of that kind says; none is ours. When nothing points
elsewhere, the prompt is a task to be answered.
"""

import re
from enum import StrEnum
from functools import lru_cache

from edison.pipeline.generate.simulation.sections import sections


class Role(StrEnum):
    ANSWERER = "answerer"
    JUDGE = "judge"
    PAIRWISE = "pairwise"
    REFINER = "refiner"
    GENERATOR = "generator"
    DRAFTER = "drafter"


# (points, marker). A role needs `_ENOUGH` points.
_MARKERS: dict[Role, tuple[tuple[int, str], ...]] = {
    Role.REFINER: (
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
    Role.PAIRWISE: (
        (
            3,
            r"pairwise comparison|"
            r"compare (?:the )?two (?:outputs|answers|responses|replies)",
        ),
        (2, r"\"winner\"|\"preferred\"|\"preference\""),
        (2, r"which (?:one|output|answer|response|of the two)[^.\n]{0,30}(?:is )?better"),
        (2, r"(?:output|answer|response) a\b[\s\S]*(?:output|answer|response) b\b"),
    ),
    Role.JUDGE: (
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
    Role.GENERATOR: (
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
    Role.DRAFTER: (
        (4, r"\A\s*(?:improve|sharpen|expand) (?:the|this|my|their) (?:objective|prompt|rubric)\b"),
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
            r"an?)(?: user's)? (?:objective|goal|prompt|rubric|criterion|description)",
        ),
        (2, r"weights must sum|4-6 (?:evaluation )?criteria"),
    ),
}
_COMPILED = {
    role: tuple((points, re.compile(marker, re.I | re.M)) for points, marker in markers)
    for role, markers in _MARKERS.items()
}
_ENOUGH = 4
# A refiner's prompt quotes rubric and verdicts, a judge's may quote anything: on a tie the first.
_ORDER = (Role.REFINER, Role.PAIRWISE, Role.DRAFTER, Role.GENERATOR, Role.JUDGE)
_QUOTED = ("output", "output_a", "output_b", "input", "expected", "prompt", "failing", "hints")
_HINT = re.compile(
    r"\b(?:rubrics?|criteri|evaluat|judg|grade|scor|rate\b|rating|compar|winner|diff\b|prompts?\b|"
    r"instructions?\b|generat|objective)",
    re.IGNORECASE,
)


def role_of(text: str) -> Role:
    # Most prompts are tasks; they are told apart without cutting them into parts.
    return _role_of(text) if _HINT.search(text) else Role.ANSWERER


@lru_cache(maxsize=512)
def _role_of(text: str) -> Role:
    """Markers inside quoted material do not count: a judged output that talks of unified diffs
    does not turn its judge into a refiner.
    """
    parts = sections(text)
    frame = text
    for kind in _QUOTED:
        if len(parts.get(kind, "")) > 20:
            frame = frame.replace(parts[kind], " … ")
    points = {
        role: sum(worth for worth, marker in markers if marker.search(frame))
        for role, markers in _COMPILED.items()
    }
    best = max(_ORDER, key=lambda role: points[role])
    return best if points[best] >= _ENOUGH else Role.ANSWERER
