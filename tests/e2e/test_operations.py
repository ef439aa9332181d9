"""The operations page: running jobs update live, and dead jobs are retried or discarded."""

import re
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import RunningEdison, create_project, press_enter_on


@pytest.fixture
def add_dead_job(edison: RunningEdison) -> Callable[[str, str], None]:
    """Adds the row of a project's job that failed too often."""

    def add(slug: str, key: str) -> None:
        row = {
            "id": uuid4().hex,
            "key": key,
            "task": "generate_cases",
            "priority": 10,
            "attempts": 4,
            "reason": "RuntimeError (trace abc)",
            "failed_at": datetime.now(UTC).replace(tzinfo=None).isoformat(" "),
            "payload": f'{{"generation_id": "{UUID(int=1)}"}}',
            "slug": slug,
        }
        with sqlite3.connect(edison.data_dir / "edison.db", timeout=30) as connection:
            connection.execute(
                "INSERT INTO dead_jobs (id, key, task, project_id, priority, attempts, reason,"
                " failed_at, payload) SELECT :id, :key, :task, id, :priority, :attempts, :reason,"
                " :failed_at, :payload FROM projects WHERE slug = :slug",
                row,
            )
        connection.close()

    return add


def test_an_admin_sees_running_jobs_and_handles_dead_ones(
    register: Callable[..., Page], add_dead_job: Callable[[str, str], None]
) -> None:
    page = register("operator@example.org")
    slug = create_project(page, "Operated")
    page.goto(f"/p/{slug}")
    page.get_by_role("link", name="Operations").click()
    expect(page).to_have_url(re.compile(rf"/p/{slug}/operations$"))
    server = page.get_by_role("row", name=re.compile("Server"))
    expect(server).to_contain_text("Alive")
    expect(server).to_contain_text(re.compile(r"\d s ago"))
    expect(page.get_by_text("No failed jobs")).to_be_visible()
    # The page refreshes by itself.
    add_dead_job(slug, "generate_cases:first")
    add_dead_job(slug, "generate_cases:second")
    first = page.get_by_role("row", name=re.compile("generate_cases:first"))
    expect(first).to_be_visible(timeout=15_000)
    expect(first).to_contain_text("RuntimeError (trace abc)")
    page.get_by_role("button", name="Retry generate_cases:first").click()
    expect(page.get_by_text("Job queued again.")).to_be_visible()
    expect(first).to_have_count(0)
    press_enter_on(page.get_by_role("button", name="Discard generate_cases:second"))
    dialog = page.get_by_role("dialog", name="Discard this job?")
    expect(dialog).to_contain_text("generate_cases:second")
    dialog.get_by_role("button", name="Discard").click()
    expect(page.get_by_text("No failed jobs")).to_be_visible()
    page.goto(f"/p/{slug}/audit")
    for action in ("job.retried", "job.discarded"):
        expect(page.get_by_role("cell", name=action, exact=True)).to_be_visible()
