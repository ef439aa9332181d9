"""Exports in forms that other programs read: a configuration of promptfoo or `edison.yaml` with
prompts, cases, assertions and models; a prompt as Markdown, text or JSON. Keys are never exported.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args
from uuid import UUID

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.evals.prompts import looks_like_file
from edison.exchange.provider_ids import provider_of
from edison.exchange.schemas import ExportFormat
from edison.kit.errors import FieldProblem, Invalid
from edison.library.datasets import service as datasets
from edison.library.datasets.models import Case
from edison.library.models import service as models
from edison.library.prompts import service as prompts
from edison.library.scorers import service as scorers
from edison.loops.bundles import service as bundles
from edison.loops.bundles.manifest import BundleKind
from edison.loops.bundles.selection import Wanted
from edison.loops.bundles.yaml_text import write_yaml
from edison.pipeline.render.template import Syntax, to_nunjucks
from edison.pipeline.score.assertions.read import read_case
from edison.workspace.audit import service as audit

CONFIGURATIONS = ("promptfoo", "edison")
SUFFIXES: dict[ExportFormat, Literal["yaml", "md", "txt", "json"]] = {
    "promptfoo": "yaml",
    "edison": "yaml",
    "md": "md",
    "txt": "txt",
    "json": "json",
}
FORMATS: Sequence[ExportFormat] = get_args(ExportFormat)
# Where a configuration keeps what only Edison's cases have.
CASE_KEY = "edison"
_SCHEMA = b"# yaml-language-server: $schema=./edison.schema.json\n"
_ASSERTIONS = ("assertions", "graded_assertions")


async def export_file(
    database: Database, *, project_id: UUID, wanted: Wanted, file_format: ExportFormat
) -> tuple[bytes, str]:
    """The file, and the name of what it holds. Raises NotFound, and Invalid when there is no such
    form of it. The export is recorded in the audit log.
    """
    async with database.read() as session:
        content, name = await _write_file(session, project_id, wanted, file_format)
    async with database.write() as session:
        audit.record(
            session,
            f"{wanted.kind}.exported",
            entity=(wanted.kind, wanted.id or project_id),
            project_id=project_id,
            after={"name": name, "format": file_format},
        )
    return content, name


async def _write_file(
    session: AsyncSession, project_id: UUID, wanted: Wanted, file_format: ExportFormat
) -> tuple[bytes, str]:
    if file_format not in CONFIGURATIONS:
        if wanted.kind is not BundleKind.PROMPT or wanted.id is None:
            message = "Only prompts are exported in this format."
            raise Invalid(FieldProblem(field="format", message=message, code="not_possible"))
        return await _prompt_file(session, project_id, wanted.id, file_format)
    selected = await bundles.select(session, project_id=project_id, wanted=wanted)
    writing = _Configuration(session, project_id)
    for prompt_id in sorted(selected.prompts):
        await writing.add_prompt(prompt_id)
    for model_id in sorted(selected.models):
        await writing.add_model(model_id)
    for scorer_id in sorted(selected.scorers):
        await writing.add_scorer(scorer_id)
    for dataset_id in sorted(selected.datasets):
        await writing.add_dataset(dataset_id)
    content = writing.content(selected.name, with_schema=file_format == "edison")
    return content, selected.name


async def _prompt_file(
    session: AsyncSession, project_id: UUID, prompt_id: UUID, file_format: ExportFormat
) -> tuple[bytes, str]:
    prompt = await prompts.get_prompt(session, project_id=project_id, prompt_id=prompt_id)
    parts = await prompts.get_draft_parts(session, prompt_id=prompt_id)
    if file_format == "json":
        described = {"name": prompt.name, "description": prompt.description, **parts}
        return orjson.dumps(described, option=orjson.OPT_INDENT_2) + b"\n", prompt.name
    sections = prompts.sections_of(parts)
    if file_format == "txt":
        text = "\n\n".join(each for _, each in sections)
    else:
        body = "\n\n".join(f"## {title}\n\n{_fenced(each)}" for title, each in sections)
        about = f"\n{prompt.description}\n" if prompt.description else ""
        text = f"# {prompt.name}\n{about}\n{body}"
    return f"{text}\n".encode(), prompt.name


def _fenced(text: str) -> str:
    """In a fence that the text itself does not contain."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"


class _Configuration:
    def __init__(self, session: AsyncSession, project_id: UUID) -> None:
        self._session = session
        self._project_id = project_id
        self._prompts: list[dict[str, Any]] = []
        self._providers: list[Any] = []
        self._assertions: list[Any] = []
        self._options: dict[str, Any] = {}
        self._threshold: float | None = None
        self._tests: list[dict[str, Any]] = []
        self._inputs: set[str] = set()
        self._left_out: list[str] = []

    async def add_prompt(self, prompt_id: UUID) -> None:
        prompt = await prompts.get_prompt(
            self._session, project_id=self._project_id, prompt_id=prompt_id
        )
        parts = await prompts.get_draft_parts(self._session, prompt_id=prompt_id)
        self._prompts.append({"label": prompt.name, "raw": _raw(parts)})
        if parts["tools"]:
            self._left_out.append(f"the tools of the prompt {prompt.name}")

    async def add_model(self, model_id: UUID) -> None:
        found = await models.get_callable(
            self._session, project_id=self._project_id, model_id=model_id
        )
        self._providers.append(provider_of(found))

    async def add_scorer(self, scorer_id: UUID) -> None:
        scorer = await scorers.get_scorer(
            self._session, project_id=self._project_id, scorer_id=scorer_id
        )
        if scorer.kind not in _ASSERTIONS:
            self._left_out.append(f"the scorer {scorer.name} ({scorer.kind_title})")
            return
        options = scorer.options
        self._assertions += orjson.loads(options["assertions"])
        self._inputs |= {options["case_input"]} if options.get("case_input") else set()
        if options.get("list_threshold") is not None:
            self._threshold = options["list_threshold"]
        if scorer.kind == "graded_assertions":
            grader = await models.get_callable(
                self._session, project_id=self._project_id, model_id=UUID(str(options["model_id"]))
            )
            self._options["provider"] = provider_of(grader)

    async def add_dataset(self, dataset_id: UUID) -> None:
        dataset = await datasets.get_for_run(
            self._session, project_id=self._project_id, dataset_id=dataset_id
        )
        cases = await datasets.list_cases(self._session, dataset=dataset)
        self._tests += [_test(case, self._inputs) for case in cases]

    def content(self, name: str, *, with_schema: bool) -> bytes:
        default: dict[str, Any] = {}
        if self._assertions:
            default["assert"] = self._assertions
        if self._threshold is not None:
            default["threshold"] = self._threshold
        if self._options:
            default["options"] = self._options
        config = {
            "description": name,
            "prompts": self._prompts,
            "providers": self._providers,
            "defaultTest": default,
            "tests": self._tests,
        }
        written = write_yaml({key: each for key, each in config.items() if each})
        notes = "".join(f"# Not exported: {' '.join(each.split())}.\n" for each in self._left_out)
        return (_SCHEMA if with_schema else b"") + notes.encode() + written


def _raw(parts: Mapping[str, Any]) -> str:
    """The text as a Nunjucks template, or a chat in JSON of several lines."""

    def text_of(text: str) -> str:
        return to_nunjucks(text, Syntax(parts["syntax"]))

    text = text_of(parts["text"])
    is_plain = not parts["system"] and not parts["few_shots"] and not looks_like_file(text)
    if is_plain:
        return text
    turns = [{"role": "system", "content": text_of(parts["system"])}] if parts["system"] else []
    for pair in parts["few_shots"]:
        turns.append({"role": "user", "content": text_of(pair["user"])})
        turns.append({"role": "assistant", "content": text_of(pair["assistant"])})
    turns.append({"role": "user", "content": text})
    return orjson.dumps(turns, option=orjson.OPT_INDENT_2).decode()


def _test(case: Case, held_in: set[str]) -> dict[str, Any]:
    """A case as a test: its own assertions leave their input."""
    held = [read_case(case.inputs[name]) for name in held_in if name in case.inputs]
    own = [dict(each) for part in held for each in part.assertions]
    threshold = next((each.threshold for each in held if each.threshold is not None), None)
    options = {name: each for part in held for name, each in part.options.items()}
    facts = {
        "expected": case.expected,
        "tags": list(case.tags),
        "difficulty": case.difficulty,
        "split": case.split,
        "origin": case.origin,
    }
    test = {
        "description": case.notes,
        "vars": {name: each for name, each in case.inputs.items() if name not in held_in},
        "assert": own,
        "threshold": threshold,
        "options": {**options, **_expansion(case.inputs)},
        "metadata": {CASE_KEY: {name: each for name, each in facts.items() if each}},
    }
    return {name: each for name, each in test.items() if each not in (None, [], {})}


def _expansion(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """A list of texts would become several tests."""
    is_list = any(isinstance(each, list) and each for each in inputs.values())
    return {"disableVarExpansion": True} if is_list else {}
