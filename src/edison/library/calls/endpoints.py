"""Endpoint that tries a model."""

from uuid import UUID

from fastapi import Response

from edison.api.routing import api_router, raises
from edison.api.session import CurrentDatabase
from edison.kit.errors import Exhausted
from edison.library.calls import service
from edison.library.calls.access import CurrentGateway
from edison.library.calls.schemas import TryRequest
from edison.workspace.live.access import CurrentLive
from edison.workspace.projects.access import EditorWithoutTransaction

router = api_router("/projects/{project}/models", tag="models")


@router.post(
    "/{model_id}/try",
    response_class=Response,
    responses={
        200: {
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
            "description": "Events `delta`, `waiting` and `restarted`, then `answered` or `failed`",
        }
    },
    openapi_extra=raises(Exhausted),
)
async def try_model(
    model_id: UUID,
    body: TryRequest,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
    live: CurrentLive,
) -> Response:
    """Sends one prompt to a model and streams the answer. Charged like any other call."""
    model = await service.prepare_try(
        database, project_id=member.project_id, model_id=model_id, wanted=body
    )
    return live.stream_answer(service.try_model(gateway, model, body), member)
