"""Bot URLs: one grammar, one reading, no secret shown."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.wire.endpoint import MAX_URL, Endpoint, InvalidEndpoint

SECRETS = ("user1", "pw2", "TOKEN3", "SECRET4")


@pytest.mark.parametrize(
    ("url", "label", "target"),
    [
        ("http://127.0.0.1:8001", "127.0.0.1:8001", "/act"),
        ("http://127.0.0.1:8001/", "127.0.0.1:8001", "/act"),
        ("HTTP://LocalHost:80/", "localhost", "/act"),
        ("https://bot.example/hook/", "bot.example", "/hook/act"),
        ("https://bot.example:8443/a/b?key=x", "bot.example:8443", "/a/b/act?key=x"),
        ("https://bot.example?key=x", "bot.example", "/act?key=x"),
        ("http://[::1]:9000/x", "[::1]:9000", "/x/act"),
        ("http://[2001:DB8:0::1]", "[2001:db8::1]", "/act"),
        ("http://bücher.example", "xn--bcher-kva.example", "/act"),
        ("http://bot.example.:81", "bot.example:81", "/act"),
        ("http://my_bot:5000", "my_bot:5000", "/act"),
        ("http://a.example/%7Ex", "a.example", "/%7Ex/act"),
    ],
)
def test_urls_are_normalised(url: str, label: str, target: str) -> None:
    """Host in lower case and ASCII, default port left out, path kept."""
    endpoint = Endpoint.parse(url)
    assert (endpoint.label, endpoint.target("/act")) == (label, target)
    assert Endpoint.parse(endpoint.url) == endpoint


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8001",
        "127.0.0.1:8001",
        "not a url",
        "ftp://bot.example",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http:/bot.example",
        "http://",
        "http:///act",
        "http://:80",
        "http://bot.example:0",
        "http://bot.example:65536",
        "http://bot.example:port",
        "http://bot.example:",
        "http://bot.example:８０",
        "http://bot example",
        "http://bot.example/a b",
        "http://bot.example/\r\nX: y",
        "http://bot.example/\x00",
        " http://bot.example",
        "http://bot.example\n",
        "http://bot.example/é",
        "http://bot.example/%zz",
        "http://bot.example/#part",
        "http://bot.example/a/../b",
        "http://bot.example/%2e%2e/b",
        "http://127.0.0.1\\@example.com/",
        "http://a@b@c.example/",
        "http://exa<b>mple.com",
        "http://-bot.example",
        "http://bot..example",
        "http://[::1",
        "http://::1/",
        "http://[fe80::1%25eth0]/",
        "http://[fe80::1%eth0]/",
        "http://[127.0.0.1]/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://017700000001/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://0/",
        "http://127.0.0.1.1/",
        "http://bot.1/",
        "http://bot.0x1/",
        "http://１２７.1/",
        "http://" + "a" * 64 + ".example",
        "http://" + "a." * 130 + "example",
        "http://bot.example/" + "x" * MAX_URL,
    ],
)
def test_texts_that_are_no_bot_url_are_refused(url: str) -> None:
    """B152, B153 and relatives: every form that some program reads otherwise."""
    with pytest.raises(InvalidEndpoint):
        Endpoint.parse(url)


def test_a_refusal_is_the_users_to_mend_and_repeats_nothing() -> None:
    """The message may land in a log; the text may be full of secrets."""
    with pytest.raises(UsageError) as caught:
        Endpoint.parse("https://user1:pw2@host/hook/TOKEN3?key=SECRET4#frag")
    assert not any(secret in str(caught.value) for secret in SECRETS)
    assert "fragment" in str(caught.value)


def test_nothing_printable_shows_the_secrets() -> None:
    """B159: neither text nor representation nor label holds user, path or query."""
    endpoint = Endpoint.parse("https://user1:pw2@host.example/hook/TOKEN3?key=SECRET4")
    for text in (str(endpoint), repr(endpoint), f"{endpoint}", endpoint.label):
        assert "host.example" in text
        assert not any(secret in text for secret in SECRETS)
    assert all(secret in endpoint.url for secret in SECRETS)


def test_texts_of_others_are_freed_of_the_secrets() -> None:
    """Whole and in parts, encoded or not."""
    endpoint = Endpoint.parse("https://user1:p%40w2@host.example/hook/TOKEN%203?key=SECRET4&flag5")
    text = endpoint.redact(
        "POST /hook/TOKEN 3/act TOKEN%203 p@w2 SECRET4 key=SECRET4 flag5 user1 "
        f"{endpoint.authorization} ok"
    )
    basic = base64.b64encode(b"user1:p@w2").decode()
    for secret in ("TOKEN", "p@w2", "SECRET4", "flag5", "user1", basic):
        assert secret not in text
    assert text.endswith(" ok")


def test_ordinary_words_are_left_alone() -> None:
    """A path such as /bot or /rand does not mangle the arena's own sentences."""
    text = "nobody listens there; start the bot (brands, random)"
    assert Endpoint.parse("http://host.example/bot/rand").redact(text) == text


def test_fullwidth_digits_are_read_as_the_address_they_become() -> None:
    """The host that is checked is the host that is called."""
    assert Endpoint.parse("http://１２７.０.０.１:81").host == "127.0.0.1"


@given(st.text(max_size=60) | st.from_regex(r"https?://[^\s]{0,40}", fullmatch=True))
def test_any_text_is_an_endpoint_or_a_clear_refusal(url: str) -> None:
    """Nothing else is raised, and what is accepted reads back as itself."""
    try:
        endpoint = Endpoint.parse(url)
    except InvalidEndpoint:
        return
    assert Endpoint.parse(endpoint.url) == endpoint
    assert endpoint.target("/act").isascii()
    assert not set(endpoint.label) & set("@\\/ ?#")
