"""Results of refining: an edit, no change, or a failure with reasons."""

from enum import StrEnum

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.refine.guardrail import Violation
from edison.pipeline.render.prompt_template import PromptTemplate


class SuggestionOrigin(StrEnum):
    """The source of a suggestion. Stored; never rename."""

    REFINER = "refiner"
    RUBRIC = "rubric"


class Operator(StrEnum):
    """How a prompt came from others: a model's edit based on failing answers, a combination of two
    prompts, or a model's edit without examples. Stored; never rename.
    """

    EDIT = "edit"
    CROSSOVER = "crossover"
    MUTATION = "mutation"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedEdit:
    """A small edit that passed the guard rails.

    `prompt` is the complete prompt after the edit, `diff` the change of its parts. `targets`
    are the keys of the criteria that it should improve. `exceeded` are rails that it exceeds but is
    exempt from, `remarks` are deviations of the model's diff. `text_name` names the prompt file
    that the model was given, with its version. `parents` are the prompts it comes from, unless it
    is the one that was run.
    """

    origin: SuggestionOrigin
    prompt: PromptTemplate
    diff: str
    note: str
    targets: tuple[str, ...]
    exceeded: tuple[Violation, ...] = ()
    remarks: tuple[str, ...] = ()
    is_repaired: bool = False
    text_name: str | None = None
    operator: Operator = Operator.EDIT
    parents: tuple[PromptTemplate, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoChange:
    """Nothing needs to change; `note` says why."""

    note: str
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinementFailed:
    """`reasons` are sentences for users, `said` is the last reply. `is_call`: the model call
    failed.
    """

    reasons: tuple[str, ...]
    said: str = ""
    targets: tuple[str, ...] = ()
    is_call: bool = False


Proposal = SuggestedEdit | NoChange | RefinementFailed
