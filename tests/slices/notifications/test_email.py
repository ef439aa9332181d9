"""Mails about projects, through a real mail server."""

import pytest
from fastapi import FastAPI

from edison.settings import Settings
from edison.workspace.accounts.models import User
from edison.workspace.mail.schemas import Letter
from edison.workspace.mail.service import Email, deliver
from edison.workspace.projects.models import Project, Role
from tests.factories.accounts import make_user
from tests.factories.projects import make_member, make_project
from tests.slices.notifications.conftest import Mailbox
from tests.support.browser import Browser


@pytest.fixture
def settings(settings: Settings, smtp_port: int) -> Settings:
    return settings.model_copy(
        update={
            "smtp_host": "127.0.0.1",
            "smtp_port": smtp_port,
            "smtp_security": "none",
            "smtp_from": "Edison <edison@example.org>",
        }
    )


@pytest.fixture
async def project(app: FastAPI, person: tuple[User, Browser]) -> Project:
    return await make_project(app, person[0], name="Поддержка")


@pytest.fixture
def url(project: Project) -> str:
    return f"/api/v1/projects/{project.slug}"


async def test_an_invitation_is_mailed_with_its_link(
    ada: Browser, url: str, mailbox: Mailbox
) -> None:
    body = {"email": "grace@example.org", "role": "EDITOR"}
    result = (await ada.post(f"{url}/invitations", json=body)).json()
    assert result["emailed"] is True
    (message,) = mailbox.messages
    assert message["To"] == "grace@example.org"
    assert message["From"] == "Edison <edison@example.org>"
    assert message["Subject"] == "ada@example.org invites you to Поддержка"
    assert message["Auto-Submitted"] == "auto-generated"
    assert result["link"] in message.get_content()
    assert "EDITOR" in message.get_content()


async def test_a_personal_message_is_quoted_line_by_line(
    ada: Browser, url: str, mailbox: Mailbox
) -> None:
    text = "Hello!\nSubject: not a header\n.\nBye"
    body = {"email": "grace@example.org", "role": "VIEWER", "message": text}
    await ada.post(f"{url}/invitations", json=body)
    (message,) = mailbox.messages
    content = message.get_content().replace("\r\n", "\n")
    assert "> Hello!\n> Subject: not a header\n> .\n> Bye\n" in content
    assert message.get_all("Subject") == ["ada@example.org invites you to Поддержка"]


async def test_an_added_member_gets_a_mail(
    ada: Browser, app: FastAPI, url: str, mailbox: Mailbox
) -> None:
    await make_user(app, "grace@example.org")
    body = {"email": "grace@example.org", "role": "EDITOR"}
    result = (await ada.post(f"{url}/invitations", json=body)).json()
    assert (result["status"], result["emailed"]) == ("added", True)
    (message,) = mailbox.messages
    assert message["Subject"] == "You are now a member of Поддержка"
    assert f"http://127.0.0.1:8000/p/{url.rpartition('/')[2]}" in message.get_content()


async def test_a_changed_role_is_mailed(
    ada: Browser, app: FastAPI, project: Project, url: str, mailbox: Mailbox
) -> None:
    member = await make_member(app, project, Role.VIEWER, "grace@example.org")
    await ada.patch(f"{url}/members/{member.id}", json={"role": "ADMIN"})
    (message,) = mailbox.messages
    assert mailbox.recipients == ["grace@example.org"]
    assert "to ADMIN" in message.get_content()
    await ada.patch(f"{url}/members/{member.id}", json={"role": "ADMIN"})
    assert len(mailbox.messages) == 1


async def test_an_open_link_is_not_mailed(ada: Browser, url: str, mailbox: Mailbox) -> None:
    result = (await ada.post(f"{url}/invitations", json={"role": "VIEWER"})).json()
    assert (result["emailed"], mailbox.messages) == (False, [])


async def test_nothing_is_mailed_when_the_invitation_is_refused(
    ada: Browser, app: FastAPI, project: Project, url: str, mailbox: Mailbox
) -> None:
    await make_member(app, project, email="grace@example.org")
    body = {"email": "grace@example.org", "role": "EDITOR"}
    assert (await ada.post(f"{url}/invitations", json=body)).status_code == 409
    assert mailbox.messages == []


async def test_a_refusing_mail_server_does_not_fail_the_request(
    ada: Browser, url: str, mailbox: Mailbox, caplog: pytest.LogCaptureFixture
) -> None:
    mailbox.answer = "554 no thanks"
    body = {"email": "grace@example.org", "role": "EDITOR"}
    response = await ada.post(f"{url}/invitations", json=body)
    assert response.status_code == 201
    assert response.json()["link"]
    assert "email not sent" in caplog.text
    assert response.json()["link"] not in caplog.text


class TestUnreachable:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"smtp_port": 1})

    async def test_an_unreachable_mail_server_does_not_fail_the_request(
        self, ada: Browser, url: str
    ) -> None:
        body = {"email": "grace@example.org", "role": "EDITOR"}
        assert (await ada.post(f"{url}/invitations", json=body)).status_code == 201


@pytest.mark.parametrize(
    "letter",
    [
        Letter(to="a@b.co\r\nBcc: all@b.co", subject="Hi", body="x"),
        Letter(to="a@b.co, all@b.co", subject="Hi", body="x"),
        Letter(to="owner@localhost", subject="Hi", body="x"),
    ],
)
async def test_an_invalid_address_gets_no_mail(
    settings: Settings, mailbox: Mailbox, letter: Letter
) -> None:
    channel = Email.of(settings)
    assert channel is not None
    assert await deliver(channel, letter) is False
    assert mailbox.messages == []


async def test_no_text_can_add_a_header(settings: Settings, mailbox: Mailbox) -> None:
    channel = Email.of(settings)
    assert channel is not None
    letter = Letter(to="a@b.co", subject="Hi\r\nBcc: all@b.co", body="Body\r\n.\r\nRCPT TO:<x@y.z>")
    assert await deliver(channel, letter) is True
    (message,) = mailbox.messages
    assert message["Bcc"] is None
    assert message["Subject"] == "Hi Bcc: all@b.co"
    assert mailbox.recipients == ["a@b.co"]


async def test_a_domain_of_another_script_is_written_as_dns_has_it(
    settings: Settings, mailbox: Mailbox
) -> None:
    channel = Email.of(settings)
    assert channel is not None
    assert await deliver(channel, Letter(to="a@bücher.example", subject="Hi", body="x")) is True
    assert mailbox.recipients == ["a@xn--bcher-kva.example"]


def test_without_a_mail_server_email_is_not_available(settings: Settings) -> None:
    assert Email.of(settings.model_copy(update={"smtp_host": None})) is None
