"""The report of an experiment as a file."""

import asyncio
from datetime import datetime
from typing import Literal
from uuid import UUID

import orjson

from edison.api.documents.markdown import write_markdown
from edison.api.documents.pdf import write_pdf
from edison.api.downloads import attachment
from edison.db.session import Database
from edison.kit import clock
from edison.kit.errors import Conflict
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.experiments.reports import report
from edison.loops.experiments.reports.files.compose import compose
from edison.loops.experiments.reports.files.tables import (
    write_criteria,
    write_decisions,
    write_iterations,
    write_models,
)
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.schemas.reports import ExperimentReport
from edison.workspace.audit import service as audit

ReportFormat = Literal["pdf", "md", "csv", "txt"]
MEDIA_TYPES: dict[ReportFormat, str] = {
    "pdf": "application/pdf",
    "md": "text/markdown; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFile:
    content: bytes
    media_type: str
    disposition: str


async def export_report(
    database: Database, *, project_id: UUID, experiment_id: UUID, file_format: ReportFormat
) -> ReportFile:
    """Records the export in the audit log. Raises NotFound, and Conflict where there is no best
    version whose text could be taken.
    """
    async with database.write() as session:
        experiment = await Experiments(session).get(project_id, experiment_id)
        audit.record(
            session,
            "experiment.exported",
            entity=("experiment", experiment_id),
            project_id=project_id,
            after={"format": file_format},
        )
    written = await report.write_report(
        database, project_id=project_id, experiment_id=experiment_id
    )
    content = await asyncio.to_thread(_write, written, experiment.updated_at, file_format)
    name = f"{written.name}-{clock.now():%Y-%m-%d}.{file_format}"
    return ReportFile(
        content=content, media_type=MEDIA_TYPES[file_format], disposition=attachment(name)
    )


async def write_files(
    database: Database, *, project_id: UUID, experiment_id: UUID
) -> dict[str, bytes]:
    """All files of the report, by name, for a bundle."""
    written = await report.write_report(
        database, project_id=project_id, experiment_id=experiment_id
    )
    return await asyncio.to_thread(_write_all, written)


def _write_all(report: ExperimentReport) -> dict[str, bytes]:
    document = compose(report)
    files = {
        "report.pdf": write_pdf(document, at=report.changed_at),
        "report.md": write_markdown(document, folder="drawings").encode(),
        "report.json": orjson.dumps(
            report.model_dump(mode="json"), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
        ),
        "iterations.csv": write_iterations(report),
        "criteria.csv": write_criteria(report),
        "models.csv": write_models(report),
        "decisions.csv": write_decisions(report),
    }
    if report.best_text is not None:
        files["best-prompt.txt"] = report.best_text.encode()
    return files | {f"drawings/{each.name}.svg": each.svg.encode() for each in document.drawings}


def _write(report: ExperimentReport, at: datetime, file_format: ReportFormat) -> bytes:
    match file_format:
        case "csv":
            return write_iterations(report)
        case "txt":
            if report.best_text is None:
                raise Conflict("No version has a score yet.")
            return report.best_text.encode()
        case "md":
            return write_markdown(compose(report)).encode()
        case "pdf":
            return write_pdf(compose(report), at=at)
