"""The form of a new tournament: what it asks for, and in whose words it refuses."""

from __future__ import annotations

import pytest

from arena.site.drafts import NUMBERS, SWITCHES
from arena.site.pages.draft import OPTIONS_OF
from arena.tournament.formats import FORMATS
from tests.site.conftest import Browser


def test_every_format_and_every_option_has_its_place() -> None:
    """No format is forgotten, and no option belongs nowhere."""
    assert set(OPTIONS_OF) == set(FORMATS)
    assert {option for options in OPTIONS_OF.values() for option in options} == {
        *NUMBERS,
        *SWITCHES,
    }


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "tick more of them below"),
        ({"bots": "1", "games": "two"}, "Games of a match = &#39;two&#39;: give a whole number"),
        ({"bots": "1", "best_of": "4"}, "Best of = 4: give an odd number"),
    ],
)
def test_page_refuses_in_its_own_words(
    organiser: Browser, fields: dict[str, str], said: str
) -> None:
    """Nobody at a page is told what to type into a terminal; fields are called as they are."""
    status, html = organiser.send(
        "/organise/new", name="New one", format="round_robin", rules="gin", do="create", **fields
    )
    alert = html.split('role="alert">')[1].split("</div>")[0]

    assert status == 422
    assert said in alert
    assert "--" not in alert


def test_name_that_is_taken_asks_for_another(organiser: Browser) -> None:
    """It says nothing of commands."""
    page = "/organise/new"
    data = {"name": "Autumn league", "format": "round_robin", "rules": "gin", "do": "create",
            "bots": ["1", "2"], "csrf": organiser.csrf(page)}  # fmt: skip
    html = organiser.client.post(page, data=data).get_data(as_text=True)

    assert "choose another name" in html
    assert "arena resume" not in html
