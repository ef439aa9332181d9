"""`modelgraded.classify` of openai/evals: a model chooses one of the choices of a specification in
`registry/modelgraded`, and the choice has a score.
"""

import re
from collections.abc import Mapping
from typing import Any

from edison.evals.errors import ConfigError, NotSupported, Place
from edison.evals.files import Files
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.nunjucks_template import escape_nunjucks
from edison.pipeline.score.assertions.labels import FIRST_LINE, LAST_LINE

CLASS = "modelgraded.classify:ModelBasedClassify"
_PREFIX = "sample_"
_FIELD = re.compile(r"\{\{|\}\}|\{(\w+)\}")
_DEFAULT_TYPE = "cot_classify"
# What openai/evals asks after the prompt, and which line of the reply it reads first.
_ENDINGS = {
    "classify": (
        "Answer the question by printing only a single choice from {choices} (without quotes or "
        "punctuation) corresponding to the correct answer with no other text.",
        FIRST_LINE,
    ),
    "classify_cot": (
        "First, answer by printing a single choice from {choices} (without quotes or punctuation) "
        "corresponding to the correct answer. Then, from the next line, explain your reasonings "
        "step by step.",
        FIRST_LINE,
    ),
    "cot_classify": (
        "First, write out in a step by step manner your reasoning to be sure that your conclusion "
        "is correct. Avoid simply stating the correct answer at the outset. Then print only a "
        "single choice from {choices} (without quotes or punctuation) on its own line "
        "corresponding to the correct answer. At the end, repeat just the answer by itself on a "
        "new line.\n\nReasoning:",
        LAST_LINE,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """The assertion of all samples, and the names of the samples' values that it uses."""

    assertion: Mapping[str, Any]
    names: frozenset[str]

    def values(self, sample: Mapping[str, Any], place: Place) -> dict[str, str]:
        """Raises ConfigError for a value that the sample does not have."""
        missing = sorted(name for name in self.names if name not in sample)
        if missing:
            raise ConfigError(f"The sample has no “{missing[0]}”.", place)
        return {f"{_PREFIX}{name}": _text(sample[name]) for name in sorted(self.names)}


def read_classification(
    arguments: Mapping[str, Any], files: Files, place: Place | None
) -> Classification:
    """`files` are those of the registry. Raises ConfigError, or NotSupported."""
    name = arguments.get("modelgraded_spec")
    if not isinstance(name, str):
        raise ConfigError("The eval names no modelgraded_spec.", place)
    spec = _find(name, files, place)
    answers = spec.get("input_outputs")
    if not isinstance(answers, dict) or len(answers) != 1:
        raise NotSupported(f"{name}: only specifications with one answer are supported.", place)
    (answer,) = answers.values()
    asked = str(arguments.get("eval_type") or spec.get("eval_type") or _DEFAULT_TYPE)
    if asked not in _ENDINGS:
        raise NotSupported(f"The eval_type {asked} is not supported.", place)
    ending, reads = _ENDINGS[asked]
    scores = _scores(name, spec, place)
    choices = " or ".join(f'"{each}"' for each in scores)
    names: set[str] = set()
    prompt = _template(str(spec.get("prompt", "")).strip(), str(answer), names)
    return Classification(
        assertion={
            "type": "model-label",
            "rubricPrompt": f"{prompt}\n\n{escape_nunjucks(ending.format(choices=choices))}",
            "config": {"scores": scores, "reads": reads},
        },
        names=frozenset(names),
    )


def _find(name: str, files: Files, place: Place | None) -> Mapping[str, Any]:
    for path in sorted((files.folder / "modelgraded").glob("*.yaml")):
        found = files.load(path)
        if isinstance(found, dict) and isinstance(found.get(name), dict):
            spec: Mapping[str, Any] = found[name]
            return spec
    raise ConfigError(f"There is no specification {name} in registry/modelgraded.", place)


def _scores(name: str, spec: Mapping[str, Any], place: Place | None) -> dict[str, float]:
    choices, given = spec.get("choice_strings"), spec.get("choice_scores")
    if choices == "from_n" or not isinstance(choices, str | list):
        raise NotSupported(f"{name}: choices that depend on the sample are not supported.", place)
    labels = [str(each) for each in choices]
    try:
        if given == "from_strings":
            return {each: float(each) for each in labels}
        if isinstance(given, dict):
            return {each: float(given[each]) for each in labels}
    except (KeyError, TypeError, ValueError) as wrong:
        raise ConfigError(f"{name}: each choice needs a score of its own.", place) from wrong
    raise NotSupported(f"{name} has no choice_scores, so no answer is right or wrong.", place)


def _template(prompt: str, answer: str, names: set[str]) -> str:
    """Python's format fields as a template; `names` gets those of the sample."""
    made, end = [], 0
    for found in _FIELD.finditer(prompt):
        made.append(escape_nunjucks(prompt[end : found.start()]))
        end = found.end()
        field = found[1]
        if field is None:
            made.append(escape_nunjucks(found[0][0]))
        elif field == answer:
            made.append("{{ output }}")
        else:
            names.add(field)
            made.append(f"{{{{ {_PREFIX}{field} }}}}")
    return "".join([*made, escape_nunjucks(prompt[end:])])


def _text(value: Any) -> str:
    """A chat as text: the contents of its messages."""
    if isinstance(value, list):
        parts = [each.get("content", "") if isinstance(each, dict) else each for each in value]
        return "\n".join(map(str, parts))
    return str(value)
