"""Rules the import linter cannot express: slices import only public modules, files stay small."""

import ast
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest
from fastapi import APIRouter, FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from edison.api.policy import Guard, UnguardedRoute, guarded_routes
from edison.app.main import create_app
from edison.settings import Settings

SOURCE = Path(__file__).parents[2] / "src" / "edison"
TESTS = Path(__file__).parents[1]
GENERATED = SOURCE / "sdk" / "api.py"
GROUPS = ("workspace", "library", "runs", "loops", "insights")
PUBLIC_MODULES = {"service", "models", "schemas", "errors", "access", "states", "types"}
# Further modules that other slices may import.
DOORS = {
    ("workspace", "credentials"): {"vault"},
    ("workspace", "resources"): {"repository"},
    ("library", "calls"): {"awaited_calls", "gateway", "wave"},
    ("library", "models"): {"names"},
    ("library", "prompts"): {"content", "lineage"},
    ("library", "scorers"): {"criteria", "rubrics"},
    ("runs", "scoring"): {"scales"},
    ("loops", "experiments"): {"events", "iterations", "reports"},
}
# These packages together are the engine and share all of their modules.
ENGINE = {("runs", room) for room in ("plan", "fill", "store", "read")}
# What a module does in a slice has one name. A slice with several of a kind has a folder of that
# name; all other modules and folders are named after a topic.
KINDS = {
    "endpoints": {"api", "controllers", "handlers", "routers", "routes", "views"},
    "schemas": {"bodies", "contracts", "dto", "requests_and_responses", "serializers"},
    "service": {"actions", "manager", "services", "usecases", "use_cases"},
    "repository": {"dao", "queries", "repositories", "sql", "store"},
    "models": {"orm", "tables"},
    "errors": {"exceptions", "failures"},
    "access": {"dependencies", "deps", "guards", "permissions"},
    "view": {"presenter", "presentation", "rendering"},
    "tasks": {"background", "workers"},
    "states": {"enums", "statuses"},
    "types": {"typing", "values"},
}
SHAPELESS = {"base", "common", "core", "helpers", "misc", "shared", "util", "utils"}
LONGEST_FILE = 400
LONGEST_TEST_FILE = 500


def slice_of(module: str) -> tuple[str, str] | None:
    parts = module.split(".")
    return (parts[1], parts[2]) if len(parts) > 3 and parts[1] in GROUPS else None


def test_slices_import_only_public_modules_of_each_other() -> None:
    graph = grimp.build_graph("edison")
    trespasses = []
    for importer in graph.modules:
        home = slice_of(importer)
        if home is None:
            continue
        for imported in graph.find_modules_directly_imported_by(importer):
            target = slice_of(imported)
            if target is None or target == home or {home, target} <= ENGINE:
                continue
            if imported.split(".")[3] not in PUBLIC_MODULES | DOORS.get(target, set()):
                trespasses.append(f"{importer} -> {imported}")
    assert trespasses == []


def slice_modules() -> list[Path]:
    """Modules and folders at the top of each slice."""
    groups = [SOURCE / group for group in GROUPS if (SOURCE / group).exists()]
    folders = [folder for group in groups for folder in group.iterdir() if folder.is_dir()]
    return [
        path
        for folder in folders
        for path in folder.iterdir()
        if not path.name.startswith("__") and (path.is_dir() or path.suffix == ".py")
    ]


def test_what_a_module_does_in_a_slice_has_one_name() -> None:
    others = SHAPELESS.union(*KINDS.values())
    suffixes = tuple(f"_{kind}" for kind in KINDS)
    assert [
        str(path.relative_to(SOURCE))
        for path in slice_modules()
        if path.stem in others or path.stem.endswith(suffixes)
    ] == []


def test_a_route_without_a_policy_stops_the_program() -> None:
    app = FastAPI()
    router = APIRouter()

    @router.get("/open-by-mistake")
    async def forgotten() -> None: ...

    app.router.routes.extend(router.routes)
    with pytest.raises(UnguardedRoute, match="/open-by-mistake"):
        guarded_routes(app)


def test_a_guard_found_in_a_signature_is_the_one_that_is_called(tmp_path: Path) -> None:
    """FastAPI's analysis of a handler decides what is called before it."""
    app = create_app(Settings(data_dir=tmp_path))
    found = {route.name: route.policy for route in guarded_routes(app)}
    called = {
        route.name: guard.policy
        for route in app.routes
        if isinstance(route, APIRoute)
        for guard in _called_guards(route.dependant)
    }
    assert called == found


def _called_guards(dependant: Dependant) -> Iterator[Guard]:
    for child in dependant.dependencies:
        if isinstance(child.call, Guard):
            yield child.call
        else:
            yield from _called_guards(child)


def test_operation_ids_are_unique(tmp_path: Path) -> None:
    routes = guarded_routes(create_app(Settings(data_dir=tmp_path)))
    names = [route.name for route in routes]
    assert sorted(names) == sorted(set(names))


def test_files_stay_small() -> None:
    limits = [(SOURCE, LONGEST_FILE), (TESTS, LONGEST_TEST_FILE)]
    too_long = [
        f"{file.name}: {lines} lines"
        for folder, limit in limits
        for file in folder.rglob("*.py")
        if "versions" not in file.parts
        and file != GENERATED
        and (lines := len(file.read_text().splitlines())) > limit
    ]
    assert too_long == []


def test_every_module_has_a_docstring() -> None:
    silent = [
        str(file.relative_to(SOURCE))
        for file in SOURCE.rglob("*.py")
        if file.stat().st_size and ast.get_docstring(ast.parse(file.read_text())) is None
    ]
    assert silent == []


def test_modules_are_nouns_or_verbs() -> None:
    """A gerund only where it is the field's own noun."""
    known = {
        "drawing",
        "housekeeping",
        "mapping",
        "routing",
        "sealing",
        "spending",
        "tracing",
        "wording",
    }
    found = {file.stem for file in SOURCE.rglob("*ing.py")}
    assert found - known == set()
