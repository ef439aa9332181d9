"""What becomes of accounts, tokens and projects that were there before."""

from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy import text

from edison.db import migrate
from edison.db.engine import open_engine

SCRIPT = migrate.revisions()
OWNER, ADA = (UUID(int=number).hex for number in (1, 2))
AT = datetime(2026, 1, 1, tzinfo=UTC)
USER = """INSERT INTO users (id, email, name, password_hash, is_local_owner, created_at, updated_at)
    VALUES (:id, :email, NULL, 'x', :is_owner, :at, :at)"""
TOKEN = """INSERT INTO access_tokens (id, user_id, name, scope, digest, last_four, created_at)
    VALUES (:id, :id, 't', 'read', 'd', 'abcd', :at)"""


async def test_only_the_local_owner_counts_as_verified_and_tokens_reach_all(
    empty_url: str,
) -> None:
    engine = open_engine(empty_url, pooled=False)
    async with migrate.changing_schema(engine) as connection:
        await connection.run_sync(migrate.apply, SCRIPT, "0016")
    at = AT if "postgresql" in empty_url else AT.replace(tzinfo=None)
    rows = ((OWNER, "owner@localhost", True), (ADA, "jos\u00e9@example.org", False))
    async with engine.begin() as connection:
        for user_id, email, is_owner in rows:
            values = {"id": user_id, "email": email, "is_owner": is_owner, "at": at}
            await connection.execute(text(USER), values)
        await connection.execute(text(TOKEN), {"id": ADA, "at": at})
    async with migrate.changing_schema(engine) as connection:
        await connection.run_sync(migrate.apply, SCRIPT, "0017")
    async with engine.connect() as connection:
        users = await connection.execute(
            text("SELECT email, email_skeleton, email_verified_at FROM users ORDER BY email")
        )
        found = {row.email: row for row in users}
        token = await connection.scalar(text("SELECT project_ids FROM access_tokens"))
    await engine.dispose()
    assert found["owner@localhost"].email_verified_at is not None
    assert found["jos\u00e9@example.org"].email_verified_at is None
    assert all(row.email_skeleton == email for email, row in found.items())
    assert token is None
