"""The scripts of the GitHub Action and of the GitLab template, run as those run them."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMENT = ROOT / "deploy" / "ci" / "comment.py"
EVALUATE = ROOT / "deploy" / "ci" / "evaluate.sh"


class Forge(HTTPServer):
    """Comments of one request, as GitHub and GitLab keep them."""

    def __init__(self) -> None:
        self.comments: dict[int, str] = {7: "Looks good."}
        self.calls: list[tuple[str, str, str]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length))["body"] if length else ""
                token = self.headers.get("PRIVATE-TOKEN") or self.headers["Authorization"]
                outer.calls.append((self.command, self.path, token))
                if self.command == "POST":
                    outer.comments[8] = body
                elif self.command in ("PUT", "PATCH"):
                    outer.comments[int(self.path.rpartition("/")[2])] = body
                found = [{"id": key, "body": text} for key, text in outer.comments.items()]
                content = json.dumps(found if self.command == "GET" else found[-1]).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = answer  # noqa: N815 - names of the library

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"


@pytest.fixture
def forge() -> Iterator[Forge]:
    made = Forge()
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()


def comment(file: Path, **env: str) -> subprocess.CompletedProcess[str]:
    given = [sys.executable, str(COMMENT), str(file)]
    return subprocess.run(given, env=env, capture_output=True, text=True, check=False)


def test_one_comment_is_written_and_later_replaced(forge: Forge, tmp_path: Path) -> None:
    file = tmp_path / "results.md"
    github = {
        "GITHUB_API_URL": forge.url,
        "GITHUB_REPOSITORY": "a/b",
        "EDISON_CI_REQUEST": "3",
        "GITHUB_TOKEN": "t",
    }
    for text in ("# First", "# Second"):
        file.write_text(text)
        assert comment(file, **github).returncode == 0
    assert forge.comments[7] == "Looks good."
    assert forge.comments[8] == "<!-- edison evaluation -->\n# Second"
    listing = ("GET", "/repos/a/b/issues/3/comments?per_page=100&page=1", "Bearer t")
    assert forge.calls == [
        listing,
        ("POST", "/repos/a/b/issues/3/comments", "Bearer t"),
        listing,
        ("PATCH", "/repos/a/b/issues/comments/8", "Bearer t"),
    ]
    gitlab = {
        "GITLAB_CI": "true",
        "CI_API_V4_URL": forge.url,
        "CI_PROJECT_ID": "5",
        "CI_MERGE_REQUEST_IID": "4",
        "EDISON_CI_TOKEN": "g",
    }
    file.write_text("x" * 100 + "\n" + "y\n" * 40_000)
    assert comment(file, **gitlab).returncode == 0
    assert forge.calls[-1] == ("PUT", "/projects/5/merge_requests/4/notes/8", "g")
    assert forge.comments[8].endswith("\n\nThe rest is in the files of the job.\n")
    assert len(forge.comments[8]) < 60_100


def test_what_is_missing_is_named_without_the_token(tmp_path: Path) -> None:
    file = tmp_path / "results.md"
    file.write_text("# First")
    told = comment(file, GITHUB_API_URL="http://127.0.0.1:1", GITHUB_REPOSITORY="a/b")
    assert (told.returncode, told.stderr) == (1, "The variable EDISON_CI_REQUEST is not set.\n")
    given = {"GITHUB_API_URL": "http://127.0.0.1:1", "GITHUB_REPOSITORY": "a/b"}
    refused = comment(file, **given, EDISON_CI_REQUEST="3", GITHUB_TOKEN="secret")
    assert refused.returncode == 1
    assert "could not be written" in refused.stderr
    assert "secret" not in refused.stderr


def test_the_evaluation_gates_on_the_results_of_the_target_branch(tmp_path: Path) -> None:
    (tmp_path / "edison.yaml").write_text(
        "prompts: ['Say {{word}} please']\nproviders: [echo]\ndefaultTest:\n"
        "  assert: [{type: contains, value: please}]\n"
        f"tests: {json.dumps([{'vars': {'word': str(n)}} for n in range(30)])}\n"
    )
    env = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "EDISON_DATA_DIR": str(tmp_path / "data"),
        "EDISON_CI_BASELINE": "baseline.json",
    }

    def evaluate(*flags: str) -> subprocess.CompletedProcess[str]:
        given = ["sh", str(EVALUATE), "results", "-c", "edison.yaml", *flags]
        return subprocess.run(
            given, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )

    first = evaluate()
    assert first.returncode == 0, first.stderr
    assert "There is no baseline yet at baseline.json" in first.stdout
    results = tmp_path / "results"
    assert {each.name for each in results.iterdir()} == {
        "results.json",
        "results.md",
        "results.junit.xml",
    }
    (results / "results.json").rename(tmp_path / "baseline.json")
    (tmp_path / "worse.txt").write_text("Say {{word}}\nnow")
    worse = evaluate("-p", "worse.txt")
    assert worse.returncode == 100, worse.stdout + worse.stderr
    assert "worse" in (results / "results.md").read_text()
