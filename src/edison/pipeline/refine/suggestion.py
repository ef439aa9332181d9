"""What refining ends in: an edit, the answer that none is needed, or why there is none."""

from dataclasses import dataclass
from enum import StrEnum

from edison.pipeline.refine.guardrail import Violation
from edison.pipeline.render.prompt_template import PromptTemplate


class Origin(StrEnum):
    """Where a suggestion comes from. Stored; never rename."""

    REFINER = "refiner"
    RUBRIC = "rubric"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A small edit that passed the guard rails.

    `prompt` is the whole prompt after it, `diff` what changed of its main text. `targets` are the
    keys of the criteria that it should improve. `exceeded` are rails that it exceeds and is exempt
    from, `remarks` what was not quite right about the model's diff. `text_name` names the words
    that the model was told, with their version.
    """

    origin: Origin
    prompt: PromptTemplate
    diff: str
    note: str
    targets: tuple[str, ...]
    exceeded: tuple[Violation, ...] = ()
    remarks: tuple[str, ...] = ()
    is_repaired: bool = False
    text_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoChange:
    """Nothing needs to change; `note` says why."""

    note: str
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinementFailed:
    """`reasons` are sentences for people, `said` the last reply. `is_call`: no model answered."""

    reasons: tuple[str, ...]
    said: str = ""
    targets: tuple[str, ...] = ()
    is_call: bool = False


Proposal = Suggestion | NoChange | RefinementFailed
