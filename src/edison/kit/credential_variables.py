"""Which environment variables credentials may name, and the hosts each may be sent to.

A credential's secret can stay in the server's environment. Any user with the right to create a
project chooses the variable and the address it is sent to, so the operator allows both: a list of
entries `NAME` (a vendor's usual variable, sent to that vendor's hosts) or `NAME=host,host`,
separated by spaces. A `*` in a host matches part of one label, see `host_patterns`.

Variables of Edison, of the database and of the machine's identity are never allowed, even if
listed, so that users cannot read them.
"""

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase

from edison.kit.host_patterns import read_host_pattern

Variables = Mapping[str, tuple[str, ...]]
"""Allowed variables, each with its hosts."""

AZURE_HOSTS = (
    "*.openai.azure.com",
    "*.cognitiveservices.azure.com",
    "*.services.ai.azure.com",
)
# Not *.amazonaws.com: any AWS customer can register a name below it.
BEDROCK_HOSTS = ("bedrock.*.amazonaws.com", "bedrock-runtime.*.amazonaws.com")
OPENAI_HOSTS = ("api.openai.com", "*.api.openai.com")

VENDOR_VARIABLES: Variables = {
    "OPENAI_API_KEY": OPENAI_HOSTS,
    "ANTHROPIC_API_KEY": ("api.anthropic.com",),
    "AZURE_OPENAI_API_KEY": AZURE_HOSTS,
    "AWS_BEARER_TOKEN_BEDROCK": BEDROCK_HOSTS,
    "GEMINI_API_KEY": ("generativelanguage.googleapis.com",),
    "GOOGLE_API_KEY": ("generativelanguage.googleapis.com",),
    "MISTRAL_API_KEY": ("api.mistral.ai",),
    "GROQ_API_KEY": ("api.groq.com",),
    "DEEPSEEK_API_KEY": ("api.deepseek.com",),
    "XAI_API_KEY": ("api.x.ai",),
    "COHERE_API_KEY": ("api.cohere.com", "api.cohere.ai"),
    "TOGETHER_API_KEY": ("api.together.xyz", "api.together.ai"),
    "FIREWORKS_API_KEY": ("api.fireworks.ai",),
    "PERPLEXITY_API_KEY": ("api.perplexity.ai",),
    "OPENROUTER_API_KEY": ("openrouter.ai",),
    "OLLAMA_API_KEY": ("ollama.com",),
}

# AWS_BEARER_TOKEN_BEDROCK does not identify the machine: it is valid for Bedrock only.
EXCEPTIONS = frozenset({"AWS_BEARER_TOKEN_BEDROCK"})
NEVER_ALLOWED = (
    "EDISON_*",
    "DATABASE_URL",
    "*_DATABASE_URL",
    "PG*",
    "POSTGRES_*",
    "POSTGRESQL_*",
    "SQLALCHEMY_*",
    "AWS_*",
    "ECS_*",
    "GOOGLE_APPLICATION_CREDENTIALS*",
    "GOOGLE_CREDENTIALS*",
    "GCP_*",
    "GCLOUD_*",
    "CLOUDSDK_*",
    "AZURE_CLIENT_*",
    "AZURE_TENANT_*",
    "AZURE_USERNAME",
    "AZURE_PASSWORD",
    "AZURE_FEDERATED_*",
    "ARM_*",
    "IDENTITY_*",
    "MSI_*",
    "KUBERNETES_*",
    "VAULT_*",
    "GITHUB_*",
    "GH_TOKEN",
    "SSH_*",
    "SMTP_*",
    "OTEL_*",
    "PATH",
    "HOME",
    "HOSTNAME",
    "PYTHON*",
    "LD_*",
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}", re.ASCII)


def read_variables(text: str) -> Variables:
    """Parses the setting. Raises ValueError with a message for the operator."""
    return dict(_read_entry(entry) for entry in text.replace(";", " ").split())


def is_never_allowed(name: str) -> bool:
    """Case-insensitive, as variable names are on some systems."""
    upper = name.upper()
    return upper not in EXCEPTIONS and any(fnmatchcase(upper, shape) for shape in NEVER_ALLOWED)


def _read_entry(entry: str) -> tuple[str, tuple[str, ...]]:
    name, has_hosts, hosts = entry.partition("=")
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not the name of a variable; write NAME or NAME=host,host")
    if is_never_allowed(name):
        raise ValueError(
            f"{name} may never be sent to a provider: it belongs to Edison, its database or the "
            "identity of this machine. Put the key of the provider into a variable of its own"
        )
    if has_hosts:
        patterns = tuple(read_host_pattern(host) for host in hosts.split(",") if host.strip())
        if not patterns:
            raise ValueError(f"{name}= names no host; write {name}=api.example.com")
        return name, patterns
    if name not in VENDOR_VARIABLES:
        raise ValueError(
            f"{name} is no vendor's usual variable, so it needs the hosts it may be sent to: "
            f"{name}=api.example.com"
        )
    return name, VENDOR_VARIABLES[name]
