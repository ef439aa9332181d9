"""Where slices take part in each other's events without importing upward."""

from edison.jobs import dead, presence
from edison.library.datasets import service as datasets
from edison.library.generation import service as generation
from edison.library.models import service as models
from edison.library.prompts import service as prompts
from edison.runs.engine import service as runs
from edison.runs.scoring import service as scoring
from edison.workspace.budgets import service as budgets
from edison.workspace.credentials import service as credentials
from edison.workspace.operations import service as operations
from edison.workspace.projects import service as projects


def install_hooks() -> None:
    """Sets the lists instead of adding to them, so that a second application changes nothing."""
    projects.on_project_created[:] = [datasets.add_golden_dataset]
    projects.active_work_checks[:] = [generation.find_active_work, runs.find_active_work]
    credentials.usage_checks[:] = [models.find_use_of_credential]
    models.usage_checks[:] = [generation.find_use_of_model, runs.find_use_of_model]
    prompts.usage_checks[:] = [runs.find_use_of_prompt]
    datasets.usage_checks[:] = [runs.find_use_of_dataset]
    runs.on_outputs_replaced[:] = [scoring.forget_outdated]
    presence.on_lost[:] = [budgets.give_up_on_process]
    budgets.on_more_money[:] = [runs.resume_paused_by_budget]
    of_runs = dead.Keeper(on_dead=runs.note_dead_job, on_retry=runs.note_retried_job)
    of_generation = dead.Keeper(
        on_dead=generation.note_dead_job, on_retry=generation.note_retried_job
    )
    dead.keepers |= {
        runs.FILL: of_runs,
        runs.AGGREGATE: of_runs,
        generation.TASK: of_generation,
    }
    dead.witnesses[:] = [operations.note_death]
    operations.claim_counts[:] = [runs.count_claimed_chunks]
