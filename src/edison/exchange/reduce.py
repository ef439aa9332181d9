"""Takes out of a configuration what a project cannot hold: code in files, commands, what Edison
does not evaluate. Each is named with its place, and the rest is imported.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from edison.evals.errors import Place, item_places, place_of
from edison.exchange.drafts import LeftOut
from edison.pipeline.score.assertions.registry import UNSUPPORTED

_CODE = r"\.(?:py|js|cjs|mjs|ts|cts|mts|rb|sh|go)(?::[A-Za-z_]\w*)?"
_CODE_FILE = re.compile(rf"(?:file://|python:|package:)?[^\n{{}}]*{_CODE}")
_CODE_REFERENCE = re.compile(rf"(?:file://|package:)[^\n]*{_CODE}")
_NOT_RUN = "A server does not run code in files. The command edison eval does."
_TOP = {
    "redteam": "Red teaming is not supported.",
    "extensions": "Extensions are code, which a server does not run.",
    "nunjucksFilters": "Filters in JavaScript files are not supported.",
    "derivedMetrics": "A project has no derived metrics.",
    "outputPath": "The results of runs are in the project.",
    "sharing": "The results of runs are in the project.",
}
_REMOTE = ("huggingface://", "https://", "http://", "sharepoint://", "az://", "s3://")
_OPTIONS = {
    "storeOutputAs": "It needs the answers of earlier tests.",
    "runSerially": "The tests of a run are asked at the same time.",
    "transformVars": "Inputs of cases are not transformed.",
    "prefix": "Put it into the prompt.",
    "suffix": "Put it into the prompt.",
}


class Reduction:
    """Changes a configuration in place; `left_out` is what it took."""

    def __init__(self) -> None:
        self.left_out: list[LeftOut] = []

    def apply(self, config: dict[str, Any]) -> None:
        members: Mapping[str, Place] = getattr(config, "members", {})
        for name, reason in _TOP.items():
            if config.get(name):
                self._note(name, reason, members.get(name))
            config.pop(name, None)
        if isinstance(config.get("prompts"), str):
            config["prompts"] = [config["prompts"]]
        self._filter(config, "prompts", _find_code_prompt, "prompt")
        for name in ("providers", "targets"):
            self._filter(config, name, _find_code_provider, "provider")
        self._tests(config, "tests")
        for scenario in _objects(config.get("scenarios")):
            self._tests(scenario, "config")
            self._tests(scenario, "tests")
        if isinstance(config.get("defaultTest"), dict):
            self._test(config["defaultTest"])

    def _note(self, what: str, reason: str, place: Place | None) -> None:
        shown = None if place is None else str(place)
        self.left_out.append(LeftOut(what=what[:200], reason=reason, place=shown))

    def _filter(
        self,
        owner: dict[str, Any],
        name: str,
        find: Callable[[Any], tuple[str, str] | None],
        noun: str,
    ) -> None:
        given = owner.get(name)
        if not isinstance(given, list):
            return
        kept = []
        for item, place in zip(given, item_places(given, place_of(given)), strict=True):
            found = find(item)
            if found is None:
                kept.append((item, place))
            else:
                self._note(f"{noun} {found[0]}", found[1], place_of(item) or place)
        given[:] = [item for item, _ in kept]
        if hasattr(given, "item_places"):
            given.item_places = [place for _, place in kept]
        if not given:
            del owner[name]

    def _tests(self, owner: dict[str, Any], name: str) -> None:
        if isinstance(owner.get(name), str):
            owner[name] = [owner[name]]
        self._filter(owner, name, _find_code_test, "tests")
        for test in _objects(owner.get(name)):
            self._test(test)

    def _test(self, test: dict[str, Any]) -> None:
        place = place_of(test)
        options = test.get("options")
        if isinstance(options, dict):
            for name in [*options]:
                reason = _OPTIONS.get(name)
                if reason is None and name == "transform" and _is_code(options[name]):
                    reason = _NOT_RUN
                if reason is not None:
                    self._note(f"option {name}", reason, place)
                    del options[name]
        self._filter(test, "assert", _find_code_assertion, "assertion")
        for each in _objects(test.get("assert")):
            self._filter(each, "assert", _find_code_assertion, "assertion")
        for name in ("prompts", "providers"):
            if test.pop(name, None) is not None:
                reason = "A run asks all of its cases with each prompt and model."
                self._note(f"{name} of a test", reason, place)


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    yield from (each for each in value if isinstance(each, dict)) if isinstance(value, list) else ()


def _is_code(value: Any) -> bool:
    return isinstance(value, str) and _CODE_REFERENCE.fullmatch(value.strip()) is not None


def _find_code_prompt(item: Any) -> tuple[str, str] | None:
    text = item.get("raw", item.get("id")) if isinstance(item, dict) else item
    if not isinstance(text, str):
        return None
    if text.startswith("exec:") or _CODE_FILE.fullmatch(text.strip()):
        return text, _NOT_RUN
    if re.search(r"\b_conversation\b", text):
        return text, "It needs the answers of earlier tests."
    return None


def _find_code_provider(item: Any) -> tuple[str, str] | None:
    if isinstance(item, dict) and "id" not in item and len(item) == 1:
        name: Any = next(iter(item))
    else:
        name = item.get("id") if isinstance(item, dict) else item
    if not isinstance(name, str):
        return None
    if name.startswith(("exec:", "python:", "package:", "golang:")) or _CODE_FILE.fullmatch(name):
        return name, _NOT_RUN
    if name.startswith(("http:", "https:", "webhook:", "websocket:", "ws:")) or name == "http":
        return (
            name,
            "Calls of an address are not models of a project. The command edison eval makes them.",
        )
    return None


def _find_code_test(item: Any) -> tuple[str, str] | None:
    text = item.get("path") if isinstance(item, dict) else item
    if isinstance(text, str):
        if text.startswith(_REMOTE):
            return text, "Save them as a file and import a zip of the folder."
        if _CODE_FILE.fullmatch(text):
            return text, _NOT_RUN
        return None
    values = item.get("vars") if isinstance(item, dict) else None
    for name, value in values.items() if isinstance(values, dict) else ():
        if _is_code(value):
            return f"with {name}: {value}", _NOT_RUN
    return None


def _find_code_assertion(item: Any) -> tuple[str, str] | None:
    if not isinstance(item, dict):
        return None
    kind = str(item.get("type"))
    base = kind.removeprefix("not-")
    if base in UNSUPPORTED:
        return kind, UNSUPPORTED[base]
    value = item.get("value")
    is_file = isinstance(value, str) and base == "python" and _CODE_FILE.fullmatch(value.strip())
    if is_file or _is_code(value) or _is_code(item.get("transform")):
        return f"{kind} {value}", _NOT_RUN
    return None
