"""The report of an experiment as a file."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from edison.api.downloads import attachment
from edison.db.session import Database
from edison.kit import clock
from edison.kit.errors import Conflict
from edison.library.prompts.content import parts_of, whole_text
from edison.loops.experiments.reports import report
from edison.loops.experiments.reports.files.bundle import Contents, PromptFile, write_bundle
from edison.loops.experiments.reports.files.compose import compose
from edison.loops.experiments.reports.files.markdown import write_markdown
from edison.loops.experiments.reports.files.pdf import write_pdf
from edison.loops.experiments.reports.files.tables import write_iterations
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.suggestions import Suggestions
from edison.loops.experiments.schemas.reports import ExperimentReport
from edison.workspace.audit import service as audit

ReportFormat = Literal["pdf", "md", "csv", "zip", "txt"]
MEDIA_TYPES: dict[ReportFormat, str] = {
    "pdf": "application/pdf",
    "md": "text/markdown; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "zip": "application/zip",
    "txt": "text/plain; charset=utf-8",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFile:
    content: bytes
    media_type: str
    disposition: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    report: ExperimentReport
    changed_at: datetime
    configuration: dict[str, Any] | None
    prompts: list[PromptFile]


async def export_report(
    database: Database, *, project_id: UUID, experiment_id: UUID, file_format: ReportFormat
) -> ReportFile:
    """Records the export in the audit log. Raises NotFound, and Conflict where there is no best
    version whose text could be taken.
    """
    async with database.write() as session:
        experiment = await Experiments(session).get(project_id, experiment_id)
        versions = (
            []
            if experiment.prompt_id is None
            else await Suggestions(session).list_versions(experiment.prompt_id)
        )
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
    source = _Source(
        report=written,
        changed_at=experiment.updated_at,
        configuration=experiment.config,
        prompts=[
            PromptFile(label=each.label, text=whole_text(each), parts=parts_of(each))
            for each in versions
        ],
    )
    content = await asyncio.to_thread(_write, source, file_format)
    name = f"{written.name}-{clock.now():%Y-%m-%d}.{file_format}"
    return ReportFile(
        content=content, media_type=MEDIA_TYPES[file_format], disposition=attachment(name)
    )


def _write(source: _Source, file_format: ReportFormat) -> bytes:
    report = source.report
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
            return write_pdf(compose(report), at=source.changed_at)
        case "zip":
            return _bundle(source)


def _bundle(source: _Source) -> bytes:
    document = compose(source.report)
    return write_bundle(
        Contents(
            report=source.report,
            document=document,
            pdf=write_pdf(document, at=source.changed_at),
            configuration=source.configuration,
            prompts=source.prompts,
        )
    )
