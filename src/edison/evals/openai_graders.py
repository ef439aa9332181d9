"""OpenAI's graders as assertions: string_check, text_similarity, label_model, score_model, python,
multi. Templates name values as `{{item.name}}` and the answer as `{{sample.output_text}}`.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from edison.evals.derived import evaluate
from edison.evals.errors import ConfigError, NotSupported, Place

# The whole item as JSON, for graders in Python.
ITEM = "openai_item"
_REFERENCE = re.compile(r"\{\{\s*(item|sample)\.([\w.]+)\s*\}\}")
_ANSWER = re.compile(r"\{\{\s*sample\.(output_text|output_json)((?:\.\w+)*)\s*\}\}")
_CHECKS = {"eq": "equals", "ne": "not-equals", "like": "contains", "ilike": "icontains"}
_METRICS = {"bleu": "bleu", "gleu": "gleu", "meteor": "meteor", "rouge_1": "rouge-n"}
_ROUNDING = 1e-6
# The ratio of rapidfuzz: twice the longest common subsequence over both lengths.
_FUZZY = """
const a = String(output), b = String(context.vars[{name}] ?? {text});
let row = new Array(b.length + 1).fill(0);
for (let i = 1; i <= a.length; i++) {{
  const next = [0];
  for (let j = 1; j <= b.length; j++) {{
    next[j] = a[i - 1] === b[j - 1] ? row[j - 1] + 1 : Math.max(row[j], next[j - 1]);
  }}
  row = next;
}}
const score = a.length + b.length ? 2 * row[b.length] / (a.length + b.length) : 1;
return {{pass: score >= {threshold}, score, reason: `Similarity ${{score.toFixed(3)}}`}};
"""

Json = Mapping[str, Any]


def flattened(item: Json, prefix: str = "") -> dict[str, Any]:
    """Values by name, nested names joined by `_`. Lists are JSON: they would be several tests."""
    found: dict[str, Any] = {}
    for name, value in item.items():
        key = f"{prefix}{name}"
        if isinstance(value, dict):
            found |= flattened(value, f"{key}_")
        elif isinstance(value, list):
            found[key] = json.dumps(value, ensure_ascii=False)
        else:
            found[key] = "" if value is None else value
    return found


def rewritten(template: str) -> str:
    """With the names of `flattened`, and `output` for the answer."""

    def name_of(found: re.Match[str]) -> str:
        if found[1] == "sample":
            return "{{ output }}"
        return f"{{{{ {found[2].replace('.', '_')} }}}}"

    return _REFERENCE.sub(name_of, template)


def assertion_of(grader: Json, place: Place) -> dict[str, Any]:
    """Raises ConfigError, or NotSupported."""
    kind = str(grader.get("type"))
    make = _GRADERS.get(kind)
    if make is None:
        raise NotSupported(f"Graders of the type {kind} are not supported.", place)
    try:
        made = make(grader, place)
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        message = f"The grader “{grader.get('name', kind)}” is incomplete: {wrong}."
        raise ConfigError(message, place) from wrong
    return made | ({"metric": str(grader["name"])} if grader.get("name") else {})


def _string_check(grader: Json, place: Place) -> dict[str, Any]:
    operation = _CHECKS[grader["operation"]]
    return {"type": operation, "value": rewritten(grader["reference"]), **_input(grader, place)}


def _input(grader: Json, place: Place) -> dict[str, Any]:
    """What the grader looks at: the answer, or a part of an answer in JSON."""
    found = _ANSWER.fullmatch(str(grader["input"]).strip())
    if found is None:
        raise NotSupported(
            f"The grader “{grader.get('name')}” has the input {grader['input']}; only the answer "
            "({{sample.output_text}}, {{sample.output_json.name}}) is supported.",
            place,
        )
    if found[1] == "output_text":
        return {}
    return {"transform": f"JSON.parse(output){found[2]}"}


def _text_similarity(grader: Json, place: Place) -> dict[str, Any]:
    metric, least = grader["evaluation_metric"], float(grader.get("pass_threshold", 0.5))
    given = _input(grader, place)
    if metric == "fuzzy_match":
        reference = str(grader["reference"])
        found = _REFERENCE.fullmatch(reference.strip())
        name = json.dumps(found[2].replace(".", "_") if found else "")
        code = _FUZZY.format(name=name, text=json.dumps(reference), threshold=least)
        return {"type": "javascript", "value": code.strip(), **given}
    if metric not in _METRICS:
        known = ", ".join(["fuzzy_match", *_METRICS])
        raise NotSupported(f"The metric {metric} is not supported; use one of {known}.", place)
    value = rewritten(grader["reference"])
    return {"type": _METRICS[metric], "value": value, "threshold": least, **given}


def _label_model(grader: Json, place: Place) -> dict[str, Any]:
    passing = grader["passing_labels"]
    scores = {label: float(label in passing) for label in grader["labels"]}
    asked = {
        "role": "system",
        "content": f"Answer with one of these labels and nothing else: {', '.join(scores)}.",
    }
    return {"type": "model-label", "config": {"scores": scores}, **_asked(grader, asked)}


def _score_model(grader: Json, place: Place) -> dict[str, Any]:
    low, high = (float(each) for each in grader.get("range") or (0, 1))
    asked = {"role": "system", "content": f"Answer with a number from {low:g} to {high:g} only."}
    least = float(grader.get("pass_threshold", (low + high) / 2))
    return {
        "type": "model-score",
        "config": {"range": [low, high]},
        "threshold": (least - low) / (high - low),
        **_asked(grader, asked),
    }


def _asked(grader: Json, asked: Mapping[str, str]) -> dict[str, Any]:
    """The messages of the grader after how to answer, and its model."""
    messages = [asked]
    for each in grader["input"]:
        content = each["content"]
        text = content["text"] if isinstance(content, dict) else content
        role = str(each.get("role", "user")).replace("developer", "system")
        messages.append({"role": role, "content": rewritten(text)})
    return {"rubricPrompt": json.dumps(messages), "provider": f"openai:chat:{grader['model']}"}


def _python(grader: Json, place: Place) -> dict[str, Any]:
    """`grade(sample, item)` of the source. Only the command runs it."""
    lines = [
        "import json",
        str(grader["source"]),
        'sample = {"output_text": output}',
        f'return float(grade(sample, json.loads(context["vars"]["{ITEM}"])))',
    ]
    least = float(grader.get("pass_threshold", 0.5))
    return {"type": "python", "value": "\n".join(lines), "threshold": least}


def _multi(grader: Json, place: Place) -> dict[str, Any]:
    """A weighted mean of graders. Other formulas are not supported."""
    graders: Json = grader["graders"]
    formula = str(grader["calculate_output"])
    weights = {
        name: evaluate(formula, {each: float(each == name) for each in graders}) for name in graders
    }
    at_zero, at_one = (evaluate(formula, dict.fromkeys(graders, each)) for each in (0.0, 1.0))
    is_mean = abs(at_zero) < _ROUNDING and abs(at_one - 1) < _ROUNDING
    if not is_mean or abs(sum(weights.values()) - 1) > _ROUNDING or min(weights.values()) < 0:
        raise NotSupported(f"The formula {formula} is no weighted mean of its graders.", place)
    members = [
        assertion_of({"name": name, **each}, place) | {"weight": weights[name]}
        for name, each in graders.items()
    ]
    least = float(grader.get("pass_threshold", 0.5))
    return {"type": "assert-set", "threshold": least, "assert": members}


_GRADERS = {
    "string_check": _string_check,
    "text_similarity": _text_similarity,
    "label_model": _label_model,
    "score_model": _score_model,
    "python": _python,
    "multi": _multi,
}
