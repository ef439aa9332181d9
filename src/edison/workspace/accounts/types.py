"""Values of accounts that do not depend on how a request arrives."""

from enum import StrEnum
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass
from edison.workspace.accounts.models import AccessToken, TokenScope, User, UserSession


class RegistrationMode(StrEnum):
    """Who may register at the moment."""

    OPEN = "open"
    FIRST_ONLY = "first_only"
    INVITED = "invited"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """A user, authenticated by browser session or by personal access token."""

    user: User
    session: UserSession | None = None
    token: AccessToken | None = None

    @property
    def user_id(self) -> UUID:
        return self.user.id

    @property
    def session_id(self) -> UUID | None:
        return None if self.session is None else self.session.id

    @property
    def is_limited(self) -> bool:
        """Authenticated by a token that is limited to certain projects."""
        return self.token is not None and self.token.project_ids is not None

    @property
    def has_second_factor(self) -> bool:
        """The account has a second factor, or signed in by single sign-on, where the identity
        provider is responsible for it.
        """
        by_provider = self.session is not None and self.session.is_single_sign_on
        return self.user.has_second_factor or by_provider

    def reaches(self, project_id: UUID) -> bool:
        return self.token is None or self.token.reaches(project_id)

    def may_administer(self) -> bool:
        return self.token is None or self.token.scope == TokenScope.ADMIN
