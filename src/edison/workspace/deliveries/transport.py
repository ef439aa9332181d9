"""What channels send with: the guarded HTTP client's policy, the mail server, sealing keys."""

from typing import TYPE_CHECKING

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.sealing import SealingKeys
from edison.pipeline.generate.addresses import NetworkPolicy
from edison.settings import Settings
from edison.workspace.credentials.vault import Vault
from edison.workspace.mail.service import Email

if TYPE_CHECKING:
    from edison.pipeline.generate.outbound import OutboundClient
    from edison.pipeline.generate.resolver import Resolver

# More than is read of an answer: the client rejects a longer chunk.
_MAX_RESPONSE_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Transport:
    """`site` is the public URL of this installation, for links. `resolver` replaces DNS."""

    keys: SealingKeys
    network: NetworkPolicy
    mail: Email | None
    site: str | None
    resolver: "Resolver | None" = None

    @classmethod
    def of(cls, vault: Vault, settings: Settings | None) -> "Transport":
        # Unlike model servers, receivers on this machine need the operator's permission, too: their
        # answers are shown.
        is_private_allowed = vault.network.allow_private
        return cls(
            keys=vault.keys,
            network=NetworkPolicy(
                allow_loopback=is_private_allowed, allow_private=is_private_allowed
            ),
            mail=None if settings is None else Email.of(settings),
            site=None if settings is None else settings.public_url,
        )

    def open_client(self) -> "OutboundClient":
        """Close it after use."""
        from edison.pipeline.generate.outbound import OutboundClient

        return OutboundClient(
            self.network, max_response_bytes=_MAX_RESPONSE_BYTES, resolver=self.resolver
        )
