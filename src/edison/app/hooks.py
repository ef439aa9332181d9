"""Where slices take part in each other's events without importing upward."""

from edison.jobs import dead, presence
from edison.library.datasets import service as datasets
from edison.library.generation import service as generation
from edison.library.models import service as models
from edison.library.prompts import service as prompts
from edison.library.scorers import reading as scorer_reading
from edison.library.scorers import service as scorers
from edison.library.scorers import trying
from edison.loops.experiments import iterations
from edison.loops.experiments import service as experiments
from edison.loops.experiments.cycle import control as iteration_control
from edison.runs.engine import saved_scorers
from edison.runs.engine import service as runs
from edison.runs.scoring import service as scoring
from edison.workspace.accounts import tokens
from edison.workspace.budgets import scopes
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Scope
from edison.workspace.credentials import service as credentials
from edison.workspace.operations import service as operations
from edison.workspace.projects import service as projects


def install_hooks() -> None:
    """Sets the lists instead of adding to them, so that a second application changes nothing."""
    projects.on_project_created[:] = [datasets.add_golden_dataset]
    projects.active_work_checks[:] = [
        generation.find_active_work,
        runs.find_active_work,
        iterations.find_active_work,
    ]
    tokens.project_names[:] = [projects.list_names]
    credentials.usage_checks[:] = [models.find_use_of_credential]
    models.usage_checks[:] = [
        generation.find_use_of_model,
        scorers.find_use_of_model,
        runs.find_use_of_model,
    ]
    prompts.usage_checks[:] = [runs.find_use_of_prompt, experiments.find_use_of_prompt]
    datasets.usage_checks[:] = [runs.find_use_of_dataset, experiments.find_use_of_dataset]
    scorers.usage_checks[:] = [saved_scorers.find_use_of_scorer]
    scorer_reading.use_counts[:] = [saved_scorers.count_runs]
    trying.output_readers[:] = [saved_scorers.read_subject]
    runs.on_outputs_replaced[:] = [scoring.forget_outdated]
    runs.on_moved[:] = [iterations.note_run_moved]
    presence.on_lost[:] = [budgets.give_up_on_process]
    budgets.on_run_charged[:] = [runs.add_charges]
    budgets.on_more_money[:] = [runs.resume_paused_by_budget]
    scopes.known_scopes[Scope.EXPERIMENT] = experiments.find_names
    of_runs = dead.Keeper(on_dead=runs.note_dead_job, on_retry=runs.note_retried_job)
    of_generation = dead.Keeper(
        on_dead=generation.note_dead_job, on_retry=generation.note_retried_job
    )
    dead.keepers |= {
        runs.FILL: of_runs,
        runs.AGGREGATE: of_runs,
        generation.TASK: of_generation,
        iteration_control.DRIVE: dead.Keeper(on_dead=iterations.note_dead_job),
    }
    dead.witnesses[:] = [operations.note_death]
    operations.claim_counts[:] = [runs.count_claimed_chunks]
