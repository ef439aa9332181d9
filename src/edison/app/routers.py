"""Every router of every slice."""

from starlette.routing import BaseRoute

from edison.app.about import router as about
from edison.app.health import router as health
from edison.evals.endpoints import router as evaluations
from edison.exchange.endpoints import exports_router as exports
from edison.exchange.endpoints import router as imports
from edison.insights.boards.endpoints import router as boards
from edison.insights.home.endpoints import router as home
from edison.insights.questions.endpoints import router as judged_questions
from edison.insights.search.endpoints import router as search
from edison.library.calls.endpoints import router as calls
from edison.library.coverage.endpoints import router as coverage
from edison.library.datasets.endpoints.cases import router as cases
from edison.library.datasets.endpoints.datasets import router as datasets
from edison.library.datasets.endpoints.files import router as case_files
from edison.library.datasets.endpoints.tags import router as case_tags
from edison.library.generation.endpoints import cases_router as generated_cases
from edison.library.generation.endpoints import router as generations
from edison.library.models.endpoints import router as models
from edison.library.prompts.endpoints.prompts import router as prompts
from edison.library.prompts.endpoints.versions import router as prompt_versions
from edison.library.scorers.endpoints.rubrics import router as rubrics
from edison.library.scorers.endpoints.scorers import router as scorers
from edison.loops.abtests.endpoints import router as ab_tests
from edison.loops.bundles.endpoints import router as bundles
from edison.loops.experiments.endpoints.experiments import router as experiments
from edison.loops.experiments.endpoints.iterations import router as iterations
from edison.loops.experiments.endpoints.reports import router as experiment_reports
from edison.loops.experiments.endpoints.strategies import router as strategies
from edison.loops.monitors.endpoints.alerts import router as alerts
from edison.loops.monitors.endpoints.monitors import router as monitors
from edison.loops.optimizations.endpoints import router as optimizations
from edison.loops.reviews.endpoints import router as reviews
from edison.runs.insight.endpoints import router as model_insight
from edison.runs.playground.endpoints import router as playground
from edison.runs.read.endpoints import results_router as run_results
from edison.runs.read.endpoints import runs_router as runs
from edison.runs.results.endpoints import router as statistics
from edison.runs.retention.endpoints import router as retention
from edison.runs.scoring.endpoints.annotation import router as annotating
from edison.runs.scoring.endpoints.flags import router as output_flags
from edison.runs.scoring.endpoints.queues import router as annotation_queues
from edison.runs.scoring.endpoints.scores import router as human_scores
from edison.runs.voting.endpoints import router as voting
from edison.workspace.accounts.endpoints import router as accounts
from edison.workspace.accounts.second_factor.endpoints import router as second_factor
from edison.workspace.accounts.single_sign_on.endpoints import router as single_sign_on
from edison.workspace.budgets.endpoints import budgets_router as budgets
from edison.workspace.budgets.endpoints import ledger_router as ledger
from edison.workspace.credentials.endpoints import router as credentials
from edison.workspace.deliveries.endpoints import router as destinations
from edison.workspace.live.endpoints import router as live
from edison.workspace.notifications.endpoints import router as notifications
from edison.workspace.operations.endpoints import router as operations
from edison.workspace.projects.endpoints.audit import router as audit
from edison.workspace.projects.endpoints.invitations import router as invitations
from edison.workspace.projects.endpoints.members import router as members
from edison.workspace.projects.endpoints.projects import router as projects

ROUTERS = (
    health,
    about,
    accounts,
    second_factor,
    single_sign_on,
    projects,
    home,
    search,
    members,
    invitations,
    audit,
    live,
    notifications,
    destinations,
    datasets,
    cases,
    case_files,
    case_tags,
    coverage,
    generations,
    generated_cases,
    prompt_versions,
    prompts,
    # Before the route of one model, which would take its path for an id.
    model_insight,
    boards,
    judged_questions,
    voting,
    models,
    credentials,
    budgets,
    ledger,
    calls,
    scorers,
    rubrics,
    runs,
    run_results,
    playground,
    statistics,
    retention,
    human_scores,
    output_flags,
    annotation_queues,
    annotating,
    # Before the route of one optimization, which would take its path for an id.
    strategies,
    optimizations,
    experiments,
    experiment_reports,
    iterations,
    reviews,
    monitors,
    alerts,
    ab_tests,
    evaluations,
    bundles,
    imports,
    exports,
    operations,
)


def all_routes() -> list[BaseRoute]:
    return [route for router in ROUTERS for route in router.routes]
