"""Authentication of requests: guards for endpoints that need a signed-in user."""

import ipaddress
from typing import Annotated, Any
from urllib.parse import urlsplit
from uuid import UUID

from fastapi import Depends, Request, Response
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm.attributes import set_committed_value

from edison.api.policy import Guard, Policy, PublicGuard
from edison.api.session import Session, database_of, is_reading, settings_of
from edison.db.session import Database, defer_write, inline
from edison.kit import clock, ids, origin
from edison.kit.errors import Forbidden, Unauthenticated
from edison.kit.lazy_dataclasses import dataclass
from edison.settings import Settings
from edison.workspace.accounts import cookies, sessions
from edison.workspace.accounts.errors import WrongCsrfToken
from edison.workspace.accounts.models import AccessToken, TokenScope, User, UserSession
from edison.workspace.accounts.repository import Accounts
from edison.workspace.accounts.schemas import SignedInRead
from edison.workspace.accounts.signing_keys import SigningKeys
from edison.workspace.accounts.types import Caller

TOKEN_PREFIX = "edn_"  # noqa: S105 - a prefix that secret scanners can find, not a secret


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A request that is not authenticated yet."""

    request: Request
    response: Response
    database: Database
    settings: Settings

    async def recognise(self, session: AsyncSession, *, may_write: bool) -> Caller:
        """Returns the caller or raises Unauthenticated. Checks CSRF for cookies and the scope of
        tokens.

        With `may_write`, last use is recorded in the session's transaction; otherwise right after
        it.
        """
        header = self.request.headers.get("Authorization")
        async with inline(session):
            if header is not None:
                caller = await _by_token(self.request, session, header)
            else:
                caller = await _by_cookie(self.request, session)
        origin.name_user(user_id=caller.user.id, email=caller.user.email)
        self.request.state.is_recognised = True
        keeper = _LastUseRecorder(session=session, may_write=may_write)
        if caller.token is not None:
            await keeper.note_use(caller.token)
        elif caller.session is not None:
            await self._keep_alive(caller.session, caller.user, keeper)
        return caller

    async def _keep_alive(
        self, opened: UserSession, user: User, keeper: "_LastUseRecorder"
    ) -> None:
        if await keeper.note_sighting(opened, settings=self.settings):
            kept = cookies.read_cookie(self.request)
            csrf = None if kept is None else kept[1]
            cookies.set_cookies(self.response, self.request, opened, user, csrf)


async def begin_visit(request: Request, response: Response) -> Visit:
    """Has no sub-dependencies: nearly every endpoint uses it, and FastAPI resolves each one per
    request.
    """
    return Visit(
        request=request,
        response=response,
        database=database_of(request),
        settings=settings_of(request),
    )


async def identify(visit: Annotated[Visit, Depends(begin_visit)], session: Session) -> Caller:
    """The caller, authenticated in the request's own transaction."""
    return await visit.recognise(session, may_write=not is_reading(visit.request))


async def _by_cookie(request: Request, session: AsyncSession) -> Caller:
    claims = cookies.read_cookie(request)
    found = None if claims is None else await Accounts(session).find_session(claims[0])
    if claims is None or found is None or found[0].expires_at <= clock.now():
        raise Unauthenticated("Sign in to continue.")
    if not is_reading(request):
        cookies.check_csrf(request, claims[1])
    return Caller(user=found[1], session=found[0])


async def _by_token(request: Request, session: AsyncSession, header: str) -> Caller:
    scheme, _, secret = header.partition(" ")
    found = None
    if scheme.lower() == "bearer" and secret.startswith(TOKEN_PREFIX):
        found = await Accounts(session).find_token(ids.digest(secret))
    if found is None or (found[0].expires_at is not None and found[0].expires_at <= clock.now()):
        raise Unauthenticated("This access token is not valid or has expired.")
    token, user = found
    if token.scope == TokenScope.READ and not is_reading(request):
        origin.name_user(user_id=user.id, email=user.email)
        raise Forbidden("This access token may only read.")
    return Caller(user=user, token=token)


@dataclass(frozen=True, slots=True, kw_only=True)
class _LastUseRecorder:
    """Records that a session or token was used, at most once per interval. Read-only transactions
    defer the write until they end, so they neither write nor wait for a second connection.
    """

    session: AsyncSession
    may_write: bool

    async def note_sighting(self, opened: UserSession, *, settings: Settings) -> bool:
        """True when the session was extended and the browser needs a new cookie."""
        now = clock.now()
        extended = sessions.is_due_for_refresh(opened, now)
        if not extended and not sessions.is_due_for_sighting(opened, now):
            return False
        values: dict[str, Any] = {"last_seen_at": now}
        if extended:
            opened_for = sessions.lifetime(settings, remember_me=opened.remember_me)
            values["expires_at"] = now + opened_for
        await self._update(UserSession, opened.id, values)
        if extended:
            # Already stored by the update; the current transaction must not write it again.
            set_committed_value(opened, "expires_at", values["expires_at"])
        return extended

    async def note_use(self, token: AccessToken) -> None:
        now = clock.now()
        if token.last_used_at is None or now - token.last_used_at >= sessions.SEEN_EVERY:
            address = origin.current().address
            values = {"last_used_at": now, "last_used_address": address}
            await self._update(AccessToken, token.id, values)

    async def _update(self, table: type[Any], key: UUID, values: dict[str, Any]) -> None:
        statement = update(table).where(table.id == key).values(**values)
        if self.may_write:
            await self.session.execute(statement)
        else:
            defer_write(self.session, statement)


class _SignedIn(Guard):
    """Refuses tokens limited to certain projects, because these endpoints belong to no project."""

    policy = Policy(kind="signed_in")

    async def __call__(self, caller: Annotated[Caller, Depends(identify)]) -> Caller:
        if caller.is_limited:
            raise Forbidden("This access token is limited to certain projects.")
        return caller


class _SignedInOrLimited(Guard):
    """For endpoints that enforce a token's project limits themselves."""

    policy = Policy(kind="signed_in")

    async def __call__(self, caller: Annotated[Caller, Depends(identify)]) -> Caller:
        return caller


class _InPerson(Guard):
    """Requires a browser session: a token must not create tokens or change passwords."""

    policy = Policy(kind="signed_in", accepts_tokens=False)

    async def __call__(self, caller: Annotated[Caller, Depends(identify)]) -> Caller:
        return _check_in_person(caller)


class _InPersonWithoutTransaction(Guard):
    """Like _InPerson, but holds no transaction while the endpoint does slow work."""

    policy = Policy(kind="signed_in", accepts_tokens=False)

    async def __call__(self, visit: Annotated[Visit, Depends(begin_visit)]) -> Caller:
        async with visit.database.read() as session:
            caller = await visit.recognise(session, may_write=False)
        return _check_in_person(caller)


def _check_in_person(caller: Caller) -> Caller:
    if caller.session is None:
        raise Forbidden("Account changes need a browser session, not an access token.")
    return caller


class _Anyone(PublicGuard):
    async def __call__(self, request: Request) -> None:
        """Anonymous access; refuses cross-site requests that are not read-only."""
        if not is_reading(request) and _is_cross_site(request):
            raise WrongCsrfToken


def _is_cross_site(request: Request) -> bool:
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return True
    source = request.headers.get("Origin")
    return source is not None and urlsplit(source).netloc != request.headers.get("Host")


async def find_own_session(request: Request, session: AsyncSession) -> Caller | None:
    """The user signed in by cookie, for public endpoints that return more to them. Checks CSRF."""
    try:
        return await _by_cookie(request, session)
    except Unauthenticated:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """A browser that is signing in, and the dependencies of signing in."""

    request: Request
    response: Response
    database: Database
    settings: Settings

    @property
    def signing_keys(self) -> SigningKeys:
        keys: SigningKeys = self.request.app.state.signing_keys
        return keys

    def let_in(self, user: User, opened: UserSession) -> SignedInRead:
        return let_in(self.request, self.response, user, opened)


async def _begin_signing_in(request: Request, response: Response) -> Visitor:
    return Visitor(
        request=request,
        response=response,
        database=database_of(request),
        settings=settings_of(request),
    )


def let_in(request: Request, response: Response, user: User, opened: UserSession) -> SignedInRead:
    """Set the session cookies and return the signed-in user."""
    cookies.set_cookies(response, request, opened, user)
    return SignedInRead.model_validate(Caller(user=user, session=opened))


def is_loopback(address: str | None) -> bool:
    try:
        return address is not None and ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


SignedIn = Annotated[Caller, Depends(_SignedIn())]
SignedInOrLimited = Annotated[Caller, Depends(_SignedInOrLimited())]
InPerson = Annotated[Caller, Depends(_InPerson())]
InPersonWithoutTransaction = Annotated[Caller, Depends(_InPersonWithoutTransaction())]
Anyone = Depends(_Anyone())
CurrentVisitor = Annotated[Visitor, Depends(_begin_signing_in)]
