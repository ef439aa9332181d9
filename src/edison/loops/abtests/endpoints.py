"""Endpoints of A/B tests and their recorded answers."""

from typing import Annotated
from uuid import UUID

from fastapi import Response, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router, raises
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, Session
from edison.kit.errors import Exhausted
from edison.library.calls.access import CurrentGateway
from edison.loops.abtests import control, service
from edison.loops.abtests.schemas import (
    AbAnswerFilter,
    AbAnswerRead,
    AbStopRequest,
    AbTestChange,
    AbTestConfig,
    AbTestCopyRequest,
    AbTestDetail,
    AbTestEstimate,
    AbTestFilter,
    AbTestRequest,
    AbTestSummary,
    RecordAnswersRequest,
    RecordedAnswersRead,
)
from edison.workspace.projects.access import Editor, EditorWithoutTransaction, Viewer

router = api_router("/projects/{project}/ab-tests", tag="ab-tests")


@router.get("", response_model=Page[AbTestSummary])
async def list_ab_tests(
    member: Viewer,
    wanted: Annotated[AbTestFilter, read_into(AbTestFilter)],
    page: PageParams,
    session: Session,
) -> Slice[AbTestSummary]:
    """Returns the project's A/B tests with their results so far."""
    return await service.list_tests(session, project_id=member.project_id, wanted=wanted, page=page)


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_ab_test(body: AbTestRequest, member: Editor, session: Session) -> AbTestDetail:
    """Creates an A/B test as a draft."""
    return await service.create_test(
        session, project_id=member.project_id, wanted=body, author_id=member.user_id
    )


@router.post("/estimate")
async def estimate_ab_test(
    body: AbTestConfig,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> AbTestEstimate:
    """Estimates the cost of an A/B test with all planned pairs."""
    return await control.estimate_test(
        database,
        project_id=member.project_id,
        wanted=body,
        author_id=member.user_id,
        at_once=gateway.calls_per_credential,
    )


@router.get("/{ab_test_id}")
async def get_ab_test(ab_test_id: UUID, member: Viewer, session: Session) -> AbTestDetail:
    """Returns an A/B test with its evidence."""
    return await service.get_test(session, project_id=member.project_id, test_id=ab_test_id)


@router.patch("/{ab_test_id}")
async def change_ab_test(
    ab_test_id: UUID, body: AbTestChange, member: Editor, session: Session
) -> AbTestDetail:
    """Changes a draft, or the name of a started test."""
    return await service.change_test(
        session,
        project_id=member.project_id,
        test_id=ab_test_id,
        change=body,
        author_id=member.user_id,
    )


@router.delete("/{ab_test_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_ab_test(ab_test_id: UUID, member: Editor, session: Session) -> Response:
    """Deletes an A/B test with its recorded answers. Its runs are kept."""
    await service.delete_test(session, project_id=member.project_id, test_id=ab_test_id)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.post("/{ab_test_id}/duplicate", status_code=status.HTTP_201_CREATED)
async def duplicate_ab_test(
    ab_test_id: UUID, body: AbTestCopyRequest, member: Editor, session: Session
) -> AbTestDetail:
    """Creates a draft with the same configuration."""
    return await service.duplicate_test(
        session,
        project_id=member.project_id,
        test_id=ab_test_id,
        name=body.name,
        author_id=member.user_id,
    )


@router.post("/{ab_test_id}/archive")
async def archive_ab_test(ab_test_id: UUID, member: Editor, session: Session) -> AbTestDetail:
    """Archives an A/B test that is not running."""
    return await service.set_archived(
        session, project_id=member.project_id, test_id=ab_test_id, is_archived=True
    )


@router.post("/{ab_test_id}/unarchive")
async def unarchive_ab_test(ab_test_id: UUID, member: Editor, session: Session) -> AbTestDetail:
    """Restores an archived A/B test."""
    return await service.set_archived(
        session, project_id=member.project_id, test_id=ab_test_id, is_archived=False
    )


@router.post("/{ab_test_id}/start", openapi_extra=raises(Exhausted))
async def start_ab_test(ab_test_id: UUID, member: Editor, session: Session) -> AbTestDetail:
    """Starts a draft. From now on only its name can change."""
    return await control.start_test(
        session, project_id=member.project_id, test_id=ab_test_id, author_id=member.user_id
    )


@router.post("/{ab_test_id}/stop")
async def stop_ab_test(
    ab_test_id: UUID, body: AbStopRequest, member: Editor, session: Session
) -> AbTestDetail:
    """Ends a running test with the evidence so far."""
    return await control.stop_test(
        session,
        project_id=member.project_id,
        test_id=ab_test_id,
        note=body.note,
        author_id=member.user_id,
    )


@router.get("/{ab_test_id}/answers", response_model=Page[AbAnswerRead])
async def list_ab_test_answers(
    ab_test_id: UUID,
    member: Viewer,
    wanted: Annotated[AbAnswerFilter, read_into(AbAnswerFilter)],
    page: PageParams,
    session: Session,
) -> Slice[AbAnswerRead]:
    """Returns the recorded answers, latest first; `q` finds the program's own id."""
    return await control.list_answers(
        session,
        project_id=member.project_id,
        test_id=ab_test_id,
        wanted=wanted,
        page=page,
    )


@router.post("/{ab_test_id}/answers", status_code=status.HTTP_201_CREATED)
async def record_ab_test_answers(
    ab_test_id: UUID, body: RecordAnswersRequest, member: Editor, session: Session
) -> RecordedAnswersRead:
    """Records up to 100 answers of a running test without a dataset. Answers without a score are
    scored by the scorers of the test.
    """
    return await control.record_answers(
        session, project_id=member.project_id, test_id=ab_test_id, answers=body.answers
    )
