"""Reads evals of OpenAI's platform: JSON Lines of objects as its API and dashboard give them.

A line is an eval (`testing_criteria`), a run (`data_source` with the prompt and the model), an
output item, or data (`item`, optionally `sample`). The graders become assertions.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from edison.evals.errors import ConfigError, NotSupported, Place
from edison.evals.openai_graders import ITEM, assertion_of, flattened, rewritten

_SAMPLING = {
    "max_completion_tokens": "max_tokens",
    "max_completions_tokens": "max_tokens",
    "max_tokens": "max_tokens",
    "seed": "seed",
    "temperature": "temperature",
    "top_p": "top_p",
}

Json = Mapping[str, Any]


def read_export(path: Path, name: str) -> dict[str, Any]:
    """A configuration in the form of promptfoo. Raises ConfigError."""
    evaluation: Json | None = None
    run: Json = {}
    items: list[tuple[Json, Json]] = []
    for line, place in _lines(path, name):
        if isinstance(line.get("testing_criteria"), list):
            evaluation = line
        elif isinstance(line.get("data_source"), dict):
            run = line["data_source"]
            items += _items_of(run)
        elif isinstance(line.get("datasource_item"), dict):
            items.append((line["datasource_item"], _sample(line.get("sample"))))
        elif isinstance(line.get("item"), dict):
            items.append((line["item"], _sample(line.get("sample"))))
        else:
            raise ConfigError("This is no eval, run, output item or data of OpenAI's Evals.", place)
    if evaluation is None:
        message = "The file has no eval with testing_criteria. Add it as a line of its own."
        raise ConfigError(message, Place(name))
    if not items:
        raise ConfigError("The file has no items.", Place(name))
    return _configuration(evaluation, run, items, Place(name))


def _lines(path: Path, name: str) -> Iterator[tuple[Json, Place]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as wrong:
        raise ConfigError(f"The file cannot be read: {wrong}.", Place(name)) from wrong
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        place = Place(name, number)
        try:
            found = json.loads(line)
        except ValueError as wrong:
            raise ConfigError(f"This is not valid JSON: {wrong}.", place) from wrong
        if not isinstance(found, dict):
            raise ConfigError("A line must be an object.", place)
        yield found, place


def _items_of(data_source: Json) -> list[tuple[Json, Json]]:
    """Items that are part of a run."""
    source = data_source.get("source")
    content = source.get("content") if isinstance(source, dict) else None
    return [
        (each["item"], _sample(each.get("sample")))
        for each in (content if isinstance(content, list) else [])
        if isinstance(each, dict) and isinstance(each.get("item"), dict)
    ]


def _sample(given: Any) -> Json:
    return given if isinstance(given, dict) else {}


def _configuration(
    evaluation: Json, run: Json, items: Sequence[tuple[Json, Json]], place: Place
) -> dict[str, Any]:
    criteria = [each for each in evaluation["testing_criteria"] if isinstance(each, dict)]
    asserted = [assertion_of(each, place) for each in criteria]
    chat = _template(run)
    tests = []
    for number, (item, sample) in enumerate(items, start=1):
        test: dict[str, Any] = {
            "description": f"item {number}",
            "vars": {**flattened(item), ITEM: json.dumps(item, ensure_ascii=False)},
            "assert": asserted,
        }
        if chat is None:
            test["providerOutput"] = _answer(sample, number, place)
        tests.append(test)
    found: dict[str, Any] = {
        "description": str(evaluation.get("name") or "Evaluation"),
        "prompts": [{"raw": json.dumps(chat or _RECORDED), "label": "prompt of the run"}],
        "tests": tests,
    }
    if chat is None:
        return found | {"providers": ["echo"]}
    model = run.get("model")
    return found if not isinstance(model, str) else found | {"providers": [_provider(model, run)]}


_RECORDED = [{"role": "user", "content": f"{{{{{ITEM}}}}}"}]


def _template(run: Json) -> list[dict[str, str]] | None:
    """The messages of the run's prompt; None for a run of recorded answers."""
    messages = run.get("input_messages")
    template = messages.get("template") if isinstance(messages, dict) else None
    if not isinstance(template, list):
        return None
    return [
        {"role": str(each.get("role", "user")).replace("developer", "system"), "content": text}
        for each in template
        if isinstance(each, dict) and (text := rewritten(_text(each.get("content"))))
    ]


def _text(content: Any) -> str:
    if isinstance(content, dict):
        content = content.get("text")
    return content if isinstance(content, str) else ""


def _provider(model: str, run: Json) -> dict[str, Any]:
    sampling = run.get("sampling_params")
    given = sampling if isinstance(sampling, dict) else {}
    config = {ours: given[name] for name, ours in _SAMPLING.items() if given.get(name) is not None}
    return {"id": f"openai:chat:{model}", "config": config}


def _answer(sample: Json, number: int, place: Place) -> str:
    """The recorded answer of a sample."""
    if isinstance(sample.get("output_text"), str):
        return str(sample["output_text"])
    output = sample.get("output")
    for each in output if isinstance(output, list) else ():
        if isinstance(each, dict) and isinstance(each.get("content"), str):
            return str(each["content"])
    message = f"Item {number} has no recorded answer, and the file has no run with a prompt."
    raise NotSupported(message, place)
