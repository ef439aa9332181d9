"""Secrets sealed in any table: whether their keys are here, and sealing them with a new key."""

from collections import Counter

from sqlalchemy.ext.asyncio import AsyncSession

from edison.app.tables import metadata
from edison.db.current_schema import is_current
from edison.db.sealed import change_sealed, read_sealed
from edison.db.session import Database
from edison.kit.errors import Conflict
from edison.kit.sealing import CannotOpen, SealingKeys, key_name
from edison.settings import Settings
from edison.workspace.audit import service as audit
from edison.workspace.credentials import vault

# Opens with no key, so that people are asked to enter the secret again.
_LOST = ""


class SealingKeyMissing(Conflict):
    """Stored secrets were sealed with keys that are not here."""

    code = "SEALING_KEY_MISSING"

    def __init__(self, missing: Counter[str], settings: Settings) -> None:
        files = ", ".join(f"{name}.pem" for name in sorted(missing))
        number = missing.total()
        what = "1 stored secret was" if number == 1 else f"{number} stored secrets were"
        super().__init__(
            f"{what} encrypted with a missing key: restore {files} in "
            f"{vault.sealing_folder(settings)} from a backup, or give the key in "
            "EDISON_SEALING_PRIVATE_KEY. If the key is lost, discard those secrets with "
            "`edison keys rotate --discard-unreadable`."
        )


async def find_missing_keys(session: AsyncSession, keys: SealingKeys | None) -> Counter[str]:
    """Names of keys that stored secrets need and `keys` lacks, with how many secrets need them."""
    missing: Counter[str] = Counter()
    async for sealed in read_sealed(session, metadata):
        if sealed != _LOST and (keys is None or not keys.has_key_of(sealed)):
            missing[key_name(sealed)] += 1
    return missing


async def require_keys(session: AsyncSession, settings: Settings) -> None:
    """Raises SealingKeyMissing when a stored secret cannot be opened; makes no key."""
    if missing := await find_missing_keys(session, vault.find_keys(settings)):
        raise SealingKeyMissing(missing, settings)


async def keep_lost_keys_lost(database: Database, settings: Settings) -> None:
    """Raises SealingKeyMissing before a new key takes the place of one that secrets need."""
    if vault.find_keys(settings) is None and await is_current(database.engine):
        async with database.read() as session:
            await require_keys(session, settings)


async def reseal_all(
    session: AsyncSession, *, keys: SealingKeys, discard_unreadable: bool = False
) -> int:
    """Seal every secret with the newest key; returns how many rows changed.

    Raises Conflict for a secret that no key opens, unless such secrets are to be given up.
    """
    discarded = 0

    def reseal(sealed: str) -> str:
        nonlocal discarded
        if sealed == _LOST or keys.is_current(sealed):
            return sealed
        try:
            return keys.seal(keys.open(sealed))
        except CannotOpen as damaged:
            if not discard_unreadable:
                raise Conflict(
                    f"A secret encrypted with key {key_name(sealed)} is damaged; nothing changed. "
                    "Discard it with `edison keys rotate --discard-unreadable`."
                ) from damaged
            discarded += 1
            return _LOST

    changed = await change_sealed(session, metadata, reseal)
    if changed:
        after = {"count": changed, "discarded": discarded}
        audit.record(session, "secrets.resealed", entity=("key", None), after=after)
    return changed
