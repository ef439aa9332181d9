"""Reports of an experiment as files: their contents, and no injection."""

import csv
import io
import json
import re
import zipfile
import zlib
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from fastapi import FastAPI

from edison.api.documents.document import Document, Paragraph, Table, Verbatim
from edison.api.documents.markdown import write_markdown
from edison.loops.bundles.yaml_text import read_yaml
from edison.loops.experiments.reports.files import wording
from edison.loops.experiments.schemas.drafts import ExperimentDraft
from edison.workspace.projects.models import Role
from tests.factories.experiments import add_experiment, add_iteration, add_suggestion
from tests.factories.projects import make_member, make_project
from tests.factories.prompts import add_prompt, add_version
from tests.support.browser import Browser

FORMATS = ("pdf", "md", "csv", "txt")
HOSTILE = '# |=cmd| <script>alert(1)</script> *x* $y$ #eval("1") `tick` [a](b:c)'
TEXTS = ("Answer: {{question}}", "Answer: {{question}}\nRule: greet.")


def a_mean(value: float) -> dict[str, Any]:
    return {"value": value, "interval": {"low": value - 0.1, "high": value + 0.1}, "cases": 12}


def the_metrics(score: float, gain: float | None) -> dict[str, Any]:
    change = None
    if gain is not None:
        change = {
            "baseline": 0,
            "other": 1,
            "baseline_mean": score - gain,
            "other_mean": score,
            "difference": a_mean(gain),
            "verdict": "better",
            "p_value": 0.0004,
            "adjusted_p_value": 0.0004,
            "effect_size": 1.0,
            "minimum_detectable_effect": 0.1,
            "cases_needed": 9,
            "improved": 9,
            "regressed": 1,
            "unchanged": 2,
        }
    variant = {
        "key": "m0",
        "label": HOSTILE,
        "model_id": None,
        "model_name": "plain",
        "is_simulated": True,
        "train": a_mean(score),
        "holdout": a_mean(score - 0.05),
        "win_rate": None,
        "cost_usd": "0.01",
        "cost_per_answer_usd": "0.0005",
        "latency_p50_seconds": 0.25,
        "failed": 0,
    }
    counts = ("answers", "failed", "malformed", "safety_findings", "unscored")
    return {
        "train": a_mean(score),
        "holdout": a_mean(score - 0.05),
        "change": change,
        "against_first": change,
        "train_gain": gain,
        "holdout_test": None
        if gain is None
        else {"look": 1, "alpha": 0.0304, "looks": 1, "cases": 20},
        "variants": [variant],
        "criteria": [{"key": "s0.0", "name": "Tone", "weight": 1.0, "mean": score}],
        **dict.fromkeys(counts, 0),
        "is_unjudged": False,
        "execution_tokens": 1000,
        "judging_tokens": 400,
        "execution_nanos": 10_000_000,
        "judging_nanos": 4_000_000,
    }


@dataclass(frozen=True, kw_only=True)
class Made:
    path: str
    viewer: Browser
    admin: Browser
    project: str

    async def take(self, file_format: str) -> bytes:
        answer = await self.viewer.get(self.path, params={"format": file_format})
        assert answer.status_code == 200, answer.text
        assert f".{file_format}" in answer.headers["content-disposition"]
        return answer.content

    async def bundle(self) -> dict[str, bytes]:
        """The files of the bundle, without the experiment's folder."""
        entity_id = self.path.split("/")[-3]
        answer = await self.viewer.get(
            f"{self.project}/export", params={"kind": "experiment", "id": entity_id}
        )
        assert answer.status_code == 200, answer.text
        with zipfile.ZipFile(io.BytesIO(answer.content)) as bundle:
            assert bundle.testzip() is None
            return {
                re.sub(r"^experiments/[^/]+/", "", name): bundle.read(name)
                for name in bundle.namelist()
            }


async def make_experiment(app: FastAPI, *, is_measured: bool, **parts: Any) -> Made:
    """With hostile text in every field. `parts` are those of its prompt."""
    project = await make_project(app)
    draft = ExperimentDraft.model_validate({"objective": {"goal": f"Be kind.\n{HOSTILE}"}})
    config = draft.model_dump(mode="json")
    async with app.state.database.write() as session:
        prompt = await add_prompt(session, project.id, text=TEXTS[0])
        versions = [await add_version(session, prompt, text=text, **parts) for text in TEXTS]
        experiment = await add_experiment(
            session,
            project.id,
            name=HOSTILE,
            state="completed",
            prompt_id=prompt.id,
            draft=config,
            config=config,
            stop_reason="converged",
            stop_message="Nothing more is gained.",
        )
        if is_measured:
            await _add_iterations(session, experiment, [each.id for each in versions])
    root = f"/api/v1/projects/{project.slug}"
    return Made(
        path=f"{root}/experiments/{experiment.id}/report/export",
        viewer=(await make_member(app, project, Role.VIEWER)).browser,
        admin=(await make_member(app, project, Role.ADMIN)).browser,
        project=root,
    )


async def _add_iterations(session: Any, experiment: Any, version_ids: list[UUID]) -> None:
    for number, (score, gain) in enumerate([(0.5, None), (0.75, 0.25)], start=1):
        iteration = await add_iteration(
            session,
            experiment,
            number=number,
            state="completed",
            version_id=version_ids[number - 1],
            version_label=f"v{number}",
            phases={"executing": "2026-01-01T10:00:00+00:00"},
            metrics=the_metrics(score, gain),
        )
        if number == 1:
            await add_suggestion(
                session, iteration, state="approved", note=HOSTILE, reason=f"={HOSTILE}"
            )


async def test_every_format(app: FastAPI) -> None:
    made = await make_experiment(app, is_measured=True)
    taken = {file_format: await made.take(file_format) for file_format in FORMATS}
    assert taken["txt"].decode() == TEXTS[1]
    rows = list(csv.DictReader(io.StringIO(taken["csv"].decode())))
    assert [(row["version"], row["train_score"], row["training_change_note"]) for row in rows] == [
        ("v1", "0.5", ""),
        ("v2", "0.75", "Training cases, not a test."),
    ]
    assert [row["total_usd"] for row in rows] == ["0.014", "0.014"]
    files = await made.bundle()
    assert [name for name in files if name.startswith("report/drawings")] == [
        "report/drawings/trend.svg",
        "report/drawings/costs.svg",
        "report/drawings/models.svg",
    ]
    assert json.loads(files["report/report.json"])["best"]["iteration"] == 2
    assert b"Be kind." in files["configuration.yaml"]
    assert files["report/best-prompt.txt"] == taken["txt"]
    assert files["report/iterations.csv"] == taken["csv"]
    assert files["report/report.pdf"] == taken["pdf"]
    # Spreadsheet formulas are escaped.
    (decision,) = csv.DictReader(io.StringIO(files["report/decisions.csv"].decode()))
    assert decision["reason"] == f"'={HOSTILE}"
    # The same report gives the same file.
    assert await made.take("pdf") == taken["pdf"]
    noted = await made.admin.get(f"{made.project}/audit", params={"action": "experiment.exported"})
    assert len(noted.json()["items"]) == len(FORMATS) + 1


WHOLE = """=== System ===
You work for a parcel service.

=== Example 1: user ===
Where is it?

=== Example 1: assistant ===
On its way.

=== Prompt ===
Answer: {{question}}
Rule: greet.

=== Tool: track ===
{
  "name": "track",
  "description": "Finds a parcel.",
  "parameters": {
    "type": "object"
  }
}
"""


async def test_the_best_prompt_is_exported_whole(app: FastAPI) -> None:
    tool = {"name": "track", "description": "Finds a parcel.", "parameters": {"type": "object"}}
    parts = {
        "system": "You work for a parcel service.",
        "few_shots": [{"user": "Where is it?", "assistant": "On its way."}],
        "tools": [tool],
    }
    made = await make_experiment(app, is_measured=True, **parts)
    assert (await made.take("txt")).decode() == WHOLE
    assert f"```text\n{WHOLE}```" in (await made.take("md")).decode()
    files = await made.bundle()
    (path,) = [name for name in files if name.endswith("/0002-v2.yaml")]
    stored = read_yaml(files[path], part=path)
    saved = {"syntax": "double", "text": TEXTS[1], **parts}
    assert {name: stored[name] for name in saved} == saved
    assert files["report/best-prompt.txt"].decode() == WHOLE
    report = json.loads(files["report/report.json"])
    assert report["best_prompt"] == saved
    assert report["best_text"] == WHOLE


async def test_an_unknown_format_is_refused_by_name(app: FastAPI) -> None:
    made = await make_experiment(app, is_measured=False)
    refused = await made.viewer.get(made.path, params={"format": "docx"})
    assert refused.status_code == 400
    error = refused.json()["error"]
    assert error["code"] == "VALIDATION_ERROR"
    assert [each["field"] for each in error["details"]] == ["format"]


async def test_user_text_is_escaped_in_every_format(app: FastAPI) -> None:
    made = await make_experiment(app, is_measured=True)
    words = (await made.take("md")).decode()
    assert "| First (iteration 1) | v1 | 5.0 (4.0 to 6.0) | 4.5 (3.5 to 5.5) |" in words
    tested = "v2 against the first version on held-out cases: +2.5, better. 9 cases improved"
    assert tested in words
    prose = words.split("## Best version")[0]
    quoted = re.sub(r"^> ?", "", prose.replace("<br>", ""), flags=re.MULTILINE)
    escaped = re.sub(r"\\.", "", quoted)
    assert not re.search(r"[<>`*\[\]]|^# .*^# ", escaped, re.DOTALL | re.MULTILINE)
    # Every row has as many cells as its header, whatever its texts contain.
    for table in re.findall(r"(?:^\|.*\n)+", escaped, re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1
    # In the PDF they are text, too: nothing was executed, and two drawings and a title are there.
    pdf = await made.take("pdf")
    assert (pdf[:5], pdf.rstrip()[-5:]) == (b"%PDF-", b"%%EOF")
    assert b"/Title" in pdf
    assert b"cmd" in _plain(pdf)


def _plain(pdf: bytes) -> bytes:
    """A PDF with its streams decompressed."""
    parts = [pdf]
    for packed in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            parts.append(zlib.decompress(packed))
        except zlib.error:
            continue
    return b"\n".join(parts)


async def test_an_unmeasured_experiment_can_be_exported(app: FastAPI) -> None:
    made = await make_experiment(app, is_measured=False)
    assert (await made.take("pdf")).startswith(b"%PDF-")
    assert "Run an iteration with working judges." in (await made.take("md")).decode()
    refused = await made.viewer.get(made.path, params={"format": "txt"})
    assert refused.status_code == 409
    assert refused.json()["error"]["message"] == "No version has a score yet."


def test_markdown_is_escaped() -> None:
    document = Document(
        title="a\n# b",
        subtitle="1. one",
        blocks=[
            Paragraph(text="- item\n    code\n12) list\n=== \n2.5 stays"),
            Table(columns=["x|y"], rows=[["a\n| b"]]),
            Verbatim(text="````\nnot the end\n````"),
        ],
    )
    assert write_markdown(document) == (
        "# a # b\n\n1\\. one\n\n"
        "\\- item\ncode\n12\\) list\n\\===\n2.5 stays\n\n"
        "| x\\|y |\n| :-- |\n| a<br>\\| b |\n\n"
        "`````text\n````\nnot the end\n````\n`````\n"
    )


def test_money_is_rounded_to_what_people_read() -> None:
    amounts = ("1234.5678", "0.5", "0.014", "0.0012345", "0.000000099", "0", "-0.004321")
    assert [wording.usd(Decimal(each)) for each in amounts] == [
        "$1,234.57",
        "$0.50",
        "$0.01",
        "$0.00123",
        "$0.000000099",
        "$0.00",
        "$-0.00432",
    ]
    assert wording.usd(None) == wording.NOTHING
    assert wording.parameters({}) == "Parameters: the model's defaults."
    said = wording.parameters({"temperature": 0.2, "max_tokens": 500, "stop": ["END"]})
    assert said == 'Parameters: temperature 0.2, max tokens 500, stop ["END"].'
