"""The SDK's server keeps to the OpenAPI document of the protocol, whatever it is sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import negative_data_rejection

from arena.bot import BotServer, BotView, from_function

schema = schemathesis.openapi.from_path(Path(__file__).parents[2] / "protocol" / "openapi.yaml")


@from_function(name="anything")
def anything(view: BotView) -> str:
    """Plays whatever hand it is told of: what is generated keeps to the schema, but may hold a
    card twice, which a bot that counts its deadwood may rightly give up on."""
    return view.safe


@pytest.mark.filterwarnings("ignore")
@schema.parametrize()
@settings(
    max_examples=25,
    derandomize=True,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_generated_requests_get_documented_answers(case: schemathesis.Case[Any]) -> None:
    """Valid and invalid requests: no crash, no undocumented status, no wrong content.

    That every invalid request is refused is not asked for: bots ignore what they do not know.
    """
    with BotServer(anything) as server:
        case.call_and_validate(base_url=server.url, excluded_checks=[negative_data_rejection])
