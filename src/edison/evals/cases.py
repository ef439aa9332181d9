"""From the tests of a configuration to the rows to evaluate: files, defaults, scenarios, expansion
of lists.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import orjson

from edison.evals.document import fill_environment, parse_document, plain
from edison.evals.errors import ConfigError, NotSupported, Place, place_of
from edison.evals.files import SCHEME, Files
from edison.evals.plan import EvalTest
from edison.evals.providers import text_list
from edison.evals.tables import read_test_file
from edison.pipeline.render.nunjucks.javascript import is_number
from edison.pipeline.score.assertions.read import InvalidAssertion, read_assertions

_CODE = (".js", ".cjs", ".mjs", ".ts", ".py")
_DOCUMENTS = (".yaml", ".yml")
MOST_COMBINATIONS = 100_000


def read_tests(given: Any, files: Files, place: Place | None) -> list[dict[str, Any]]:
    """The tests as objects, with those of files. Raises ConfigError."""
    if given is None:
        return []
    items = given if isinstance(given, list) else [given]
    found: list[dict[str, Any]] = []
    for item in items:
        where = place_of(item) or place_of(given) or place
        if isinstance(item, str):
            found += _from_files(item, files, where)
        elif isinstance(item, dict) and isinstance(item.get("path"), str):
            found += _from_files(item["path"], files, where)
        elif isinstance(item, dict):
            found.append(_loaded(item, files))
        else:
            raise ConfigError("A test must be an object or the name of a file.", where)
    return found


def _sheet_of(reference: str) -> tuple[str, str | None]:
    """A workbook may be followed by `#` and the name or the number of a sheet."""
    found = re.fullmatch(r"(.+\.xlsx)#(.+)", reference, re.IGNORECASE)
    return (reference, None) if found is None else (found[1], found[2])


def _from_files(reference: str, files: Files, place: Place | None) -> list[dict[str, Any]]:
    if reference.startswith(("huggingface://", "https://", "http://", "sharepoint://")):
        raise NotSupported(f"Tests from {reference} are not supported; save them as a file.", place)
    reference, sheet = _sheet_of(reference)
    paths = list(files.match(reference, place))
    if not paths:
        paths = [files.find(reference, place)]
    return [
        _loaded(test, files.below(path))
        for path in paths
        for test in read_test_file(path, files, place, sheet=sheet)
    ]


def _loaded(test: Any, files: Files) -> dict[str, Any]:
    """Variables may be in files. Changes the test in place, so that its place is kept."""
    if not isinstance(test, dict):
        raise ConfigError("A test must be an object.", place_of(test))
    place = place_of(test)
    given = test.get("vars")
    if isinstance(given, str | list):
        names = text_list(given, "vars", place)
        test["vars"] = {}
        for name in names:
            for path in files.match(name, place) or [files.find(name, place)]:
                found = files.load(path)
                test["vars"] |= found if isinstance(found, dict) else {}
    elif given is not None and not isinstance(given, dict):
        raise ConfigError("“vars” must be an object.", place)
    if isinstance(test.get("vars"), dict):
        test["vars"] = {name: _value(each, files, place) for name, each in test["vars"].items()}
    return test


def _value(value: Any, files: Files, place: Place | None) -> Any:
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return [_value(each, files, place) for each in value]
    if not isinstance(value, str) or not value.startswith(SCHEME):
        return value
    if any(sign in value for sign in "*?["):
        found = files.match(value, place)
        return [_file_value(path, files, place) for path in found]
    return _file_value(files.find(value, place), files, place)


def _file_value(path: Path, files: Files, place: Place | None) -> str:
    if path.suffix in _CODE:
        raise NotSupported(f"Variables from code ({files.name(path)}) are not supported.", place)
    text = files.read_text(path, place)
    if path.suffix in _DOCUMENTS:
        return orjson.dumps(plain(parse_document(text, files.name(path)))).decode()
    return text.strip()


def scenario_tests(
    given: Any, files: Files, defaults: Mapping[str, Any], place: Place | None
) -> Iterator[dict[str, Any]]:
    """Each entry of `config` with each test. Raises ConfigError."""
    number = 0
    scenarios = [] if given is None else given
    if not isinstance(scenarios, list):
        raise ConfigError("“scenarios” must be a list.", place)
    for item in scenarios:
        where = place_of(item) or place
        scenario = files.load(files.find(item, where)) if isinstance(item, str) else item
        if not isinstance(scenario, dict):
            raise ConfigError("A scenario must be an object.", where)
        settings = read_tests(scenario.get("config"), files, where) or [{}]
        for each in settings:
            for test in read_tests(scenario.get("tests"), files, where) or [{}]:
                yield _joined(defaults, each, test, number)
            number += 1


def _joined(
    defaults: Mapping[str, Any], config: Mapping[str, Any], test: Mapping[str, Any], number: int
) -> dict[str, Any]:
    metadata = {
        **_part(defaults, "metadata"),
        **_part(config, "metadata"),
        **_part(test, "metadata"),
    }
    return {
        **{name: each for name, each in defaults.items() if name != "assert"},
        **config,
        **test,
        "vars": {**_part(config, "vars"), **_part(test, "vars")},
        "options": {**_part(config, "options"), **_part(test, "options")},
        "assert": [*(config.get("assert") or []), *(test.get("assert") or [])],
        "metadata": {**metadata, "conversationId": metadata.get(
            "conversationId", f"__scenario_{number}__"
        )},
    }  # fmt: skip


def _part(test: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = test.get(name)
    return found if isinstance(found, dict) else {}


def merged_test(
    number: int, test: Mapping[str, Any], defaults: Mapping[str, Any], env: Mapping[str, str]
) -> EvalTest:
    """The test with the defaults filled in. Raises ConfigError."""
    place = place_of(test)
    options = {**_part(defaults, "options"), **_part(test, "options")}
    own = test.get("assert") or []
    if not isinstance(own, list):
        raise ConfigError("“assert” must be a list.", place)
    inherited = [] if options.get("disableDefaultAsserts") else defaults.get("assert") or []
    asserted = [*inherited, *own]
    _check_assertions(asserted, number, place)
    threshold = test.get("threshold", defaults.get("threshold"))
    if threshold is not None and not is_number(threshold):
        raise ConfigError("“threshold” must be a number.", place)
    description = test.get("description")
    prompts, providers = test.get("prompts"), test.get("providers")
    return EvalTest(
        number=number,
        vars=fill_environment(plain({**_part(defaults, "vars"), **_part(test, "vars")}), env),
        assertions=[plain(each) for each in asserted],
        threshold=threshold,
        options=plain(options),
        metadata=plain({**_part(defaults, "metadata"), **_part(test, "metadata")}),
        description=description if isinstance(description, str) else None,
        prompts=None if prompts is None else text_list(prompts, "prompts", place),
        providers=None if providers is None else text_list(providers, "providers", place),
        output=plain(test.get("providerOutput")),
        place=place,
    )


def _check_assertions(asserted: Sequence[Any], number: int, place: Place | None) -> None:
    for each in asserted:
        try:
            read_assertions([each])
        except InvalidAssertion as wrong:
            message = str(wrong).replace("Assertion 1", "An assertion", 1)
            where = place_of(each) or place
            raise ConfigError(f"Test {number + 1}: {message}", where) from wrong


def expanded_vars(test: EvalTest) -> list[dict[str, Any]]:
    """Lists whose first element is a text give one row per element, in all combinations. Raises
    ConfigError when they are too many.
    """
    if test.options.get("disableVarExpansion"):
        return [dict(test.vars)]
    names = list(test.vars)
    choices = [_choices(test.vars[name]) for name in names]
    if prod(map(len, choices)) > MOST_COMBINATIONS:
        message = f"A test has at most {MOST_COMBINATIONS:,} combinations of values."
        raise ConfigError(message, test.place)
    return [dict(zip(names, chosen, strict=True)) for chosen in product(*choices)]


def _choices(value: Any) -> Sequence[Any]:
    if isinstance(value, list) and value and isinstance(value[0], str):
        return value
    return [value]
