"""Challenge between password and code: a signed, short-lived token that states that the password
was right.

Grants nothing by itself. Contains a hash of the stored password, so it becomes invalid when the
password changes.
"""

from datetime import timedelta
from uuid import UUID

from edison.kit import clock, ids
from edison.kit.lazy_dataclasses import dataclass
from edison.workspace.accounts.models import User
from edison.workspace.accounts.second_factor.errors import ChallengeExpired
from edison.workspace.accounts.signing_keys import SigningKeys

VALID_FOR = timedelta(minutes=5)
PURPOSE = "second_factor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    user_id: UUID
    remember_me: bool
    stamp: str

    def is_for(self, user: User) -> bool:
        return self.stamp == stamp_of(user)


def issue(keys: SigningKeys, user: User, *, remember_me: bool) -> str:
    now = clock.now()
    return keys.sign(
        {
            "sub": str(user.id),
            "jti": str(ids.new_id()),
            "iat": now,
            "exp": now + VALID_FOR,
            # Other tokens are signed with the same keys; only challenges have this claim.
            "purpose": PURPOSE,
            "remember_me": remember_me,
            "stamp": stamp_of(user),
        }
    )


def read(keys: SigningKeys, token: str) -> Challenge:
    """Raises ChallengeExpired unless the challenge is genuine and unexpired."""
    claims = keys.read(token)
    if claims is None or claims.get("purpose") != PURPOSE:
        raise ChallengeExpired
    user_id = ids.parse_id(claims["sub"])
    stamp = claims.get("stamp")
    if user_id is None or not isinstance(stamp, str):
        raise ChallengeExpired
    return Challenge(user_id=user_id, remember_me=claims.get("remember_me") is True, stamp=stamp)


def stamp_of(user: User) -> str:
    return ids.digest(f"{user.password_hash}:{user.second_factor_at}")
