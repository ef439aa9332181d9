"""Perceived quality of a test question per criterion, from its text alone."""

import re

from edison.kit.lazy_dataclasses import dataclass
from edison.simulation.facts import word_count
from edison.simulation.rubrics import SimulatedCriterion

_GOOD = 0.88
_HARD = re.compile(
    r"\b(?:why|how|compare|explain|prove|derive|although|unless|despite|trade-?offs?|which of|"
    r"consequences?|differs?|difference)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Defect:
    """`marks` is the quality that remains, by the criteria that the defect concerns."""

    found: re.Pattern[str]
    lapse: str
    marks: dict[str, float]


def _defect(pattern: str, lapse: str, **marks: float) -> _Defect:
    return _Defect(found=re.compile(pattern, re.IGNORECASE), lapse=lapse, marks=marks)


_ADDRESSED = _defect(
    r"\b(?:rate|score|grade) (?:this|me|it)\b|ignore (?:all )?(?:previous|prior)|"
    r"\b(?:full marks|highest score|10 out of 10|10/10)\b",
    "It speaks to its evaluator and asks nothing.",
    clarity=0.3,
    answerability=0.2,
    relevance=0.1,
    originality=0.2,
)
_DEFECTS = (
    _ADDRESSED,
    _defect(
        r"\A\s*(?:\S+\s+){0,2}\S+\s*\Z",
        "It is too short to be understood in one way.",
        clarity=0.3,
        answerability=0.4,
    ),
    _defect(
        r"\b(?:thing|things|stuff|something|somehow|whatever)\b|"
        r"\b(?:what|how|why)\b[^?.]{0,12}\b(?:it|that|this)\s*\?",
        "It does not say what it refers to.",
        clarity=0.35,
        answerability=0.45,
    ),
    _defect(
        r"\b(?:above|below|the following|attached|this (?:text|table|document|image|chart))\b",
        "It refers to material that is not there.",
        answerability=0.2,
        clarity=0.6,
    ),
    _defect(
        r"\b(?:best|favou?rite|do you (?:think|feel|like)|in your opinion)\b",
        "There is no answer that could be checked.",
        answerability=0.35,
    ),
    _defect(
        r"\bcapital of\b|\bhello world\b|\b2 ?\+ ?2\b|who wrote|how are you",
        "Models have met this question many times.",
        originality=0.25,
    ),
)


def question_impression(
    question: str, criterion: SimulatedCriterion, *, has_material: bool
) -> float:
    """Perceived quality or, for the criterion of difficulty, perceived difficulty; 0 to 1."""
    if not question.strip():
        return 0.0
    name = criterion.name.casefold()
    if "difficult" in name:
        return min(1.0, 0.12 + word_count(question) / 60 + 0.14 * len(_HARD.findall(question)))
    marks = [each.marks for each in _defects(question, has_material=has_material)]
    own = [found[name] for found in marks if name in found]
    if own:
        return min(own)
    # Criteria of a project's own suffer from every defect, but less.
    known = {each for defect in _DEFECTS for each in defect.marks}
    return _GOOD if name in known else _GOOD - 0.15 * len(marks)


def question_rationale(question: str, criterion: SimulatedCriterion, *, has_material: bool) -> str:
    name = criterion.name.casefold()
    if "difficult" in name:
        return "Judged by its length and by the steps that an answer takes."
    found = _defects(question, has_material=has_material)
    lapses = [each.lapse for each in found if name in each.marks]
    return " ".join(lapses[:2]) or "Meets the criterion; nothing important is missing."


def _defects(question: str, *, has_material: bool) -> list[_Defect]:
    found = [each for each in _DEFECTS if each.found.search(question)]
    if has_material:
        found = [each for each in found if "material" not in each.lapse]
    return found
