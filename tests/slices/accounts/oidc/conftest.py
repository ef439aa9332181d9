"""An OpenID provider, and an Edison that trusts it."""

from collections.abc import AsyncIterator

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from edison.settings import Settings
from tests.fake_providers.openid import (
    CLIENT_ID,
    CLIENT_SECRET,
    OpenIdProvider,
    running_provider,
)


@pytest.fixture(scope="session")
def rsa_keys() -> list[rsa.RSAPrivateKey]:
    """The provider's first key, the one it rotates to, and a foreign key."""
    return [rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(3)]


@pytest.fixture
async def provider(rsa_keys: list[rsa.RSAPrivateKey]) -> AsyncIterator[OpenIdProvider]:
    async with running_provider(rsa_keys) as provider:
        yield provider


@pytest.fixture
def settings(settings: Settings, provider: OpenIdProvider) -> Settings:
    return Settings(
        **settings.model_dump(exclude={"oidc_issuer", "oidc_client_id", "oidc_client_secret"}),
        oidc_issuer=provider.issuer,
        oidc_client_id=CLIENT_ID,
        oidc_client_secret=CLIENT_SECRET,
    )
