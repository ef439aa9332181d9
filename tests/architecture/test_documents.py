"""Checked-in documents are in step with the code."""

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from edison.app.hooks import install_hooks
from edison.settings import Settings
from scripts import docs_site, write_hooks_table
from scripts.write_settings_page import PAGE, render

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "edison"
GROUPS = ("workspace", "library", "runs", "loops", "insights", "pipeline")


def _rooms_of_the_tree() -> list[str]:
    """The folders of `src/edison` with modules, and those of each group one level down."""
    parents = [SOURCE, *(SOURCE / group for group in GROUPS)]
    rooms = {module.parent for parent in parents for module in parent.glob("*/*.py")}
    return sorted(str(room.relative_to(SOURCE)) for room in rooms)


def _rooms_of_the_table() -> list[str]:
    page = (ROOT / "CONTRIBUTING.md").read_text()
    table = page.split("<!-- rooms -->")[1].split("<!-- /rooms -->")[0]
    return sorted(re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE))


def test_contributing_lists_all_packages() -> None:
    assert _rooms_of_the_table() == _rooms_of_the_tree()


def test_the_settings_page_is_current() -> None:
    """Update with `make settings-page`."""
    assert PAGE.read_text() == render()


def test_every_setting_has_a_description() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_the_table_of_hooks_is_current() -> None:
    """Update with `make hooks-table`."""
    page = write_hooks_table.PAGE.read_text()
    assert page == write_hooks_table.insert(page, write_hooks_table.render())


def test_every_hook_has_a_listener() -> None:
    install_hooks()
    assert [name for name, hook in write_hooks_table.find_hooks() if not hook.listeners] == []


def test_the_documentation_is_a_site_without_broken_links(tmp_path: Path) -> None:
    assert docs_site.build(tmp_path)
    assert not docs_site.build(tmp_path), "it is built again although nothing changed"
    page = (tmp_path / "from-langfuse.html").read_text()
    assert '<a href="prompts.html#fetching-a-version-from-a-program">' in page
    assert "<title>Coming from Langfuse · Edison</title>" in page
    entries = (tmp_path / "search-index.js").read_text()
    assert '["from-langfuse.html#datasets", "Coming from Langfuse", "Datasets", "' in entries
    route = "POST /projects/{project}/voting-rounds"
    index = (tmp_path / "reference" / "index.html").read_text()
    assert f'<a href="voting.html#create_voting_round"><code>{route}</code></a>' in index
    assert '["reference/voting.html#create_voting_round", "API: voting", ' in entries
    texts = [path.read_text() for path in tmp_path.rglob("*.html")]
    # The content security policy refuses both, and neither is needed.
    assert not [text for text in texts if re.search(r"<script>| style=|<style", text)]
    assert not re.search(r'(src|stylesheet" href)="https?:', "".join(texts))


@pytest.mark.parametrize("link", ["nothing.md", "runs.md#nothing", "images/nothing.webp"])
def test_a_broken_link_stops_the_documentation(link: str) -> None:
    nothing = {"paths": {}, "components": {"schemas": {}, "responses": {}}}
    site = docs_site.Site(MarkdownIt("commonmark").enable("table"), nothing)
    site.translate(link, site.pages[docs_site.HOME])
    assert site.problems == [f"docs/README.md links to {link}, which is missing"]
