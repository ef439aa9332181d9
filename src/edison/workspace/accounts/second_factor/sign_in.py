"""The second step of signing in."""

from edison.kit import origin
from edison.workspace.accounts import service as accounts
from edison.workspace.accounts.access import Visitor
from edison.workspace.accounts.models import User, UserSession
from edison.workspace.accounts.repository import Accounts
from edison.workspace.accounts.second_factor import challenge as challenges
from edison.workspace.accounts.second_factor import service
from edison.workspace.accounts.second_factor.errors import ChallengeExpired, WrongCode
from edison.workspace.accounts.second_factor.service import CodeVerifier


async def finish(
    verifier: CodeVerifier, visitor: Visitor, *, challenge: str, code: str
) -> tuple[User, UserSession]:
    """Open the session after a valid challenge and code.

    Raises ChallengeExpired, WrongCode, and TooMany after too many wrong codes.
    """
    read = challenges.read(visitor.signing_keys, challenge)
    user = await _find(verifier, read)
    origin.name_user(user_id=user.id, email=user.email)
    if not await service.is_right(verifier, user=user, code=code):
        raise WrongCode
    async with verifier.database.write() as session:
        opened = await accounts.begin_session(
            session,
            user,
            remember_me=read.remember_me,
            settings=visitor.settings,
            action="user.login",
        )
    return user, opened


async def _find(verifier: CodeVerifier, read: challenges.Challenge) -> User:
    async with verifier.database.read() as session:
        user = await Accounts(session).find(read.user_id)
    if user is None or not user.has_second_factor or not read.is_for(user):
        raise ChallengeExpired
    return user
