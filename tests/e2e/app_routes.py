"""All routes of the front end, from its route table, and their addresses in the demo project."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page

from tests.e2e.conftest import post

AREAS = Path(__file__).parents[2] / "frontend" / "src" / "app" / "areas"
ROUTE = re.compile(
    r"(?:const (?P<name>\w+) = )?createRoute\(\{\s*getParentRoute: \(\) => (?P<parent>\w+),"
    r"\s*(?P<key>path|id): \"(?P<path>[^\"]+)\""
)
DEMO = "/p/demo"
# The demo's stories begin one after the other, on a busy machine within a minute.
STORIES_MILLISECONDS = 120_000
LOOK_MILLISECONDS = 500


def list_routes() -> list[str]:
    """Full paths such as `/p/$slug/runs/$runId`, without layouts."""
    sources = [path.read_text() for path in sorted(AREAS.glob("*.ts*"))]
    found = {each["name"]: each for source in sources for each in ROUTE.finditer(source)}
    # A route that is written in another way would be missed without this.
    assert len(found) == sum(source.count("createRoute({") for source in sources)

    def full_path(name: str) -> str:
        if name not in found:
            return ""
        part = found[name]["path"] if found[name]["key"] == "path" else ""
        return full_path(found[name]["parent"]) + part

    layouts = {each["parent"] for each in found.values()}
    return sorted(full_path(name).rstrip("/") or "/" for name in found if name not in layouts)


class DemoThings:
    """Finds things of the demo project by the API, and adds what its stories do not have."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def list_items(self, path: str) -> list[dict[str, Any]]:
        response = self.page.context.request.get(
            f"/api/v1/projects/demo{path}", params={"limit": 100}
        )
        assert response.ok, response.text()
        items: list[dict[str, Any]] = response.json()["items"]
        return items

    def find(self, path: str, **wanted: str) -> str:
        """Waits for an item, by its attributes; returns its id."""
        for _ in range(STORIES_MILLISECONDS // LOOK_MILLISECONDS):
            for item in self.list_items(path):
                if wanted.items() <= item.items():
                    return str(item["id"])
            self.page.wait_for_timeout(LOOK_MILLISECONDS)
        raise AssertionError(f"The demo project has no {wanted} in {path}.")

    def add(self, path: str, **body: Any) -> str:
        return str(post(self.page, f"/projects/demo{path}", body)["id"])


# Addresses of every route: one, or several where its tabs or dialogs differ. `{name}` stands for an
# id of the demo project.
PUBLIC = {
    "/": ["/"],
    "/login": ["/login"],
    "/register": ["/register"],
    "/sign-in": ["/sign-in?token=spent"],
    "/confirm-email": ["/confirm-email"],
    "/forgot-password": ["/forgot-password"],
    "/reset-password": ["/reset-password?token=spent"],
    "/invitations/$token": ["/invitations/unknown"],
}
SIGNED_IN = {
    "/projects": ["/projects", "/projects?create=true"],
    "/account": [
        "/account",
        *(
            f"/account?tab={tab}"
            for tab in ("security", "sessions", "tokens", "notifications", "appearance")
        ),
    ],
    "/notifications": ["/notifications"],
}
OF_A_PROJECT = {
    "": [""],
    "/playground": ["/playground"],
    "/prompts": ["/prompts", "/prompts?create=true"],
    "/prompts/$promptId": ["/prompts/{prompt}", "/prompts/{prompt}?preview=true"],
    "/runs": ["/runs"],
    "/runs/new": ["/runs/new"],
    "/runs/$runId": [
        f"/runs/{{run}}?tab={tab}" for tab in ("answers", "results", "details", "compare")
    ],
    "/arena": ["/arena"],
    "/arena/voting": ["/arena/voting"],
    "/arena/voting/$roundId": ["/arena/voting/{round}"],
    "/arena/questions": ["/arena/questions"],
    "/arena/questions/$runId": ["/arena/questions/{run}"],
    "/datasets": ["/datasets", "/datasets?create=cases", "/datasets?create=file"],
    "/datasets/$datasetId": ["/datasets/{dataset}", "/datasets/{dataset}?tab=coverage"],
    "/scorers": ["/scorers"],
    "/scorers/new": ["/scorers/new"],
    "/scorers/$scorerId": ["/scorers/{scorer}"],
    "/scorers/rubrics": ["/scorers/rubrics"],
    "/scorers/rubrics/new": ["/scorers/rubrics/new"],
    "/scorers/rubrics/$rubricId": ["/scorers/rubrics/{rubric}"],
    "/annotation": ["/annotation", "/annotation?create=true"],
    "/annotation/$queueId": ["/annotation/{queue}"],
    "/annotation/$queueId/results": ["/annotation/{queue}/results"],
    "/experiments": ["/experiments"],
    "/experiments/new": ["/experiments/new"],
    "/experiments/$experimentId": ["/experiments/{experiment}"],
    "/experiments/$experimentId/setup": ["/experiments/{experiment_draft}/setup"],
    "/experiments/$experimentId/report": ["/experiments/{experiment}/report"],
    "/experiments/$experimentId/compare/$otherId": [
        "/experiments/{experiment}/compare/{experiment_draft}"
    ],
    "/experiments/$experimentId/iterations/$iterationId": [
        f"/experiments/{{experiment}}/iterations/{{iteration}}?tab={tab}"
        for tab in ("live", "results", "outputs")
    ],
    "/optimizations": ["/optimizations"],
    "/optimizations/new": ["/optimizations/new"],
    "/optimizations/$optimizationId": ["/optimizations/{optimization}"],
    "/optimizations/$optimizationId/edit": ["/optimizations/{optimization_draft}/edit"],
    "/optimizations/$optimizationId/compare/$otherId": [
        "/optimizations/{optimization}/compare/{optimization_draft}"
    ],
    "/reviews": ["/reviews"],
    "/reviews/new": ["/reviews/new?experiment={experiment}"],
    "/reviews/$suggestionId": ["/reviews/{suggestion}"],
    "/monitors": ["/monitors"],
    "/monitors/new": ["/monitors/new"],
    "/monitors/alerts": ["/monitors/alerts"],
    "/monitors/$monitorId": [
        f"/monitors/{{monitor}}?tab={tab}"
        for tab in ("trend", "checks", "models", "costs", "settings")
    ],
    "/monitors/$monitorId/edit": ["/monitors/{monitor}/edit"],
    "/ab-tests": ["/ab-tests"],
    "/ab-tests/new": ["/ab-tests/new"],
    "/ab-tests/$testId": ["/ab-tests/{ab_test}"],
    "/ab-tests/$testId/edit": ["/ab-tests/{ab_test_draft}/edit"],
    "/models": ["/models"],
    "/budgets": ["/budgets", "/budgets?create=true"],
    "/members": ["/members", "/members?invite=true"],
    "/import": ["/import"],
    "/settings": ["/settings"],
    "/settings/providers": ["/settings/providers"],
    "/settings/destinations": ["/settings/destinations"],
    "/audit": ["/audit"],
    "/operations": ["/operations"],
}
ADDRESSES = PUBLIC | SIGNED_IN | {f"/p/$slug{route}": of for route, of in OF_A_PROJECT.items()}


def demo_things(page: Page) -> Mapping[str, str]:
    """Ids for the addresses. Waits until the demo's stories have begun."""
    demo = DemoThings(page)
    run = demo.find("/runs", name="Arena: support replies", state="completed")
    experiment = demo.find("/experiments", name="Better support replies", state="reviewing")
    ab_test, optimization = demo.find("/ab-tests"), demo.find("/optimizations")
    return {
        "run": run,
        "experiment": experiment,
        "ab_test": ab_test,
        "optimization": optimization,
        "prompt": demo.find("/prompts"),
        "dataset": demo.find("/datasets"),
        "scorer": demo.find("/scorers"),
        "rubric": demo.find("/rubrics"),
        "iteration": demo.find(f"/experiments/{experiment}/iterations"),
        "suggestion": demo.find("/suggestions", experiment_id=experiment),
        "monitor": demo.find("/monitors"),
        "experiment_draft": demo.add(f"/experiments/{experiment}/duplicate"),
        "ab_test_draft": demo.add(f"/ab-tests/{ab_test}/duplicate"),
        "optimization_draft": demo.add(f"/optimizations/{optimization}/duplicate"),
        "queue": demo.add(
            "/annotation-queues", run_ids=[run], name="By hand", question="rating", sample_size=5
        ),
        "round": demo.add("/voting-rounds", run_id=run, name="Which is better?"),
    }


def addresses_of(page: Page, views: Literal["all", "first"]) -> Iterator[str]:
    """Addresses that a signed-in user sees: all views of each route, or the first."""
    things = demo_things(page)
    routes = [(addresses, "") for addresses in SIGNED_IN.values()]
    routes += [(addresses, DEMO) for addresses in OF_A_PROJECT.values()]
    for addresses, prefix in routes:
        for address in addresses if views == "all" else addresses[:1]:
            yield prefix + address.format(**things)
