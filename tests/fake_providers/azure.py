"""Azure's addition to OpenAI's protocol: the content filter."""

from tests.fake_providers.scripted_server import Answer

REQUEST_ID = "7f1d0a7e-0001"
FILTERED_PROMPT = Answer(
    status=400,
    headers={"apim-request-id": REQUEST_ID},
    body={
        "error": {
            "message": "The response was filtered due to the prompt triggering Azure OpenAI's "
            "content management policy.",
            "type": None,
            "param": "prompt",
            "code": "content_filter",
            "status": 400,
            "innererror": {
                "code": "ResponsibleAIPolicyViolation",
                "content_filter_result": {
                    "hate": {"filtered": True, "severity": "high"},
                    "violence": {"filtered": False, "severity": "safe"},
                },
            },
        }
    },
)
NO_DEPLOYMENT = Answer(
    status=404,
    body={
        "error": {
            "code": "DeploymentNotFound",
            "message": "The API deployment for this resource does not exist.",
        }
    },
)
WRONG_KEY = Answer(
    status=401,
    body={
        "error": {
            "code": "401",
            "message": "Access denied due to invalid subscription key or wrong API endpoint.",
        }
    },
)
