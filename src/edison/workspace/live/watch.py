"""Ends the streams of readers who lose access.

One watch per process checks all open streams together: immediately after `events.access_changed`
and at least every second. A thousand streams cost a few queries per second.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from uuid import UUID

import structlog
from sqlalchemy import and_, or_, select

from edison.db.membership import is_one_of
from edison.db.outages import is_outage
from edison.db.session import Database
from edison.db.wakeups import Subscription
from edison.kit import clock
from edison.kit.lazy_dataclasses import dataclass
from edison.workspace.accounts.models import AccessToken, User, UserSession
from edison.workspace.events.service import ACCESS_TOPIC
from edison.workspace.projects.access import Member
from edison.workspace.projects.models import Project, ProjectMember, Role

log = structlog.get_logger(__name__)

CHECK_EVERY_SECONDS = 1.0
LEAST_SECONDS_BETWEEN = 0.05
MOST_AT_ONCE = 500
# How long events are held back while access cannot be checked.
CONFIRM_SECONDS = 5.0

Lost = Callable[[], None]

_LACKS_SECOND_FACTOR = and_(Project.requires_two_factor, User.second_factor_at.is_(None))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Access:
    """A reader's access to a project. `login_id` is the id of the session or token."""

    project_id: UUID
    user_id: UUID
    login_id: UUID | None


class AccessWatch:
    """One per process. Bound to one event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._watched: dict[_Access, dict[object, Lost]] = {}
        self._subscription: Subscription | None = None
        self._task: asyncio.Task[None] | None = None
        # A change of access is pending and not yet checked.
        self._is_behind = False
        self._has_checked = asyncio.Event()

    @contextmanager
    def watch(self, access: _Access, lost: Lost) -> Iterator[None]:
        key = object()
        self._watched.setdefault(access, {})[key] = lost
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="access watch")
        try:
            yield
        finally:
            watchers = self._watched[access]
            del watchers[key]
            if not watchers:
                del self._watched[access]

    async def wait_for_check(self) -> None:
        """Returns when no change of access is left unchecked. Raises TimeoutError."""
        if not self._is_unchecked():
            return
        async with asyncio.timeout(CONFIRM_SECONDS):
            while self._is_unchecked():
                self._has_checked.clear()
                await self._has_checked.wait()

    async def close(self) -> None:
        """Waits for a running check. Call after the wake-ups are closed."""
        if self._task is not None:
            await asyncio.wait([self._task])

    def _is_unchecked(self) -> bool:
        return self._is_behind or (self._subscription is not None and self._subscription.is_woken)

    async def _run(self) -> None:
        with self._database.wakeups.subscribe(ACCESS_TOPIC) as subscription:
            self._subscription = subscription
            try:
                while self._watched and not subscription.is_closed:
                    self._is_behind |= await subscription.wait(CHECK_EVERY_SECONDS)
                    if not subscription.is_closed:
                        await self._check_if_possible()
                        await asyncio.sleep(LEAST_SECONDS_BETWEEN)
            finally:
                self._subscription = None
                self._is_behind = False
                self._has_checked.set()

    async def _check_if_possible(self) -> None:
        try:
            await self._check()
        except Exception as failure:  # boundary: streams depend on the loop continuing
            log.warning(
                "access is not checked",
                reason=type(failure).__name__,
                exc_info=not is_outage(failure),
            )
            return
        self._is_behind = False
        self._has_checked.set()

    async def _check(self) -> None:
        accesses = list(self._watched)
        for first in range(0, len(accesses), MOST_AT_ONCE):
            part = accesses[first : first + MOST_AT_ONCE]
            valid = await self._list_roles(part)
            for access in part:
                if access not in valid:
                    for lost in list(self._watched.get(access, {}).values()):
                        lost()

    async def _list_roles(self, accesses: Collection[_Access]) -> Mapping[_Access, Role]:
        """Roles of the readers whose session or token is valid, who are members, and who have a
        second factor where the project requires one.
        """
        login_ids = {access.login_id for access in accesses if access.login_id is not None}
        now = clock.now()
        async with self._database.read_inline() as session:
            sessions = await session.execute(
                select(UserSession.id, UserSession.is_single_sign_on).where(
                    is_one_of(session, UserSession.id, login_ids), UserSession.expires_at > now
                )
            )
            tokens = await session.scalars(
                select(AccessToken.id).where(
                    is_one_of(session, AccessToken.id, login_ids),
                    or_(AccessToken.expires_at.is_(None), AccessToken.expires_at > now),
                )
            )
            members = await session.execute(
                select(ProjectMember, _LACKS_SECOND_FACTOR)
                .join(Project, Project.id == ProjectMember.project_id)
                .join(User, User.id == ProjectMember.user_id)
                .where(
                    is_one_of(session, ProjectMember.project_id, {s.project_id for s in accesses}),
                    is_one_of(session, ProjectMember.user_id, {s.user_id for s in accesses}),
                )
            )
        # By session or token: whether the identity provider is responsible for the second factor.
        is_exempt = {login_id: by_provider for login_id, by_provider in sessions}
        is_exempt |= dict.fromkeys(tokens, False)
        found = {(row.project_id, row.user_id): (Role(row.role), lacks) for row, lacks in members}
        roles = {}
        for access in accesses:
            role, lacks = found.get((access.project_id, access.user_id), (None, True))
            if role is None or access.login_id not in is_exempt:
                continue
            if is_exempt[access.login_id] or not lacks:
                roles[access] = role
        return roles


class MemberReader:
    """A member reading a stream. Requires the viewer role, which every role includes."""

    def __init__(self, watch: AccessWatch, member: Member) -> None:
        caller = member.caller
        self._watch = watch
        self._access = _Access(
            project_id=member.project_id,
            user_id=member.user_id,
            login_id=caller.session_id if caller.token is None else caller.token.id,
        )

    @property
    def user_id(self) -> UUID:
        return self._access.user_id

    @contextmanager
    def watch(self, lost: Lost) -> Iterator[None]:
        with self._watch.watch(self._access, lost):
            yield

    async def confirm_access(self) -> None:
        await self._watch.wait_for_check()
