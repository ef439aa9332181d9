"""A project that Ada owns."""

import pytest
from fastapi import FastAPI

from edison.workspace.accounts.models import User
from edison.workspace.projects.models import Project
from tests.factories.projects import make_project
from tests.support.browser import Browser


@pytest.fixture
async def project(app: FastAPI, person: tuple[User, Browser]) -> Project:
    return await make_project(app, person[0])


@pytest.fixture
def url(project: Project) -> str:
    return f"/api/v1/projects/{project.slug}"
