"""What a check finds out about signed requests."""

from __future__ import annotations

from arena.bot import FunctionBot
from arena.wire.conformance import Status
from arena.wire.signing import new_secret
from tests.wire.conformance.checking import found, only, safe, steps_of, titles


def test_a_bot_with_a_secret_passes_the_steps_on_signatures() -> None:
    """The SDK refuses all that it should."""
    secret = new_secret()
    options = only("Signatures", "Decisions by phase", secret=secret)
    steps = steps_of(FunctionBot(safe, games=("wikipedia",)), options, secrets=[secret])

    assert titles(steps, Status.FAILED) == titles(steps, Status.WARNING) == set()
    assert {step.status for step in steps if step.section == "Signatures"} == {Status.PASSED}


def test_a_bot_that_does_not_look_at_signatures_is_found() -> None:
    """Unsigned, wrongly signed and stale requests must not be answered."""
    options = only("Signatures", secret=new_secret())
    steps = steps_of(FunctionBot(safe, games=("wikipedia",)), options)
    failed = {step.title for step in steps if step.status is Status.FAILED}

    assert failed == {
        "an unsigned request is refused",
        "another secret is refused",
        "a changed body is refused",
        "a stale request is refused",
    }
    assert found(steps, "a repeated request is refused").status is Status.WARNING


def test_the_wrong_secret_is_explained() -> None:
    """A bot that has another secret than the arena refuses everything, and the step says so."""
    bot = FunctionBot(safe, games=("wikipedia",))
    options = only("Signatures", secret=new_secret())
    steps = steps_of(bot, options, secrets=[new_secret()])
    step = found(steps, "a signed request is answered")

    assert step.status is Status.FAILED
    assert "compare the secrets" in step.fix
    assert "401" in step.exchange
