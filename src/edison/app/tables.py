"""Every table of every slice, gathered for migrations."""

from edison.db.base import Base
from edison.library.datasets import models as datasets
from edison.workspace.accounts import models as accounts
from edison.workspace.audit import models as audit
from edison.workspace.credentials import models as credentials
from edison.workspace.events import models as events
from edison.workspace.projects import models as projects

__all__ = ["accounts", "audit", "credentials", "datasets", "events", "metadata", "projects"]

metadata = Base.metadata
