"""Ends the streams of readers who lose access.

One watch per process checks all open streams together: immediately after `events.access_changed`
and at least every second. A thousand streams cost a few queries per second.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

import structlog
from sqlalchemy import and_, or_, select

from edison.db.membership import is_one_of
from edison.db.outages import is_outage
from edison.db.session import Database
from edison.db.wakeups import Subscription
from edison.kit import clock
from edison.workspace.accounts.models import AccessToken, User, UserSession
from edison.workspace.events.service import ACCESS_CHANNEL
from edison.workspace.projects.access import Member
from edison.workspace.projects.models import Project, ProjectMember, Role

log = structlog.get_logger(__name__)

CHECK_EVERY_SECONDS = 1.0
LEAST_SECONDS_BETWEEN = 0.05
MOST_AT_ONCE = 500
# How long events are held back while access cannot be checked.
SETTLE_SECONDS = 5.0

Lost = Callable[[], None]

_LACKS_SECOND_FACTOR = and_(Project.requires_two_factor, User.second_factor_at.is_(None))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stay:
    """`proof_id` is the id of the reader's session or token."""

    project_id: UUID
    user_id: UUID
    proof_id: UUID | None


class AccessWatch:
    """One per process. Bound to one event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._watched: dict[_Stay, dict[object, Lost]] = {}
        self._subscription: Subscription | None = None
        self._task: asyncio.Task[None] | None = None
        # A change of access is pending and not yet checked.
        self._is_behind = False
        self._has_checked = asyncio.Event()

    @contextmanager
    def watch(self, stay: _Stay, lost: Lost) -> Iterator[None]:
        key = object()
        self._watched.setdefault(stay, {})[key] = lost
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="access watch")
        try:
            yield
        finally:
            watchers = self._watched[stay]
            del watchers[key]
            if not watchers:
                del self._watched[stay]

    async def settle(self) -> None:
        """Returns when no pending change of access is left. Raises TimeoutError."""
        if not self._has_news():
            return
        async with asyncio.timeout(SETTLE_SECONDS):
            while self._has_news():
                self._has_checked.clear()
                await self._has_checked.wait()

    async def close(self) -> None:
        """Waits for a running check. Call after the wake-ups are closed."""
        if self._task is not None:
            await asyncio.wait([self._task])

    def _has_news(self) -> bool:
        return self._is_behind or (self._subscription is not None and self._subscription.is_woken)

    async def _run(self) -> None:
        with self._database.wakeups.subscribe(ACCESS_CHANNEL) as subscription:
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
        stays = list(self._watched)
        for first in range(0, len(stays), MOST_AT_ONCE):
            part = stays[first : first + MOST_AT_ONCE]
            standing = await self._list_roles(part)
            for stay in part:
                if stay not in standing:
                    for lost in list(self._watched.get(stay, {}).values()):
                        lost()

    async def _list_roles(self, stays: Collection[_Stay]) -> Mapping[_Stay, Role]:
        """Roles of the readers whose session or token is valid, who are members, and who have a
        second factor where the project requires one.
        """
        proof_ids = {stay.proof_id for stay in stays if stay.proof_id is not None}
        now = clock.now()
        async with self._database.read_briefly() as session:
            sessions = await session.execute(
                select(UserSession.id, UserSession.is_single_sign_on).where(
                    is_one_of(session, UserSession.id, proof_ids), UserSession.expires_at > now
                )
            )
            tokens = await session.scalars(
                select(AccessToken.id).where(
                    is_one_of(session, AccessToken.id, proof_ids),
                    or_(AccessToken.expires_at.is_(None), AccessToken.expires_at > now),
                )
            )
            members = await session.execute(
                select(ProjectMember, _LACKS_SECOND_FACTOR)
                .join(Project, Project.id == ProjectMember.project_id)
                .join(User, User.id == ProjectMember.user_id)
                .where(
                    is_one_of(session, ProjectMember.project_id, {s.project_id for s in stays}),
                    is_one_of(session, ProjectMember.user_id, {s.user_id for s in stays}),
                )
            )
        # By session or token: whether the identity provider is responsible for the second factor.
        is_exempt = {proof_id: by_provider for proof_id, by_provider in sessions}
        is_exempt |= dict.fromkeys(tokens, False)
        found = {(row.project_id, row.user_id): (Role(row.role), lacks) for row, lacks in members}
        roles = {}
        for stay in stays:
            role, lacks = found.get((stay.project_id, stay.user_id), (None, True))
            if role is None or stay.proof_id not in is_exempt:
                continue
            if is_exempt[stay.proof_id] or not lacks:
                roles[stay] = role
        return roles


class MemberReader:
    """A member reading a stream. Requires the viewer role, which every role includes."""

    def __init__(self, watch: AccessWatch, member: Member) -> None:
        caller = member.caller
        self._watch = watch
        self._stay = _Stay(
            project_id=member.project_id,
            user_id=member.user_id,
            proof_id=caller.session_id if caller.token is None else caller.token.id,
        )

    @property
    def user_id(self) -> UUID:
        return self._stay.user_id

    @contextmanager
    def watch(self, lost: Lost) -> Iterator[None]:
        with self._watch.watch(self._stay, lost):
            yield

    async def settle(self) -> None:
        await self._watch.settle()
