"""Connects the hooks that executing runs needs. A command that executes runs loads these and not
the loops above them, which take longer to import than a small run takes to execute.
"""

from collections.abc import Sequence

from edison.evals import evaluations
from edison.jobs import dead, heartbeat
from edison.library.calls import token_bounds
from edison.library.datasets import service as datasets
from edison.runs.fill import notifications as run_notifications
from edison.runs.fill import service as run_control
from edison.runs.scoring import scores
from edison.runs.store import batch, money, transitions
from edison.runs.voting import service as voting
from edison.workspace.budgets import alerts, run_costs, scopes
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Scope
from edison.workspace.deliveries import dispatch
from edison.workspace.deliveries import notifications as delivery_notifications
from edison.workspace.notifications import kinds
from edison.workspace.notifications import service as notifications
from edison.workspace.notifications.types import NotificationSource
from edison.workspace.operations import service as operations
from edison.workspace.projects import service as projects

# Of notifications, in the order in which users see their kinds.
RUN_SOURCES: Sequence[NotificationSource] = (
    alerts.NOTIFICATIONS,
    delivery_notifications.NOTIFICATIONS,
    run_notifications.NOTIFICATIONS,
    token_bounds.NOTIFICATIONS,
)


def install_run_hooks() -> None:
    """Idempotent."""
    projects.on_created.connect(datasets.add_golden_dataset)
    batch.on_outputs_replaced.connect(scores.delete_outdated, voting.drop_outdated)
    run_control.find_resume_objection.connect(evaluations.find_resume_objection)
    transitions.on_moved.connect(run_notifications.notify_over)
    notifications.on_notified.connect(dispatch.enqueue)
    kinds.register(RUN_SOURCES)
    heartbeat.on_lost.connect(budgets.reap_process)
    run_costs.on_run_charged.connect(money.add_charges)
    budgets.on_limit_raised.connect(run_control.resume_paused_by_budget)
    scopes.known_scopes[Scope.EVALUATION] = evaluations.find_names
    of_runs = dead.JobOwner(
        on_dead=run_control.note_dead_job, on_retry=run_control.note_retried_job
    )
    dead.job_owners |= {transitions.FILL: of_runs, transitions.AGGREGATE: of_runs}
    dead.on_dead.connect(operations.record_dead_job)
    operations.count_claims.connect(run_control.count_claimed_chunks)
