"""All tasks, and the sweepers that find missing jobs."""

from collections.abc import Mapping, Sequence

from edison.app.demo import finished_experiment as demo_finished_experiment
from edison.app.demo import monitor as demo_monitor
from edison.app.demo import optimizations as demo_optimizations
from edison.app.run_tasks import TaskTools, run_tasks
from edison.jobs.job import Sweeper, Task
from edison.library.generation import service as generation
from edison.library.generation.tasks import generate_cases
from edison.loops.abtests import service as ab_tests
from edison.loops.abtests import transitions as ab_test_control
from edison.loops.abtests.drive import AbTestTools
from edison.loops.abtests.tasks import drive_ab_test
from edison.loops.experiments.iterations import service as iterations
from edison.loops.experiments.iterations import transitions as iteration_control
from edison.loops.experiments.iterations.drive import DriveTools
from edison.loops.experiments.tasks import drive_iteration
from edison.loops.monitors.checks import service as checks
from edison.loops.monitors.checks import transitions as check_control
from edison.loops.monitors.checks.drive import CheckTools
from edison.loops.monitors.tasks import drive_check, fire_monitors
from edison.loops.optimizations import service as optimizations
from edison.loops.optimizations import transitions as optimization_control
from edison.loops.optimizations.drive import OptimizationTools
from edison.loops.optimizations.tasks import drive_optimization
from edison.loops.reviews import service as reviews
from edison.loops.reviews.tasks import review_automatically
from edison.runs.fill import service as run_control
from edison.settings import Settings
from edison.workspace.deliveries import dispatch


def all_tasks(tools: TaskTools) -> Mapping[str, Task]:
    driving = DriveTools(
        database=tools.database, gateway=tools.gateway, batch_writer=tools.batch_writer
    )
    checking = CheckTools(
        database=tools.database,
        calls_at_once=tools.gateway.calls_per_credential,
        checks_at_once=4 if tools.settings is None else tools.settings.checks_at_once,
    )
    return {
        **run_tasks(tools),
        generation.TASK: generate_cases(tools.database, tools.gateway),
        iteration_control.DRIVE: drive_iteration(driving),
        check_control.DRIVE: drive_check(checking),
        check_control.FIRE: fire_monitors(tools.database),
        ab_test_control.DRIVE: drive_ab_test(
            AbTestTools(database=tools.database, gateway=tools.gateway)
        ),
        optimization_control.DRIVE: drive_optimization(
            OptimizationTools(database=tools.database, gateway=tools.gateway)
        ),
        reviews.AUTO_REVIEW: review_automatically(tools.database),
        demo_monitor.TASK: demo_monitor.advance_demo(tools.database, tools.vault),
        demo_finished_experiment.TASK: demo_finished_experiment.advance_demo(tools.database),
        demo_optimizations.TASK: demo_optimizations.advance_demo(tools.database, tools.gateway),
    }


_SWEEPERS: Sequence[Sweeper] = (
    generation.list_missing_jobs,
    run_control.list_missing_jobs,
    iterations.list_missing_jobs,
    checks.list_missing_jobs,
    ab_tests.list_missing_jobs,
    optimizations.list_missing_jobs,
    reviews.list_missing_jobs,
    dispatch.list_missing_jobs,
    demo_monitor.list_missing_jobs,
    demo_finished_experiment.list_missing_jobs,
    demo_optimizations.list_missing_jobs,
)


def all_sweepers(settings: Settings | None) -> Sequence[Sweeper]:
    """Without scheduling, checks that were begun are finished, and no new ones become due."""
    if settings is not None and not settings.scheduling:
        return _SWEEPERS
    return (*_SWEEPERS, checks.list_due_jobs)
