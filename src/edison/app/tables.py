"""Imports the tables of all slices, for migrations."""

from edison.db.base import Base
from edison.evals import models as evaluations
from edison.jobs import models as jobs
from edison.library.calls import models as calls
from edison.library.datasets import models as datasets
from edison.library.generation import models as generation
from edison.library.models import models as registry
from edison.library.prompts import models as prompts
from edison.library.scorers import models as scorers
from edison.loops.abtests import models as ab_tests
from edison.loops.experiments import models as experiments
from edison.loops.monitors import models as monitors
from edison.loops.optimizations import models as optimizations
from edison.loops.reviews import models as reviews
from edison.runs.scoring import models as scoring
from edison.runs.store import models as runs
from edison.runs.voting import models as voting
from edison.workspace.accounts import models as accounts
from edison.workspace.audit import models as audit
from edison.workspace.budgets import models as budgets
from edison.workspace.credentials import models as credentials
from edison.workspace.deliveries import models as deliveries
from edison.workspace.events import models as events
from edison.workspace.notifications import models as notifications
from edison.workspace.projects import models as projects

__all__ = [
    "ab_tests",
    "accounts",
    "audit",
    "budgets",
    "calls",
    "credentials",
    "datasets",
    "deliveries",
    "evaluations",
    "events",
    "experiments",
    "generation",
    "jobs",
    "metadata",
    "monitors",
    "notifications",
    "optimizations",
    "projects",
    "prompts",
    "registry",
    "reviews",
    "runs",
    "scorers",
    "scoring",
    "voting",
]

metadata = Base.metadata
