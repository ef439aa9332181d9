"""Arguments that several tools have, with their descriptions for models."""

from typing import Annotated

from pydantic import Field

Project = Annotated[
    str | None,
    Field(description="Slug of the project. May be left out if there is only one.", max_length=80),
]
Search = Annotated[str | None, Field(description="Only those that contain this.", max_length=200)]
Cursor = Annotated[str | None, Field(description="`next` of the previous page.", max_length=1000)]
Limit = Annotated[int, Field(ge=1, le=100, description="Most items to return.")]
PromptName = Annotated[str, Field(description="Name or id of the prompt.", max_length=200)]
DatasetName = Annotated[str, Field(description="Name or id of the dataset.", max_length=200)]
RunId = Annotated[str, Field(description="Id of the run.", max_length=36)]
VersionLabel = Annotated[
    str,
    Field(description="`latest`, `production`, or a label such as `v3`.", max_length=100),
]
