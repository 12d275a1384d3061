"""schemathesis asks everything that the OpenAPI document allows, and much that it does not."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import checks

from arena.site import create_app
from arena.site.api.openapi_calls import ACTIONS, PAGES
from arena.site.http.limits import Limiter
from arena.tokens import hash_token
from tests.site.conftest import ORGANISER

WANTED = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]
"""No fault of ours, and only answers that the document names."""


@pytest.fixture(scope="module")
def api(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The API over a copy of the database, without limits on submissions."""
    database = Path(shutil.copy(played, tmp_path_factory.mktemp("fuzz") / "arena.db"))
    app = create_app(database, organiser_token_hash=hash_token(ORGANISER))
    for limit in ("SUBMISSIONS", "CHANGES"):
        app.config[limit] = Limiter(burst=10**6, every_s=1)
    app.config["CHECKS"]._checker = lambda endpoint, options: iter(())
    yield schemathesis.openapi.from_wsgi("/api/openapi.json", app)
    app.config["CHECKS"].close()


OPERATIONS = [
    *((path, "GET") for path, *_ in PAGES),
    *((path, method.upper()) for method, path, *_ in ACTIONS),
]


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
@pytest.mark.parametrize("token", [None, ORGANISER], ids=["stranger", "organiser"])
def test_nothing_that_is_sent_breaks_it(
    api: Any, path: str, method: str, token: str | None
) -> None:
    """Strangers and the organiser get answers that the document names, whatever they send."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    asked = []

    @given(case=api[path][method].as_strategy())
    @settings(
        max_examples=8,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Any) -> None:
        asked.append(case)
        case.call_and_validate(headers=headers, checks=WANTED)

    ask()

    assert asked
