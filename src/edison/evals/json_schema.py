"""The JSON Schema of `edison.yaml` and of promptfoo configurations, for editors."""

from typing import Any

from edison.evals import keys
from edison.pipeline.score.assertions.registry import handlers

FILE = "edison.schema.json"
_SET = "assert-set"
_ANY: dict[str, Any] = {}
_TEXT = {"type": "string"}
_OBJECT = {"type": "object"}
_TEXTS = {"type": "array", "items": _TEXT}
_NUMBER = {"type": "number"}


def configuration_schema() -> dict[str, Any]:
    """Names are those that the reader knows, so what an editor accepts gives no warning."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Evaluation of prompts (edison.yaml, promptfooconfig.yaml)",
        **_closed(keys.TOP, _top()),
        "$defs": {
            "prompt": {"anyOf": [_TEXT, _OBJECT]},
            "provider": {"anyOf": [_TEXT, _closed(keys.PROVIDER, _provider()), _OBJECT]},
            "test": _closed(keys.TEST, _test()),
            "assertion": _closed(keys.ASSERTION, _assertion()) | {"required": ["type"]},
        },
    }


def _closed(names: frozenset[str], described: dict[str, Any]) -> dict[str, Any]:
    """An object with these names, with `$ref`, and with names of the user's own."""
    return {
        "type": "object",
        "properties": {name: described.get(name, _ANY) for name in sorted(names | {"$ref"})},
        "patternProperties": {"^x-": _ANY},
        "additionalProperties": False,
    }


def _top() -> dict[str, Any]:
    providers = {"anyOf": [_TEXT, {"type": "array", "items": _ref("provider")}]}
    return {
        "description": _TEXT | {"description": "Name of the evaluation."},
        "prompts": {
            "description": "Texts, files (file://…), patterns, or objects with id and label.",
            "anyOf": [_TEXT, _OBJECT, {"type": "array", "items": _ref("prompt")}],
        },
        "providers": providers | {"description": "Models, such as openai:gpt-4o-mini."},
        "targets": providers | {"description": "The same as providers."},
        "tests": {
            "description": "Tests, or a file with tests: CSV, JSON, JSONL or YAML.",
            "anyOf": [
                _TEXT,
                _OBJECT,
                {"type": "array", "items": {"anyOf": [_TEXT, _ref("test")]}},
            ],
        },
        "defaultTest": {"description": "Merged into each test.", "anyOf": [_TEXT, _ref("test")]},
        "scenarios": {"type": "array", "items": {"anyOf": [_TEXT, _OBJECT]}},
        "derivedMetrics": {"type": "array", "items": _OBJECT},
        "env": _OBJECT | {"description": "Variables of the environment for this file."},
        "evaluateOptions": _OBJECT,
        "outputPath": {"anyOf": [_TEXT, _TEXTS]},
        "tags": {"type": "object", "additionalProperties": _TEXT},
    }


def _provider() -> dict[str, Any]:
    return {
        "id": _TEXT,
        "label": _TEXT | {"description": "Name in the results."},
        "config": _OBJECT | {"description": "Parameters, such as temperature."},
        "prompts": _TEXTS | {"description": "Labels of the prompts it answers."},
        "env": _OBJECT,
    }


def _test() -> dict[str, Any]:
    return {
        "description": _TEXT,
        "vars": {"description": "Values of variables.", "anyOf": [_TEXT, _OBJECT, _TEXTS]},
        "assert": {"type": "array", "items": _ref("assertion")},
        "threshold": _NUMBER | {"description": "The least score that passes."},
        "metadata": _OBJECT,
        "options": _OBJECT,
        "prompts": _TEXTS,
        "providers": _TEXTS,
    }


def _assertion() -> dict[str, Any]:
    types = sorted(handlers())
    return {
        "type": {"enum": [_SET, *types, *(f"not-{each}" for each in types)]},
        "assert": {"type": "array", "items": _ref("assertion")},
        "threshold": _NUMBER,
        "weight": _NUMBER,
        "metric": _TEXT | {"description": "Name under which scores are summed up."},
    }


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}
