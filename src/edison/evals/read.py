"""Reads configurations of promptfoo into a plan. Nothing is spent, and nothing is stored."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from edison.evals.assertion_files import load_assertion_files
from edison.evals.cases import expanded_vars, merged_test, read_tests, scenario_tests
from edison.evals.document import fill_environment, load_document, plain, resolve_references
from edison.evals.errors import ConfigError, Place, place_of
from edison.evals.files import SCHEME, Files
from edison.evals.keys import find_unknown_keys
from edison.evals.openai_export import read_export
from edison.evals.openai_registry import is_registry, read_registry
from edison.evals.plan import (
    DerivedMetric,
    EvalColumn,
    EvalPlan,
    EvalPrompt,
    EvalProvider,
    EvalRow,
    EvalTest,
)
from edison.evals.prompts import read_prompts
from edison.evals.providers import chosen_providers, read_provider, read_providers
from edison.evals.request import ConfigParts, EvalRequest
from edison.evals.selection import select_tests
from edison.evals.support import check_support, list_unknown_types

NAMES = ("edison.yaml", "promptfooconfig.yaml", "promptfooconfig.yml", "promptfooconfig.json")
_MOST_ROWS = 100_000
_MODEL_OUTPUT = "{{output}}"


def read_parts(
    wanted: EvalRequest, path: Path, reduce: Callable[[dict[str, Any]], None]
) -> ConfigParts:
    """The parts of one configuration file, which may lack any of them. `reduce` takes out what is
    not wanted first. Raises ConfigError.
    """
    part = _Part(path, wanted)
    reduce(part.config)
    return _ConfigReader(wanted, part.config, part.files, part.warnings).parts()


def read_plan(wanted: EvalRequest) -> EvalPlan:
    """Raises ConfigError, and NotSupported with all that Edison does not evaluate."""
    paths = [(wanted.folder / each).resolve() for each in wanted.configs] or _find(wanted)
    parts = [_Part(path, wanted) for path in paths]
    config = _merged([part.config for part in parts])
    files = parts[0].files if parts else wanted.files(wanted.folder)
    return _ConfigReader(wanted, config, files, [w for part in parts for w in part.warnings]).plan()


def _find(wanted: EvalRequest) -> list[Path]:
    found = next((each for name in NAMES if (each := wanted.folder / name).is_file()), None)
    if found is not None:
        return [found]
    if wanted.model_outputs is not None or (wanted.prompts and wanted.providers):
        return []
    raise ConfigError(
        f"There is no edison.yaml or promptfooconfig.yaml in {wanted.folder}. Name a file with -c, "
        "write one with `edison init`, or give prompts with -p, providers with -r and tests "
        "with -t."
    )


class _Part:
    """One configuration file."""

    config: dict[str, Any]

    def __init__(self, path: Path, wanted: EvalRequest) -> None:
        name = path.name if path.parent == wanted.folder.resolve() else str(path)
        if path.suffix not in {".yaml", ".yml", ".json", ".jsonl"}:
            raise ConfigError("A configuration is a YAML, JSON or JSONL file.", Place(name))
        self.files = wanted.files(path.parent)
        if not path.is_file():
            raise ConfigError("There is no such file.", Place(name))
        self.warnings: list[str] = []
        if path.suffix == ".jsonl":
            self.config = read_export(path, name)
            return
        given = load_document(path, name)
        if not isinstance(given, dict):
            raise ConfigError("A configuration must be an object.", Place(name))
        if is_registry(given):
            self.config = read_registry(given, path, self.files)
            return
        given = resolve_references(given, self._load)
        own = given.get("env")
        env = {**wanted.env, **(own if isinstance(own, dict) else {})}
        self.config = fill_environment(given, env)
        self.warnings = list(find_unknown_keys(self.config))

    def _load(self, reference: str, place: Place | None) -> Any:
        return self.files.load(self.files.find(reference, place))


def _merged(configs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Prompts and tests one after the other, equal providers once."""
    if len(configs) <= 1:
        return configs[0] if configs else {}
    merged: dict[str, Any] = {}
    for config in configs:
        for name, value in config.items():
            merged[name] = _together(name, merged[name], value) if name in merged else value
    return merged


def _together(name: str, first: Any, second: Any) -> Any:
    if name == "description":
        return f"{first}, {second}"
    if name == "defaultTest" and isinstance(first, dict) and isinstance(second, dict):
        both = [*(first.get("assert") or []), *(second.get("assert") or [])]
        return {**first, **second, "vars": {**(first.get("vars") or {}),
                **(second.get("vars") or {})}, "assert": both}  # fmt: skip
    if name in {"providers", "targets"} and isinstance(first, list) and isinstance(second, list):
        return [*first, *(each for each in second if each not in first)]
    if name in {"prompts", "tests", "scenarios"}:
        return [*_listed(first), *_listed(second)]
    if isinstance(first, dict) and isinstance(second, dict):
        return {**first, **second}
    return second


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


class _ConfigReader:
    def __init__(
        self, wanted: EvalRequest, config: dict[str, Any], files: Files, warnings: list[str]
    ) -> None:
        self._wanted = wanted
        self._config = config
        self._files = files
        self._here = wanted.files(wanted.folder)
        self._warnings = warnings
        self._defaults = self._read_defaults()
        own = config.get("env")
        self._env = {**wanted.env, **(own if isinstance(own, dict) else {})}
        options = {**_object(config, "commandLineOptions"), **_object(config, "evaluateOptions")}
        self._options = options

    def parts(self) -> ConfigParts:
        config = self._config
        has_providers = "providers" in config or "targets" in config
        return ConfigParts(
            config=config,
            prompts=self._prompts() if config.get("prompts") else [],
            providers=self._providers() if has_providers else [],
            tests=self._tests(None),
            warnings=self._warnings,
        )

    def plan(self) -> EvalPlan:
        wanted, options = self._wanted, self._options
        prompts = self._prompts()
        providers = chosen_providers(self._providers(), wanted.provider_filter)
        columns = list(_columns(prompts, providers))
        tests = self._tests(providers)
        repeats = wanted.repeats or _count(options.get("repeat")) or 1
        rows = list(islice(_rows(tests, columns, repeats), _MOST_ROWS + 1))
        if len(rows) > _MOST_ROWS:
            raise ConfigError(f"There are more than {_MOST_ROWS:,} rows.")
        is_cached = options.get("cache") is not False
        plan = EvalPlan(
            description=_text(self._config.get("description")),
            columns=columns,
            rows=rows,
            config=plain(self._config),
            derived_metrics=list(self._derived()),
            output_paths=[str(each) for each in _listed(self._config.get("outputPath") or [])],
            max_concurrency=wanted.max_concurrency or _count(options.get("maxConcurrency")),
            delay_ms=_count(options.get("delay")) or 0,
            is_cached=is_cached if wanted.is_cached is None else wanted.is_cached,
            repeats=repeats,
            grader=self._grader(),
            env={name: str(each) for name, each in _object(self._config, "env").items()},
            tags={name: str(each) for name, each in _object(self._config, "tags").items()},
            warnings=self._warnings,
        )
        check_support(plan, self._config)
        return replace(plan, warnings=[*plan.warnings, *list_unknown_types(plan)])

    def _prompts(self) -> list[EvalPrompt]:
        wanted = self._wanted
        if wanted.model_outputs is not None:
            return [EvalPrompt(raw=_MODEL_OUTPUT, label=_MODEL_OUTPUT)]
        if wanted.prompts:
            given = [each if "\n" in each else f"{SCHEME}{each}" for each in wanted.prompts]
            return [each for raw in given for each in read_prompts(raw, self._here, None)]
        return read_prompts(self._config.get("prompts"), self._files, self._place("prompts"))

    def _providers(self) -> list[EvalProvider]:
        wanted = self._wanted
        if wanted.model_outputs is not None:
            return read_providers(["echo"], self._files, None)
        if wanted.providers:
            return read_providers(list(wanted.providers), self._here, None)
        name = "providers" if "providers" in self._config else "targets"
        if name not in self._config:
            message = "The configuration names no providers. Name one with -r."
            raise ConfigError(message, place_of(self._config))
        return read_providers(self._config[name], self._files, self._place(name))

    def _tests(self, providers: Sequence[EvalProvider] | None) -> list[EvalTest]:
        """Without `providers`, tests may name any, and there may be none."""
        defaults = self._defaults
        given = self._given_tests()
        scenarios = list(
            scenario_tests(
                self._config.get("scenarios"), self._files, defaults, self._place("scenarios")
            )
        )
        if not given and not scenarios and providers is not None:
            given = [{}]
        merged = [merged_test(at, each, defaults, self._env) for at, each in enumerate(given)]
        first = len(merged)
        chosen = [
            *select_tests(merged, self._wanted.selection),
            *(
                merged_test(first + at, each, defaults, self._env)
                for at, each in enumerate(scenarios)
            ),
        ]
        for test in chosen if providers is not None else ():
            _check_names(test, providers or ())
        return [load_assertion_files(each, self._files) for each in chosen]

    def _given_tests(self) -> list[dict[str, Any]]:
        wanted = self._wanted
        if wanted.model_outputs is not None:
            return self._output_tests(wanted.model_outputs)
        if wanted.tests is not None:
            return read_tests(wanted.tests, self._here, None)
        return read_tests(self._config.get("tests"), self._files, self._place("tests"))

    def _output_tests(self, file: str) -> list[dict[str, Any]]:
        """One test for each recorded answer."""
        path = self._here.find(file, None)
        found = self._here.load(path)
        if not isinstance(found, list):
            raise ConfigError("Recorded answers must be a list.", Place(file))
        return [
            {"vars": {"output": each.get("output") if isinstance(each, dict) else each}}
            for each in found
        ]

    def _read_defaults(self) -> dict[str, Any]:
        given = self._config.get("defaultTest")
        if isinstance(given, str):
            given = self._files.load(self._files.find(given, self._place("defaultTest")))
        defaults = dict(given) if isinstance(given, dict) else {}
        if given is not None and not isinstance(given, dict):
            raise ConfigError("“defaultTest” must be an object.", self._place("defaultTest"))
        if defaults.get("vars") is not None:
            (loaded,) = read_tests([{"vars": defaults["vars"]}], self._files, None)
            defaults["vars"] = loaded["vars"]
        if self._wanted.vars:
            defaults["vars"] = {**self._wanted.vars, **(defaults.get("vars") or {})}
        if self._wanted.assertions is not None:
            path = self._here.find(self._wanted.assertions, None)
            found = self._here.load(path)
            more = found if isinstance(found, list) else [found]
            defaults["assert"] = [*(defaults.get("assert") or []), *more]
        return defaults

    def _grader(self) -> EvalProvider | None:
        if self._wanted.grader is not None:
            return read_provider(self._wanted.grader, self._here, None)
        return None

    def _derived(self) -> Iterator[DerivedMetric]:
        for each in _listed(self._config.get("derivedMetrics") or []):
            if not isinstance(each, dict) or not isinstance(each.get("name"), str):
                raise ConfigError("A derived metric needs a name.", place_of(each))
            yield DerivedMetric(name=each["name"], value=str(each.get("value", "")))

    def _place(self, name: str) -> Place | None:
        members: Mapping[str, Place] = getattr(self._config, "members", {})
        return members.get(name) or place_of(self._config)


def _object(config: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = config.get(name)
    return found if isinstance(found, dict) else {}


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _columns(
    prompts: Sequence[EvalPrompt], providers: Sequence[EvalProvider]
) -> Iterator[EvalColumn]:
    index = 0
    for provider in providers:
        for prompt in prompts:
            if fits(prompt.label, provider.prompts) or fits(prompt.id, provider.prompts):
                yield EvalColumn(index=index, prompt=prompt, provider=provider)
                index += 1


def fits(name: str | None, patterns: Sequence[str] | None) -> bool:
    """Equal, or with a pattern such as `gpt*`, or a group that is named before a colon."""
    if patterns is None:
        return True
    return name is not None and any(
        name == each
        or (each.endswith("*") and name.startswith(each[:-1]))
        or name.startswith(f"{each}:")
        for each in patterns
    )


def _is_asked(provider: EvalProvider, patterns: Sequence[str] | None) -> bool:
    return fits(provider.id, patterns) or fits(provider.label, patterns)


def _check_names(test: EvalTest, providers: Sequence[EvalProvider]) -> None:
    for name in test.providers or ():
        if not any(_is_asked(each, [name]) for each in providers):
            names = ", ".join(each.name for each in providers)
            message = f"Test {test.number + 1} names the provider “{name}”. There are: {names}."
            raise ConfigError(message, test.place)


def _rows(
    tests: Sequence[EvalTest], columns: Sequence[EvalColumn], repeats: int
) -> Iterator[EvalRow]:
    index = 0
    for test in tests:
        combinations = [replace(test, vars=each) for each in expanded_vars(test)]
        for repeat in range(repeats):
            for expanded in combinations:
                for column in columns:
                    if _is_asked(column.provider, test.providers) and fits(
                        column.prompt.label, test.prompts
                    ):
                        yield EvalRow(test_index=index, column=column, test=expanded, repeat=repeat)
                index += 1
