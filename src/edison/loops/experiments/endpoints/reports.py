"""Routes for what comes of experiments, and for the wizard's assistant."""

from uuid import UUID

from edison.api.routing import api_router
from edison.api.session import CurrentDatabase
from edison.library.calls.access import CurrentGateway
from edison.loops.experiments import assisting, comparing, reporting
from edison.loops.experiments.advising import Desk
from edison.loops.experiments.schemas.assist import AssistRead, AssistRequest
from edison.loops.experiments.schemas.drafts import Step
from edison.loops.experiments.schemas.reports import ExperimentComparison, ExperimentReport
from edison.workspace.projects.access import EditorBriefly, ViewerBriefly

router = api_router("/projects/{project}/experiments", tag="experiments")


@router.post("/assist/{step}")
async def assist_with_experiment(
    step: Step,
    body: AssistRequest,
    member: EditorBriefly,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> AssistRead:
    """Have a step of the wizard drafted or improved, or hear advice. Calls are charged as usual."""
    desk = Desk(
        database=database,
        gateway=gateway,
        project_id=member.project_id,
        author_id=member.user_id,
    )
    return await assisting.assist(desk, step, body)


@router.get("/{experiment_id}/report")
async def get_experiment_report(
    experiment_id: UUID, member: ViewerBriefly, database: CurrentDatabase
) -> ExperimentReport:
    """What was gained, at what cost, which model to use, and what is left to do."""
    return await reporting.write_report(
        database, project_id=member.project_id, experiment_id=experiment_id
    )


@router.get("/{experiment_id}/compare/{other_experiment_id}")
async def compare_experiments(
    experiment_id: UUID,
    other_experiment_id: UUID,
    member: ViewerBriefly,
    database: CurrentDatabase,
) -> ExperimentComparison:
    """Another experiment against this one, by what their best versions do on the same cases."""
    return await comparing.compare(
        database,
        project_id=member.project_id,
        left_id=experiment_id,
        right_id=other_experiment_id,
    )
