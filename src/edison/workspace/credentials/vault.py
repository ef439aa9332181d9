"""Opens stored credentials as providers, with the installation's keys and network policy."""

from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from edison.kit.credential_variables import VENDOR_VARIABLES, Variables
from edison.kit.host_patterns import matches_host
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.sealing import SealingKeys, find_sealing_keys, load_sealing_keys
from edison.pipeline.generate import catalog
from edison.pipeline.generate.addresses import NetworkPolicy, read_target
from edison.pipeline.generate.provider import Provider
from edison.settings import Settings
from edison.workspace.credentials import secrets
from edison.workspace.credentials.errors import MissingSecret
from edison.workspace.credentials.form import with_placeholder_secrets
from edison.workspace.credentials.models import Credential


@dataclass(frozen=True, slots=True, kw_only=True)
class Vault:
    """Sealing keys, the network policy for calls, and the environment variables that credentials
    may name, each with the hosts it may be sent to.
    """

    keys: SealingKeys
    network: NetworkPolicy
    variables: Variables

    def open(self, credential: Credential) -> Provider:
        """A provider ready for calls; close it when done. A secret from the environment is sent
        only to the hosts it is bound to, regardless of the provider's code. Raises MissingSecret.
        """
        kind = catalog.load_provider(credential.provider)
        bound = secrets.bound_hosts(credential.secrets, self.variables)
        try:
            if bound:
                # Before the variable is read, so the error is the same whether it is set or not.
                shape = kind.model_validate(with_placeholder_secrets(credential))
                _check_destination(shape.destination(), bound)
            revealed = secrets.reveal(credential.secrets, self.keys, self.variables)
            network = replace(self.network, only_hosts=tuple(bound.values()))
            return kind.open(credential.settings | revealed, network=network)
        except ValidationError as wrong:
            # Saved before validation became stricter; the exception could quote a secret.
            raise MissingSecret(
                "The settings of this credential are not valid any more. Enter them again."
            ) from wrong

    def variables_for(self, kind: type[Provider]) -> Variables:
        """The variables that a form of this kind offers: those the operator bound to hosts, and the
        usual variables of its own vendor. Does not reveal whether a variable is set.
        """
        usual = kind.vendor_variables
        return {
            name: hosts
            for name, hosts in self.variables.items()
            if usual is None or name in usual or VENDOR_VARIABLES.get(name) != hosts
        }


def _check_destination(url: str | None, bound: Variables) -> None:
    if url is None:
        return
    host = read_target(url).host
    for name, hosts in bound.items():
        if not matches_host(host, hosts):
            raise MissingSecret(
                f"The environment variable {name} may be sent only to {' or '.join(hosts)}, "
                f"not to {host}."
            )


def sealing_folder(settings: Settings) -> Path:
    return settings.data_dir / "keys" / "sealing"


def find_keys(settings: Settings) -> SealingKeys | None:
    """None when the installation has no sealing key yet, or lost it."""
    return find_sealing_keys(sealing_folder(settings), _given_keys(settings))


def _given_keys(settings: Settings) -> str | None:
    given = settings.sealing_private_key
    return None if given is None else given.get_secret_value()


def open_vault(settings: Settings) -> Vault:
    keys = load_sealing_keys(sealing_folder(settings), _given_keys(settings))
    # In embedded mode, a model server on the same machine is common.
    network = NetworkPolicy(
        allow_loopback=settings.is_embedded or settings.allow_private_addresses,
        allow_private=settings.allow_private_addresses,
    )
    return Vault(keys=keys, network=network, variables=settings.allowed_variables)
