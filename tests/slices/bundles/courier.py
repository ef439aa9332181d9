"""Takes bundles from one project to another, and compares them."""

import io
import json
import re
import zipfile
from dataclasses import dataclass
from typing import Any

import httpx
from fastapi import FastAPI

from edison.loops.bundles.yaml_text import read_yaml
from edison.workspace.projects.models import Project, Role
from tests.factories.projects import make_member, make_project
from tests.support.browser import Browser

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*\+00:00")
# Derived, or not imported: the report, and money that another project spent.
_NOT_COMPARED = re.compile(r"manifest\.json|.*/report/.*|.*/ledger\.jsonl")


@dataclass(frozen=True, kw_only=True)
class Place:
    """A project with an administrator."""

    project: Project
    admin: Browser

    @property
    def url(self) -> str:
        return f"/api/v1/projects/{self.project.slug}"

    async def take(self, kind: str, entity_id: Any = None, *, runs: bool = False) -> bytes:
        query = {"kind": kind, "runs": runs} | ({} if entity_id is None else {"id": entity_id})
        taken = await self.admin.get(f"{self.url}/export", params=query)
        assert taken.status_code == 200, taken.text
        assert ".bundle.zip" in taken.headers["content-disposition"]
        return taken.content

    async def bring(self, bundle: bytes, **query: Any) -> httpx.Response:
        params = {"format": "bundle", **query}
        return await self.admin.post(f"{self.url}/import", content=bundle, params=params)

    async def read(self, path: str) -> Any:
        found = await self.admin.get(f"{self.url}{path}")
        assert found.status_code == 200, found.text
        return found.json()


async def empty_place(app: FastAPI, name: str = "Elsewhere") -> Place:
    project = await make_project(app, name=name)
    return Place(project=project, admin=(await make_member(app, project, Role.ADMIN)).browser)


async def place_of(app: FastAPI, project: Project) -> Place:
    return Place(project=project, admin=(await make_member(app, project, Role.ADMIN)).browser)


def unpack(bundle: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def compared(bundle: bytes) -> dict[str, Any]:
    """The imported parts, with ids and times replaced by the order of their first use."""
    seen: dict[str, str] = {}

    def plain(text: str) -> str:
        return _plain(text, seen)

    parts = {}
    for path, content in unpack(bundle).items():
        if _NOT_COMPARED.fullmatch(path):
            continue
        parts[plain(path)] = _parsed(path, plain(content.decode()))
    for path, part in parts.items():
        if path.endswith("/run.json"):
            part["run"]["origin"] = "imported"
    return parts


def without_ids(value: Any) -> Any:
    return json.loads(_plain(json.dumps(value), {}))


def _plain(text: str, seen: dict[str, str]) -> str:
    text = _ID.sub(lambda found: seen.setdefault(found[0], f"id{len(seen)}"), text)
    return _TIME.sub("time", text)


def _parsed(path: str, text: str) -> Any:
    if path.endswith(".yaml"):
        return read_yaml(text.encode(), part=path)
    if path.endswith(".json"):
        return json.loads(text)
    return [json.loads(line) for line in text.splitlines()]
