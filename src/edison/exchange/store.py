"""Stores a draft in a project: models first, then what refers to them."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.evals.errors import ConfigError
from edison.evals.plan import EvalProvider
from edison.exchange.drafts import Draft, DraftDataset, DraftPrompt, DraftScorer, LeftOut
from edison.exchange.errors import ImportRefused
from edison.exchange.formats import PartKind
from edison.exchange.models import ImportedModels
from edison.exchange.repository import list_names
from edison.exchange.schemas import ImportedPart
from edison.kit.errors import FieldProblem, Invalid
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets import service as datasets
from edison.library.datasets.models import Dataset
from edison.library.datasets.schemas.datasets import DatasetRequest
from edison.library.models import service as models
from edison.library.prompts import service as prompts
from edison.library.prompts.models import Prompt
from edison.library.prompts.schemas import PromptRequest
from edison.library.scorers import service as scorers
from edison.library.scorers.models import SavedScorer
from edison.library.scorers.schemas.scorers import SavedScorerRequest
from edison.loops.bundles.errors import NamesTaken
from edison.loops.bundles.schemas import OnExisting
from edison.pipeline.render.nunjucks.javascript import to_json
from edison.workspace.resources.service import numbered_names

_NO_GRADER = "A model must grade it, and the project has none. Add one under Models."


@dataclass(slots=True, kw_only=True)
class Storing:
    """The state of one import, inside its transaction."""

    session: AsyncSession
    project_id: UUID
    author_id: UUID | None
    existing: OnExisting
    grader_id: UUID | None = None
    parts: list[ImportedPart] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    needs_credential: list[str] = field(default_factory=list)
    copies: int = 0
    needs_grader: bool = False
    grader: str | None = None

    async def store(self, draft: Draft) -> None:
        """Raises Invalid, or NamesTaken."""
        registry = ImportedModels(self.session, self.project_id)
        self.needs_grader = any(each.needs_grader for each in draft.scorers)
        for model in draft.models:
            await self._model(registry, model.source, model.provider)
        for prompt in draft.prompts:
            await self._prompt(prompt)
        for dataset in draft.datasets:
            await self._dataset(dataset)
        for scorer in draft.scorers:
            await self._scorer(registry, scorer)
        if self.taken:
            raise NamesTaken(self.taken)

    async def _model(self, registry: ImportedModels, source: str, provider: EvalProvider) -> None:
        try:
            kept = await registry.keep(provider)
        except ConfigError as wrong:
            self.left_out.append(LeftOut(what=f"provider {source}", reason=wrong.message))
            return
        self._note(source, "model", kept.name, is_existing=not kept.is_new)
        if kept.needs_credential and kept.name not in self.needs_credential:
            self.needs_credential.append(kept.name)

    async def _prompt(self, draft: DraftPrompt) -> None:
        name = await self._choose(Prompt, "prompt", draft.source, draft.name)
        if name is None:
            return
        wanted = PromptRequest(name=name, **draft.content.model_dump())
        await prompts.create_prompt(self.session, project_id=self.project_id, wanted=wanted)

    async def _dataset(self, draft: DraftDataset) -> None:
        problems = [
            (at, each)
            for at, case in enumerate(draft.cases, start=1)
            for each in datasets.find_problems(case)
        ]
        if problems:
            raise _refusal(problems)
        name = await self._choose(Dataset, "dataset", draft.source, draft.name, len(draft.cases))
        if name is None:
            return
        made = await datasets.create_dataset(
            self.session, project_id=self.project_id, wanted=DatasetRequest(name=name)
        )
        added = await datasets.add_cases(
            self.session,
            project_id=self.project_id,
            dataset_id=made.id,
            wanted=draft.cases,
            author_id=self.author_id,
        )
        self.copies += sum(each is None for each in added)

    async def _scorer(self, registry: ImportedModels, draft: DraftScorer) -> None:
        options: dict[str, Any] = {
            "assertions": to_json(draft.assertions),
            "list_threshold": draft.threshold,
            "case_input": draft.case_input,
        }
        kind = "assertions"
        if draft.is_graded:
            by_key = await self._graders(registry, draft.graders)
            usual = await self._usual_grader() if draft.needs_grader else None
            if draft.grader is not None:
                usual = (await self._graders(registry, {"": draft.grader})).get("")
            if not by_key and usual is None:
                self.left_out.append(LeftOut(what=f"scorer {draft.name}", reason=_NO_GRADER))
                return
            kind = "graded_assertions"
            first = usual or next(iter(by_key.values()))
            options |= {"model_id": first, "provider_models": by_key}
        name = await self._choose(SavedScorer, "scorer", draft.source, draft.name, draft.count)
        if name is None:
            return
        try:
            wanted = SavedScorerRequest(name=name, kind=kind, options=options)
        except ValidationError as wrong:
            message = wrong.errors(include_input=False)[0]["msg"]
            raise ImportRefused(message, code="bad_scorer", field="scorers") from wrong
        await scorers.create_scorer(
            self.session, project_id=self.project_id, wanted=wanted, author_id=self.author_id
        )

    async def _graders(
        self, registry: ImportedModels, wanted: Mapping[str, EvalProvider]
    ) -> dict[str, str]:
        found: dict[str, str] = {}
        for key, provider in wanted.items():
            try:
                kept = await registry.keep(provider)
            except ConfigError as wrong:
                self.left_out.append(LeftOut(what=f"grader {provider.id}", reason=wrong.message))
                continue
            found[key] = str(kept.id)
            if all(each.name != kept.name for each in self.parts if each.kind == "model"):
                self._note(provider.id, "model", kept.name, is_existing=not kept.is_new)
                if kept.needs_credential:
                    self.needs_credential.append(kept.name)
        return found

    async def _usual_grader(self) -> str | None:
        """The chosen model, or the project's usual one. Raises NotFound."""
        if self.grader_id is not None:
            chosen = await models.get_callable(
                self.session, project_id=self.project_id, model_id=self.grader_id
            )
            self.grader = chosen.display_name
            return str(chosen.id)
        usual = await models.find_usual(self.session, project_id=self.project_id)
        self.grader = None if usual is None else usual.display_name
        return None if usual is None else str(usual.id)

    async def _choose(
        self, table: Any, kind: PartKind, source: str, name: str, count: int | None = None
    ) -> str | None:
        """The name for a new one; None to use what exists. Notes the part."""
        names = await list_names(self.session, table, self.project_id)
        is_taken = name in names
        if is_taken and self.existing == "skip":
            self._note(source, kind, name, count=count, is_existing=True)
            return None
        if is_taken and self.existing == "refuse" and name not in self._own(kind):
            self.taken.append(f"{kind} “{name}”")
        free = next(each for each in numbered_names(name) if each not in names)
        self._note(source, kind, free, count=count)
        return free

    def _own(self, kind: PartKind) -> set[str]:
        """Names that this import has given already."""
        return {each.name for each in self.parts if each.kind == kind and not each.is_existing}

    def _note(
        self,
        source: str,
        kind: PartKind,
        name: str,
        *,
        count: int | None = None,
        is_existing: bool = False,
    ) -> None:
        self.parts.append(
            ImportedPart(source=source, kind=kind, name=name, count=count, is_existing=is_existing)
        )


def _refusal(problems: list[tuple[int, FieldProblem]]) -> Invalid:
    """The first problems, each with the number of its case."""
    named = [
        FieldProblem(
            field=f"cases.{at}.{each.field}", message=f"Case {at:,}: {each.message}", code=each.code
        )
        for at, each in problems[:20]
    ]
    return Invalid(*named)
