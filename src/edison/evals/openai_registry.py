"""Reads evals of the repository openai/evals: a YAML file of its registry with JSONL samples.

Each eval becomes a configuration in the form of promptfoo, whose assertions decide as the class of
the eval does.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from edison.evals.errors import ConfigError, NotSupported, Place, place_of
from edison.evals.files import Files
from edison.evals.openai_classify import CLASS, read_classification
from edison.pipeline.render.nunjucks_template import escape_nunjucks

_MODULE = "evals.elsuite."
_IDEALS = "sample_ideals"
_FEW_SHOT = ("num_few_shot", "few_shot_jsonl")
# Both read the ideals from a variable, as JSON: a list would become several tests.
_FUZZY = """
const plain = (text) => text.toLowerCase()
  .replace(/[!-\\/:-@\\[-`\\x7b-~]/g, "").replace(/\\b(a|an|the)\\b/g, " ")
  .split(/\\s+/).filter((word) => word).join(" ");
const found = plain(String(output));
return JSON.parse(context.vars.sample_ideals).some((each) => {
  const ideal = plain(each);
  if (!ideal || !found) return ideal === found;
  return ideal.includes(found) || found.includes(ideal);
});
"""
_JSON = """
const sorted = (value) => value && typeof value === "object" && !Array.isArray(value)
  ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
  : Array.isArray(value) ? value.map(sorted) : value;
const read = (text) => { try { return JSON.parse(text); } catch (wrong) { return null; } };
const found = read(output);
if (found === null) return false;
return JSON.parse(context.vars.sample_ideals).some((each) =>
  JSON.stringify(sorted(read(each))) === JSON.stringify(sorted(found)));
"""


def is_registry(document: Mapping[str, Any]) -> bool:
    return any(
        isinstance(each, dict) and str(each.get("class")).startswith(_MODULE)
        for each in document.values()
    )


def read_registry(document: Mapping[str, Any], path: Path, files: Files) -> dict[str, Any]:
    """The configuration of all evals of a registry file. Samples are in `registry/data`. Raises
    ConfigError.
    """
    registry = path.resolve().parent.parent
    if files.is_confined and not registry.is_relative_to(files.root):
        registry = files.root
    root = files.root if registry.is_relative_to(files.root) else registry
    below = replace(files, folder=registry / "data", root=root)
    prompts: dict[str, str] = {}
    tests: list[dict[str, Any]] = []
    for name, spec in document.items():
        if isinstance(spec, dict) and "class" in spec:
            tests += _tests(str(name), spec, below, prompts)
    description = next(
        (each["description"] for each in document.values()
         if isinstance(each, dict) and isinstance(each.get("description"), str)), path.stem,
    )  # fmt: skip
    return {
        "description": description,
        "prompts": [{"raw": raw, "label": label} for label, raw in prompts.items()],
        "tests": tests,
    }


def _tests(
    name: str, spec: Mapping[str, Any], files: Files, prompts: dict[str, str]
) -> list[dict[str, Any]]:
    place, arguments = place_of(spec), spec.get("args")
    kind = str(spec["class"]).removeprefix(_MODULE)
    given = arguments if isinstance(arguments, dict) else {}
    if not isinstance(given.get("samples_jsonl"), str):
        raise ConfigError(f"The eval {name} names no samples_jsonl.", place)
    if any(given.get(each) for each in _FEW_SHOT):
        raise NotSupported(f"The eval {name} adds examples to the prompts (few-shot).", place)
    path = files.find(given["samples_jsonl"], place)
    classified = None
    if kind == CLASS:
        registry = Files(
            folder=files.folder.parent, root=files.root, allows_outside=files.allows_outside
        )
        classified = read_classification(given, registry, place)
    found = []
    for number, line in enumerate(files.read_text(path, place).splitlines(), start=1):
        if not line.strip():
            continue
        where = Place(files.name(path), number)
        sample = _sample(line, where)
        label, values = _prompt(sample.get("input"), prompts, where)
        if classified is None:
            ideals = _ideals(sample.get("ideal"), where)
            values[_IDEALS] = json.dumps(ideals)
            assertion: Mapping[str, Any] = _assertion(kind, ideals, given, place)
        else:
            values |= classified.values(sample, where)
            assertion = classified.assertion
        found.append(
            {
                "description": f"{name} {number}",
                "vars": values,
                "prompts": [label],
                "assert": [assertion],
            }
        )
    return found


def _sample(line: str, place: Place) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError as wrong:
        raise ConfigError(f"This is not valid JSON: {wrong}.", place) from wrong
    if not isinstance(found, dict):
        raise ConfigError("A sample must be an object.", place)
    return found


def _prompt(given: Any, prompts: dict[str, str], place: Place) -> tuple[str, dict[str, str]]:
    """The label of the prompt for a chat with these roles, and its values."""
    messages = [{"role": "user", "content": given}] if isinstance(given, str) else given
    if not isinstance(messages, list) or not messages or not all(map(_is_message, messages)):
        raise ConfigError("“input” must be a text or a list of messages with text.", place)
    roles = [each["role"] for each in messages]
    names = [f"sample_message_{at}" for at in range(1, len(messages) + 1)]
    label = " ".join(roles)
    chat = [
        {"role": role, "content": f"{{{{{name}}}}}"}
        for role, name in zip(roles, names, strict=True)
    ]
    prompts.setdefault(label, json.dumps(chat))
    # Texts of a chat are filled in as they are; only texts of assertions are templates.
    return label, {name: each["content"] for name, each in zip(names, messages, strict=True)}


def _is_message(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("role"), str)
        and isinstance(value.get("content"), str)
    )


def _ideals(given: Any, place: Place) -> list[str]:
    found = given if isinstance(given, list) else [given]
    if not found or not all(isinstance(each, str) for each in found):
        raise ConfigError("“ideal” must be a text or a list of texts.", place)
    return found


def _assertion(
    kind: str, ideals: Sequence[str], arguments: Mapping[str, Any], place: Place | None
) -> dict[str, Any]:
    written = [escape_nunjucks(each) for each in ideals]
    if kind == "basic.match:Match":
        members = [{"type": "starts-with", "value": each} for each in written]
        # One of them is enough: the score of a set is the share that passes.
        return {"type": "assert-set", "threshold": 1 / len(members), "assert": members}
    if kind == "basic.includes:Includes":
        is_blind = bool(arguments.get("ignore_case"))
        return {"type": "icontains-any" if is_blind else "contains-any", "value": written}
    if kind == "basic.fuzzy_match:FuzzyMatch":
        return {"type": "javascript", "value": _FUZZY.strip()}
    if kind == "basic.json_match:JsonMatch":
        return {"type": "javascript", "value": _JSON.strip()}
    raise NotSupported(f"Evals of the class {_MODULE}{kind} are not supported.", place)
