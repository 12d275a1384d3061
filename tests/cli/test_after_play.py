"""What one asks for when a tournament has been played: its hands, and whether they are right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.store import Store
from tests.e2e.arena_process import arena

BOTS = ("--bot", "ann=sample:simple", "--bot", "bob=sample:greedy")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with one small league."""
    database = tmp_path_factory.mktemp("played") / "arena.db"
    done = arena("run", *BOTS, "--name", "Small", "--set", "target=25", "--db", database)
    assert done.returncode == 0, done.stderr
    return database


@pytest.fixture
def match(played: Path) -> str:
    """The id of one of its matches."""
    with Store(played, read_only=True) as store:
        return store.fixtures.of(store.tournaments.all()[0].id)[0].id


def test_id_of_a_match_lists_its_hands_and_each_can_be_replayed(played: Path, match: str) -> None:
    """By what the list says, and by the address that the page of the hand has."""
    listed = arena("replay", match, "--db", played).stdout.splitlines()
    as_json = arena("replay", match, "--json", "--db", played).stdout.splitlines()
    hand = listed[1].split()[0]
    page = f"http://127.0.0.1:8000/m/{match}/{'-'.join(hand.split('/')[1:])}?move=3"

    assert f"{len(listed) - 1} finished" in listed[0]
    assert [json.loads(line)["hand"] for line in as_json] == [
        line.split()[0] for line in listed[1:]
    ]
    by_hand = arena("replay", hand, "--db", played)
    assert by_hand.returncode == 0, by_hand.stderr
    assert by_hand.stdout == arena("replay", page, "--db", played).stdout


def test_hand_that_is_not_there_says_how_to_list_those_that_are(played: Path, match: str) -> None:
    """No dead end."""
    done = arena("replay", f"{match}/9/9", "--db", played)

    assert done.returncode == 2
    assert f"arena replay {match} --db {played}" in done.stderr


def test_verify_names_the_database_as_other_commands_do(played: Path) -> None:
    """And an archive has one tournament only, so that a name beside it is a slip."""
    archive = played.with_suffix(".zip")
    arena("export", "Small", "--db", played, "--to", archive)

    assert "Small: verified" in arena("verify", "Small", "--db", played).stdout
    assert "Small: verified" in arena("verify", "--db", played).stdout
    wrong = arena("verify", archive, "Small")
    assert wrong.returncode == 2
    assert "leave 'Small' out" in wrong.stderr


def test_verify_compares_with_what_was_published(played: Path) -> None:
    """A record may be right in itself and yet not be the one that was announced."""
    found = json.loads(arena("verify", "--json", "--db", played).stdout)
    commitment, digest = found["commitment"], found["digest"]

    right = arena("verify", "--db", played, "--commitment", commitment, "--digest", digest.upper())
    assert right.returncode == 0
    assert commitment in right.stdout
    assert digest in right.stdout
    for option in ("--commitment", "--digest"):
        wrong = arena("verify", "--db", played, option, "00" * 32)
        assert wrong.returncode == 1
        assert f"the {option[2:]} is stored as" in wrong.stdout


@pytest.mark.parametrize(
    "arguments", [("organiser",), ("withdraw", "Draft", "ann"), ("cancel", "Draft")]
)
def test_question_that_nobody_can_answer_says_how_to_do_without(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """In a script there is no terminal."""
    database = tmp_path / "arena.db"
    arena("draft", *BOTS, "--name", "Draft", "--db", database)
    arena("organiser", "--db", database)
    done = arena(*arguments, "--db", database)

    assert done.returncode == 2
    assert "--yes does it without asking" in done.stderr


def test_what_cannot_be_done_is_said_before_it_is_asked(tmp_path: Path) -> None:
    """Nobody confirms what is refused then."""
    database = tmp_path / "arena.db"
    arena("draft", *BOTS, "--name", "Draft", "--db", database)
    done = arena("withdraw", "Draft", "carl", "--db", database)

    assert done.returncode == 2
    assert "there are: ann, bob" in done.stderr
    assert "?" not in done.stdout + done.stderr


def test_refused_run_leaves_no_bots_behind(tmp_path: Path) -> None:
    """A tournament that never was has no contestants."""
    database = tmp_path / "arena.db"
    done = arena("run", *BOTS, "--format", "swiss", "--rounds", "99", "--db", database)

    assert done.returncode == 2
    if database.exists():
        with Store(database, read_only=True) as store:
            assert store.bots.all() == []


def test_pages_of_a_new_database_can_be_served_and_of_no_folder_not(tmp_path: Path) -> None:
    """A site begins with `arena serve`; a slip in the path is told at once."""
    done = arena("serve", "--db", tmp_path / "no folder" / "arena.db")

    assert done.returncode == 2
    assert "no folder" in done.stderr
