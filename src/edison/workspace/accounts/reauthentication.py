"""Asks a signed-in user for the password again before sensitive actions, which a stolen session
must not allow.
"""

from edison.db.session import Database
from edison.kit.errors import FieldProblem, Invalid, TooMany
from edison.workspace.accounts import attempts, passwords
from edison.workspace.accounts.models import User
from edison.workspace.audit import service as audit

ATTEMPTS = 5


async def check_password(
    database: Database, *, user: User, password: str | None, field: str
) -> None:
    """Raises Invalid for a wrong password and TooMany after too many.

    Skipped for accounts without a password, which have no proof other than their session.
    """
    if not user.has_password:
        return
    key = f"password:account:{user.id}"
    async with database.write() as session:
        wait = await attempts.count(session, key, limit=ATTEMPTS)
    if wait is not None:
        raise TooMany("Too many wrong passwords. Please wait.", retry_after_seconds=wait)
    if not await passwords.matches(password or "", user.password_hash):
        await audit.record_denied(database, "user.password_refused", entity=("user", user.id))
        message = "This is not your password."
        raise Invalid(FieldProblem(field=field, message=message, code="wrong"))
    async with database.write() as session:
        await attempts.forget(session, key)
