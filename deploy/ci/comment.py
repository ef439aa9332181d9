"""Writes the results of an evaluation as a comment of a pull or merge request: one comment, which
later runs replace. Needs only the standard library.

    python comment.py results.md

On GitHub it needs GITHUB_TOKEN (permission `pull-requests: write`), GITHUB_API_URL,
GITHUB_REPOSITORY and EDISON_CI_REQUEST, the number of the pull request; on GitLab EDISON_CI_TOKEN
(scope `api`) and the variables of a merge request pipeline.
"""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

MARK = "<!-- edison evaluation -->"
# GitHub takes 65,536 characters.
LONGEST = 60_000
PAGE = 100
MOST_PAGES = 10


@dataclass(frozen=True, kw_only=True)
class Forge:
    """Where comments are listed and added, and how one is replaced."""

    comments: str
    comment: str
    replace_method: str
    headers: Mapping[str, str]

    def call(self, method: str, url: str, body: Any = None) -> Any:
        if urlsplit(url).scheme not in ("http", "https"):
            raise SystemExit(f"{url} is not an http or https address.")
        content = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "Content-Type": "application/json"}
        request = Request(url, data=content, headers=headers, method=method)  # noqa: S310 - checked
        with urlopen(request, timeout=30) as answer:  # noqa: S310 - checked
            return json.load(answer)

    def find(self) -> int | None:
        """The comment that an earlier run wrote."""
        for page in range(1, MOST_PAGES + 1):
            found = self.call("GET", f"{self.comments}?per_page={PAGE}&page={page}")
            for each in found:
                if str(each.get("body", "")).startswith(MARK):
                    return int(each["id"])
            if len(found) < PAGE:
                return None
        return None


def forge_of(env: Mapping[str, str]) -> Forge:
    """Raises KeyError for a variable that is missing."""
    if env.get("GITLAB_CI"):
        project = f"{env['CI_API_V4_URL']}/projects/{env['CI_PROJECT_ID']}"
        notes = f"{project}/merge_requests/{env['CI_MERGE_REQUEST_IID']}/notes"
        return Forge(
            comments=notes,
            comment=f"{notes}/{{}}",
            replace_method="PUT",
            headers={"PRIVATE-TOKEN": env["EDISON_CI_TOKEN"]},
        )
    issues = f"{env['GITHUB_API_URL']}/repos/{env['GITHUB_REPOSITORY']}/issues"
    return Forge(
        comments=f"{issues}/{env['EDISON_CI_REQUEST']}/comments",
        comment=f"{issues}/comments/{{}}",
        replace_method="PATCH",
        headers={
            "Authorization": f"Bearer {env['GITHUB_TOKEN']}",
            "Accept": "application/vnd.github+json",
        },
    )


def text_of(path: Path) -> str:
    text = f"{MARK}\n{path.read_text(encoding='utf-8')}"
    if len(text) <= LONGEST:
        return text
    lines = text[:LONGEST].splitlines()[:-1]
    return "\n".join([*lines, "", "The rest is in the files of the job.", ""])


def main(path: str, env: Mapping[str, str]) -> None:
    try:
        forge = forge_of(env)
        body = {"body": text_of(Path(path))}
        earlier = forge.find()
        if earlier is None:
            forge.call("POST", forge.comments, body)
        else:
            forge.call(forge.replace_method, forge.comment.format(earlier), body)
    except KeyError as missing:
        raise SystemExit(f"The variable {missing.args[0]} is not set.") from None
    except HTTPError as refused:
        raise SystemExit(f"The comment was refused with status {refused.code}.") from None
    except (URLError, OSError) as wrong:
        raise SystemExit(f"The comment could not be written: {wrong}.") from None


if __name__ == "__main__":
    main(sys.argv[1], os.environ)
