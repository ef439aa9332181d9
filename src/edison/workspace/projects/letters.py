"""Texts of mails about a project."""

from edison.workspace.mail.schemas import Letter
from edison.workspace.projects.models import Invitation, Project, Role


def invitation_letter(
    invitation: Invitation, project: Project, *, invited_by: str, link: str
) -> Letter | None:
    """None for an open link, which its creator passes on. `link` carries the proof of the
    address.
    """
    if invitation.email is None:
        return None
    paragraphs = [
        f"{invited_by} invites you to the project “{project.name}” in Edison as {invitation.role}.",
        *_quoted(invitation.message, invited_by),
        f"Accept the invitation here:\n{link}",
        f"The link works once, until {invitation.expires_at:%d %B %Y, %H:%M} UTC. If you did not "
        "expect this, ignore it and nothing happens.",
    ]
    return Letter(
        to=invitation.email,
        subject=f"{invited_by} invites you to {project.name}",
        body=_join(paragraphs),
    )


def added_letter(
    to: str, project: Project, *, role: Role, added_by: str, message: str | None, site: str
) -> Letter:
    paragraphs = [
        f"{added_by} added you to the project “{project.name}” in Edison as {role}.",
        *_quoted(message, added_by),
        f"Open it here:\n{site}/p/{project.slug}",
    ]
    return Letter(to=to, subject=f"You are now a member of {project.name}", body=_join(paragraphs))


def role_letter(to: str, project: Project, *, role: Role, changed_by: str, site: str) -> Letter:
    paragraphs = [
        f"{changed_by} changed your role in the project “{project.name}” in Edison to {role}.",
        f"Open it here:\n{site}/p/{project.slug}",
    ]
    return Letter(to=to, subject=f"Your role in {project.name} changed", body=_join(paragraphs))


def _quoted(message: str | None, author: str) -> list[str]:
    """Quoted as the author's words, so that they cannot be mistaken for Edison's."""
    if message is None:
        return []
    lines = "\n".join(f"> {line}" for line in message.splitlines())
    return [f"{author} writes:\n{lines}"]


def _join(paragraphs: list[str]) -> str:
    return "\n\n".join(paragraphs) + "\n"
