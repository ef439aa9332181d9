"""Tools that read projects, prompts, datasets, models and scorers."""

from typing import Annotated, Any
from urllib.parse import quote

from mcp.server.mcpserver import Context
from pydantic import Field

from edison.mcp.api import Json, ProjectApi
from edison.mcp.api import list_projects as read_projects
from edison.mcp.arguments import (
    Cursor,
    DatasetName,
    Limit,
    Project,
    PromptName,
    Search,
    VersionLabel,
)
from edison.mcp.callers import Callers

_PROMPT = ("id", "name", "kind", "description", "variables", "updated_at")
_PARTS = ("system", "text", "few_shots", "tools", "syntax", "variables")
_VERSION = ("id", "label", "changelog", "author", "is_production", "created_at")
_DATASET = (
    "id", "name", "kind", "description", "tags", "case_count", "holdout_percent", "updated_at",
)  # fmt: skip
_CASE = ("id", "position", "inputs", "expected", "tags", "difficulty", "split")
_MODEL = ("id", "display_name", "provider", "provider_model", "is_simulated", "is_default")
_SCORER = ("id", "name", "description", "kind", "needs_expected", "threshold", "is_negated")
_NEWEST = 20


class LibraryTools:
    def __init__(self, callers: Callers) -> None:
        self._callers = callers

    async def list_projects(self, context: Context[Any, Any]) -> Json:
        """List the projects that you are a member of, with your role in each."""
        found = await read_projects(self._callers.api_of(context))
        names = ("slug", "name", "role", "description", "archived_at")
        return {"projects": [pick(each, names) for each in found]}

    async def list_prompts(
        self,
        context: Context[Any, Any],
        search: Search = None,
        cursor: Cursor = None,
        limit: Limit = 20,
        project: Project = None,
    ) -> Json:
        """List the prompts of a project, last changed first, without their texts."""
        home = await self._callers.project_of(context, project)
        page = await home.get("/prompts", q=search, cursor=cursor, limit=limit)
        return listed("prompts", page, [_prompt(each) for each in page["items"]])

    async def get_prompt(
        self,
        context: Context[Any, Any],
        prompt: PromptName,
        version: Annotated[
            str,
            Field(description="`latest`, `production`, `draft`, or a label such as `v3`."),
        ] = "latest",
        project: Project = None,
    ) -> Json:
        """Read a prompt: the texts of one version, and a list of its newest versions."""
        home = await self._callers.project_of(context, project)
        found = await home.find("/prompts", prompt, noun="prompt")
        versions = await home.get(f"/prompts/{found['id']}/versions", limit=_NEWEST)
        answer: Json = _prompt(found)
        if version == "draft" or (version == "latest" and found["latest"] is None):
            whole = await home.get(f"/prompts/{found['id']}")
            answer["version"] = "draft"
            answer |= pick(whole["draft"], _PARTS)
        else:
            read = await read_version(home, found["name"], version)
            answer["version"] = read["label"]
            answer |= pick(read, _PARTS)
        answer["versions"] = [pick(each, _VERSION) for each in versions["items"]]
        return answer

    async def list_datasets(
        self,
        context: Context[Any, Any],
        search: Search = None,
        cursor: Cursor = None,
        limit: Limit = 20,
        project: Project = None,
    ) -> Json:
        """List the datasets of a project with their numbers of cases."""
        home = await self._callers.project_of(context, project)
        page = await home.get("/datasets", q=search, cursor=cursor, limit=limit)
        return listed("datasets", page, [pick(each, _DATASET) for each in page["items"]])

    async def get_dataset(
        self,
        context: Context[Any, Any],
        dataset: DatasetName,
        search: Search = None,
        cursor: Cursor = None,
        limit: Limit = 20,
        project: Project = None,
    ) -> Json:
        """Read a dataset with a page of its cases: inputs, expected answers and tags."""
        home = await self._callers.project_of(context, project)
        found = await home.find("/datasets", dataset, noun="dataset")
        page = await home.get(
            f"/datasets/{found['id']}/cases", q=search, cursor=cursor, limit=limit
        )
        cases = listed("cases", page, [pick(each, _CASE) for each in page["items"]])
        return pick(found, _DATASET) | cases

    async def list_models(
        self,
        context: Context[Any, Any],
        search: Search = None,
        cursor: Cursor = None,
        limit: Limit = 20,
        project: Project = None,
    ) -> Json:
        """List the enabled models of a project with their prices in US dollars."""
        home = await self._callers.project_of(context, project)
        page = await home.get("/models", q=search, cursor=cursor, limit=limit, is_enabled=True)
        prices = ("input_usd_per_million", "output_usd_per_million", "source")
        models = [
            pick(each, _MODEL) | {"prices": pick(each["prices"], prices)} for each in page["items"]
        ]
        return listed("models", page, models)

    async def list_scorers(
        self,
        context: Context[Any, Any],
        search: Search = None,
        cursor: Cursor = None,
        limit: Limit = 20,
        project: Project = None,
    ) -> Json:
        """List the saved scorers of a project."""
        home = await self._callers.project_of(context, project)
        page = await home.get("/scorers", q=search, cursor=cursor, limit=limit)
        return listed("scorers", page, [pick(each, _SCORER) for each in page["items"]])


async def read_version(home: ProjectApi, prompt_name: str, label: VersionLabel) -> Json:
    path = f"/prompts/by-name/{quote(prompt_name, safe='')}/{quote(label, safe='')}"
    return await home.get(path)


def pick(found: Json, names: tuple[str, ...]) -> Json:
    return {name: found[name] for name in names}


def listed(name: str, page: Json, items: list[Json]) -> Json:
    return {name: items, "next": page["next"], "total": page.get("total")}


def _prompt(found: Json) -> Json:
    labels = {
        name: None if found[name] is None else found[name]["label"]
        for name in ("latest", "production")
    }
    return pick(found, _PROMPT) | labels
