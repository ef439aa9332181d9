"""Values of assertions in files: schemas, texts, Python functions, prompts of graders."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from edison.evals.document import plain
from edison.evals.errors import NotSupported, Place
from edison.evals.files import SCHEME, Files
from edison.evals.plan import EvalTest

_FUNCTION = re.compile(r"(?P<file>.+\.py)(?::(?P<name>[A-Za-z_]\w*))?")
_JAVASCRIPT = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts")
_DOCUMENTS = {".json", ".yaml", ".yml"}
_DEFAULT_FUNCTION = "get_assert"


def load_assertion_files(test: EvalTest, files: Files) -> EvalTest:
    """The test with the content of the files that it names. Raises ConfigError."""
    options = dict(test.options)
    if isinstance(options.get("rubricPrompt"), str):
        options["rubricPrompt"] = _content(options["rubricPrompt"], files, test.place)
    return replace(
        test,
        options=options,
        assertions=[_loaded(each, files, test.place) for each in test.assertions],
    )


def _loaded(given: Mapping[str, Any], files: Files, place: Place | None) -> Mapping[str, Any]:
    made = dict(given)
    if isinstance(made.get("assert"), list):
        made["assert"] = [_loaded(each, files, place) for each in made["assert"]]
    value, kind = made.get("value"), str(made.get("type")).removeprefix("not-")
    if isinstance(value, str) and (value.startswith(SCHEME) or _is_python_file(kind, value)):
        made["value"] = _value(kind, value, files, place)
    if isinstance(made.get("rubricPrompt"), str):
        made["rubricPrompt"] = _content(made["rubricPrompt"], files, place)
    return made


def _is_python_file(kind: str, value: str) -> bool:
    return kind == "python" and "\n" not in value and _FUNCTION.fullmatch(value) is not None


def _value(kind: str, value: str, files: Files, place: Place | None) -> Any:
    reference = value.removeprefix(SCHEME)
    if reference.partition(":")[0].endswith(_JAVASCRIPT):
        raise NotSupported(f"Code in JavaScript files ({reference}) is not supported.", place)
    function = _FUNCTION.fullmatch(reference)
    if function is None:
        return _content(value, files, place)
    path = files.find(function["file"], place)
    return call_of(path, function["name"] or _DEFAULT_FUNCTION, "output, context")


def call_of(path: Path, function: str, arguments: str) -> str:
    """Code that calls a function of a file. Only the trusted runner can execute it."""
    folder, file = str(path.parent), str(path)
    return "\n".join(
        (
            "import runpy, sys",
            f"sys.path.insert(0, {folder!r})",
            f"return runpy.run_path({file!r})[{function!r}]({arguments})",
        )
    )


def _content(value: str, files: Files, place: Place | None) -> Any:
    if not value.startswith(SCHEME):
        return value
    path = files.find(value, place)
    if path.suffix in _DOCUMENTS:
        return plain(files.load(path))
    return files.read_text(path, place).strip()
