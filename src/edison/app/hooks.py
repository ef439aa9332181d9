"""Connects the hooks of lower layers to listeners of higher ones."""

from edison.app.notification_sources import SOURCES
from edison.app.run_hooks import install_run_hooks
from edison.jobs import dead
from edison.library.datasets import service as datasets
from edison.library.generation import service as generation
from edison.library.models import service as models
from edison.library.prompts import service as prompts
from edison.library.scorers import bench
from edison.library.scorers import service as scorers
from edison.library.scorers import view as scorer_reading
from edison.loops.abtests import service as ab_tests
from edison.loops.abtests import transitions as ab_test_control
from edison.loops.experiments import service as experiments
from edison.loops.experiments.iterations import service as iterations
from edison.loops.experiments.iterations import transitions as iteration_control
from edison.loops.monitors import pause as monitor_pauses
from edison.loops.monitors import service as monitors
from edison.loops.monitors.checks import service as checks
from edison.loops.monitors.checks import transitions as check_control
from edison.loops.optimizations import service as optimizations
from edison.loops.optimizations import transitions as optimization_control
from edison.runs.fill import service as run_control
from edison.runs.read import service as runs
from edison.runs.retention import service as retention
from edison.runs.store import transitions
from edison.runs.voting import service as voting
from edison.workspace.accounts import service as accounts
from edison.workspace.accounts import tokens
from edison.workspace.budgets import scopes, spending_report
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Scope
from edison.workspace.credentials import service as credentials
from edison.workspace.notifications import kinds
from edison.workspace.notifications.role_changes import notify_role_changed
from edison.workspace.projects import members
from edison.workspace.projects import service as projects


def install_hooks() -> None:
    """Connects every hook to its listeners. Idempotent."""
    # First, because users see kinds of notification in this order.
    kinds.register(SOURCES)
    install_run_hooks()
    projects.count_experiments.connect(experiments.count_by_project)
    projects.find_active_work.connect(
        generation.find_active_work,
        run_control.find_active_work,
        iterations.find_active_work,
        checks.find_active_work,
        ab_tests.find_active_work,
        optimizations.find_active_work,
    )
    spending_report.find_runs.connect(runs.find_facts)
    tokens.list_project_names.connect(projects.list_names)
    members.on_role_changed.connect(notify_role_changed)
    accounts.on_first_user.connect(projects.adopt_projects)
    credentials.find_use.connect(models.find_use_of_credential)
    models.find_use.connect(
        generation.find_use_of_model,
        scorers.find_use_of_model,
        run_control.find_use_of_model,
        experiments.find_use_of_model,
        monitors.find_use_of_model,
        ab_tests.find_use_of_model,
        optimizations.find_use_of_model,
    )
    prompts.find_use.connect(
        run_control.find_use_of_prompt,
        experiments.find_use_of_prompt,
        monitors.find_use_of_prompt,
        ab_tests.find_use_of_prompt,
        optimizations.find_use_of_prompt,
    )
    datasets.find_use.connect(
        run_control.find_use_of_dataset,
        experiments.find_use_of_dataset,
        monitors.find_use_of_dataset,
        ab_tests.find_use_of_dataset,
        optimizations.find_use_of_dataset,
    )
    scorers.find_use.connect(
        run_control.find_use_of_scorer,
        monitors.find_use_of_scorer,
        ab_tests.find_use_of_scorer,
        optimizations.find_use_of_scorer,
    )
    scorer_reading.count_uses.connect(run_control.count_runs)
    bench.read_output.connect(runs.read_subject)
    run_control.find_resume_objection.connect(
        iterations.find_resume_objection,
        checks.find_resume_objection,
        ab_tests.find_resume_objection,
        optimizations.find_resume_objection,
    )
    retention.find_evidence.connect(
        iterations.find_evidence,
        checks.find_evidence,
        ab_tests.find_evidence,
        optimizations.find_evidence,
        voting.find_evidence,
    )
    projects.on_archived.connect(run_control.pause_of_archived)
    projects.on_unarchived.connect(run_control.resume_of_unarchived)
    transitions.on_moved.connect(
        iterations.note_run_moved,
        checks.note_run_moved,
        ab_tests.note_run_moved,
        optimizations.note_run_moved,
    )
    budgets.on_limit_raised.connect(
        monitor_pauses.resume_paused_by_budget,
        optimizations.resume_paused_by_budget,
    )
    scopes.known_scopes |= {
        Scope.EXPERIMENT: experiments.find_names,
        Scope.MONITOR: monitors.find_names,
        Scope.AB_TEST: ab_tests.find_names,
        Scope.OPTIMIZER: optimizations.find_names,
    }
    of_generation = dead.JobOwner(
        on_dead=generation.note_dead_job, on_retry=generation.note_retried_job
    )
    dead.job_owners |= {
        generation.TASK: of_generation,
        iteration_control.DRIVE: dead.JobOwner(on_dead=iterations.note_dead_job),
        check_control.DRIVE: dead.JobOwner(on_dead=checks.note_dead_job),
        ab_test_control.DRIVE: dead.JobOwner(on_dead=ab_tests.note_dead_job),
        optimization_control.DRIVE: dead.JobOwner(on_dead=optimizations.note_dead_job),
    }
