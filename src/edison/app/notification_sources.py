"""Every slice that notifies. Kinds are shown in this order, those that need an action first."""

from collections.abc import Sequence

from edison.app.run_hooks import RUN_SOURCES
from edison.loops.abtests import notifications as ab_tests
from edison.loops.experiments import notifications as experiments
from edison.loops.monitors import notifications as monitors
from edison.loops.optimizations import notifications as optimizations
from edison.workspace.notifications import role_changes
from edison.workspace.notifications.types import NotificationSource

SOURCES: Sequence[NotificationSource] = (
    experiments.NOTIFICATIONS,
    monitors.NOTIFICATIONS,
    ab_tests.NOTIFICATIONS,
    optimizations.NOTIFICATIONS,
    *RUN_SOURCES,
    role_changes.NOTIFICATIONS,
)
