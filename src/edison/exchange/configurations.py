"""Configurations of promptfoo, Edison and OpenAI evals as prompts, cases, scorers and models."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from edison.evals.cases import expanded_vars
from edison.evals.cells import resolved
from edison.evals.errors import ConfigError, NotSupported
from edison.evals.files import Files
from edison.evals.graders import assertions_of, is_graded, named_grader, with_graders
from edison.evals.openai_graders import ITEM
from edison.evals.plan import EvalPrompt, EvalProvider, EvalTest
from edison.evals.providers import read_provider
from edison.evals.read import read_parts
from edison.evals.request import ConfigParts, EvalRequest
from edison.evals.start import chat_of
from edison.evals.targets import TargetKind, target_of
from edison.exchange.drafts import (
    Draft,
    DraftDataset,
    DraftModel,
    DraftPrompt,
    DraftScorer,
    LeftOut,
    counted,
    counted_noun,
)
from edison.exchange.errors import ImportRefused
from edison.exchange.exports import CASE_KEY
from edison.exchange.reduce import Reduction
from edison.exchange.values import good_tags, labels_of, notes_of
from edison.library.datasets import service as datasets
from edison.library.datasets.schemas.datasets import CaseRequest
from edison.library.prompts.schemas import PromptContent
from edison.pipeline.render.template import Syntax
from edison.pipeline.score.assertions.score import provider_key

# The input of a case that holds its own assertions.
CASE_INPUT = "assertions"
_NO_LABELS = ("conversationId", CASE_KEY)
_LONGEST_NAME = 60
_CHECKS = " checks"
_KEYS = ("apiKey", "accessKeyId", "secretAccessKey", "sessionToken", "credentials")
_RECORDED = "They are answers of an earlier run, not a part of cases."
_SCORED = ("transform", "postprocess", "rubricPrompt", "factuality")


def read_configuration(
    path: Path, *, folder: Path, name: str, is_confined: bool, most_cases: int
) -> Draft:
    """Raises ImportRefused with file and line."""
    reduction = Reduction()
    wanted = EvalRequest(folder=folder, is_confined=is_confined)
    try:
        parts = read_parts(wanted, path, reduction.apply)
        return _Reader(parts, name, path.parent, most_cases).draft(reduction.left_out)
    except NotSupported as wrong:
        raise ImportRefused(wrong.message, code="not_supported") from wrong
    except ConfigError as wrong:
        raise ImportRefused(wrong.message, code="bad_configuration") from wrong


class _Reader:
    def __init__(self, parts: ConfigParts, name: str, folder: Path, most_cases: int) -> None:
        self._parts = parts
        description = parts.config.get("description")
        given = description if isinstance(description, str) and description.strip() else name
        self._name = _one_line(given) or "Import"
        self._folder = folder
        self._most_cases = most_cases
        self._is_one_grader = True

    def draft(self, left_out: Sequence[LeftOut]) -> Draft:
        parts = self._parts
        tests = [replace(test, vars=each) for test in parts.tests for each in _vars_of(test)]
        if len(tests) > self._most_cases:
            message = f"The file has {len(tests):,} cases; at most {self._most_cases:,} are taken."
            raise ImportRefused(message, code="too_many")
        found = Draft(name=self._name, left_out=[*left_out])
        found.left_out += [LeftOut(what="key", reason=each) for each in parts.warnings]
        if any(test.output is not None for test in tests):
            # Such a configuration asks nothing: its prompts and providers stand in for the answers.
            found.left_out.append(LeftOut(what="recorded answers", reason=_RECORDED))
        else:
            found.prompts = list(self._prompts(parts.prompts))
            found.models = list(self._models(parts.providers, found))
        self._is_one_grader = len({provider_key(_grader_of(each)) for each in tests}) <= 1
        common, own = _shared_start([self._asserted(test) for test in tests])
        if tests:
            source = counted_noun(len(parts.tests), "test")
            cases = [self._case(test, more) for test, more in zip(tests, own, strict=True)]
            found.datasets = [DraftDataset(source=source, name=self._name, cases=cases)]
        scorer = self._scorer(tests, common, own)
        found.scorers = [] if scorer is None else [scorer]
        found.left_out = counted(found.left_out)
        return found

    def _asserted(self, test: EvalTest) -> list[dict[str, Any]]:
        """A grader of all tests is that of the scorer; others are named in each assertion."""
        if self._is_one_grader:
            return [dict(each) for each in test.assertions]
        return with_graders(test)

    def _prompts(self, given: Sequence[EvalPrompt]) -> Iterable[DraftPrompt]:
        for number, prompt in enumerate(given, start=1):
            parts = chat_of(prompt.raw) or {"text": prompt.raw}
            try:
                content = PromptContent.model_validate({"syntax": Syntax.NUNJUCKS, **parts})
            except ValidationError as wrong:
                message = f"Prompt {number}: {wrong.errors()[0]['msg']}."
                raise ImportRefused(message, code="bad_prompt", field="prompts") from wrong
            label = prompt.label if prompt.label != prompt.raw else str(parts["text"])
            name = _one_line(label).replace("/", " ").replace("\\", " ")
            yield DraftPrompt(
                source=f"prompt {number}", name=name or f"Prompt {number}", content=content
            )

    def _models(self, given: Sequence[EvalProvider], found: Draft) -> Iterable[DraftModel]:
        for provider in given:
            try:
                is_left = target_of(provider, {}).kind is TargetKind.ECHO
                reason = "It gives the prompt back; there is nothing to import."
            except NotSupported as refused:
                is_left, reason = True, refused.message
            if is_left:
                found.left_out.append(LeftOut(what=f"provider {provider.id}", reason=reason))
                continue
            for name in filter(provider.config.get, _KEYS):
                reason = "Keys are not imported. Enter it under Providers."
                found.left_out.append(LeftOut(what=f"{name} of {provider.id}", reason=reason))
            if provider.transform:
                reason = "Answers of a model are not transformed."
                found.left_out.append(LeftOut(what=f"transform of {provider.id}", reason=reason))
            yield DraftModel(source=provider.id, provider=provider)

    def _case(self, test: EvalTest, own: Sequence[Mapping[str, Any]]) -> CaseRequest:
        tags, difficulty, rest = labels_of(
            {name: each for name, each in test.metadata.items() if name not in _NO_LABELS}
        )
        described = [] if test.description is None else [test.description]
        kept, _ = good_tags(tags)
        inputs = {datasets.variable_name(name): each for name, each in resolved(test.vars).items()}
        held = _held(test, own)
        if held or not inputs:
            inputs[CASE_INPUT] = held
        fields = {
            "inputs": inputs,
            "expected": _expected(test.assertions),
            "tags": kept,
            "difficulty": difficulty,
            "notes": notes_of(described, rest),
        }
        # An export of Edison has the fields of the case itself.
        exported = test.metadata.get(CASE_KEY)
        fields |= exported if isinstance(exported, dict) else {}
        try:
            return CaseRequest.model_validate(fields)
        except ValidationError as wrong:
            first = wrong.errors(include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            message = f"Test {test.number + 1}: {place}: {first['msg']}."
            raise ImportRefused(message, code="bad_case", field="tests") from wrong

    def _provider(self, named: Any, test: EvalTest) -> EvalProvider:
        found = read_provider(named, Files.of(self._folder), test.place)
        target_of(found, {})
        return found

    def _scorer(
        self,
        tests: Sequence[EvalTest],
        common: Sequence[Mapping[str, Any]],
        own: Sequence[Sequence[Mapping[str, Any]]],
    ) -> DraftScorer | None:
        has_own = any(own) or any(_held(test, []) for test in tests)
        if not common and not has_own:
            return None
        graders: dict[str, EvalProvider] = {}
        needs_grader = is_any_graded = False
        for test in tests:
            for each in filter(is_graded, assertions_of(test)):
                is_any_graded = True
                named = named_grader(each, test)
                needs_grader = needs_grader or named is None
                if named is not None and provider_key(named) not in graders:
                    graders[provider_key(named)] = self._provider(named, test)
        usual = _grader_of(tests[0]) if self._is_one_grader and is_any_graded else None
        return DraftScorer(
            source="assertions",
            name=f"{_one_line(self._name, _LONGEST_NAME - len(_CHECKS))}{_CHECKS}",
            assertions=[dict(each) for each in common],
            case_input=CASE_INPUT if has_own else "",
            count=len(common) + sum(map(len, own)),
            is_graded=is_any_graded,
            needs_grader=needs_grader,
            grader=None if usual is None else self._provider(usual, tests[0]),
            graders=graders,
        )


def _grader_of(test: EvalTest) -> Any:
    """The provider that grades all assertions of a test, as written."""
    return named_grader({}, test)


def _vars_of(test: EvalTest) -> list[dict[str, Any]]:
    """Without the copy of the item that only graders in Python read."""
    is_needed = any(each.get("type") == "python" for each in assertions_of(test))
    return [
        {name: value for name, value in each.items() if is_needed or name != ITEM}
        for each in expanded_vars(test)
    ]


def _shared_start(
    given: Sequence[Sequence[dict[str, Any]]],
) -> tuple[Sequence[dict[str, Any]], list[Sequence[dict[str, Any]]]]:
    """The assertions that all tests begin with, which are the scorer's, and the others of each."""
    if not given:
        return [], []
    first, length = given[0], 0
    while length < len(first) and all(
        len(each) > length and each[length] == first[length] for each in given
    ):
        length += 1
    return first[:length], [each[length:] for each in given]


def _held(test: EvalTest, own: Sequence[Mapping[str, Any]]) -> Any:
    """What the case's input holds: a list of assertions, or an object with threshold and
    options.
    """
    options = {name: test.options[name] for name in _SCORED if test.options.get(name)}
    if test.threshold is None and not options:
        return [dict(each) for each in own]
    found: dict[str, Any] = {"assert": [dict(each) for each in own]}
    if test.threshold is not None:
        found["threshold"] = test.threshold
    return found | ({"options": options} if options else {})


def _expected(asserted: Sequence[Mapping[str, Any]]) -> str | None:
    """The value of the first assertion that names a whole answer."""
    return next(
        (
            each["value"]
            for each in asserted
            if each.get("type") == "equals" and isinstance(each.get("value"), str)
            if "{{" not in each["value"]
        ),
        None,
    )


def _one_line(text: str, longest: int = _LONGEST_NAME) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip('… ')}…"
