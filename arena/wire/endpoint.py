"""Where a bot lives: its URL, read strictly, and shown without its secrets.

A bot's path, query and user information may be secrets, so nothing but `Endpoint.label` is fit
for a page, a log or a message. Reading is by one grammar of our own and the parts are handed on
separately, so that no second parser can find another host in the same text. Nothing is resolved
or opened here.
"""

from __future__ import annotations

import base64
import ipaddress
import re
from dataclasses import dataclass
from typing import Self
from urllib.parse import unquote

from arena.errors import ConfigError

MAX_URL = 2048

_URL = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://"
    r"(?:(?P<user>[^@/?#]*)@)?"
    r"(?P<host>\[[^\]@/?#]*\]|[^:@/?#\[\]]*)"
    r"(?::(?P<port>[^/?#]*))?"
    r"(?P<path>/[^?#]*)?"
    r"(?:\?(?P<query>[^#]*))?"
)
_TEXT = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*")
"""What a path, a query or user information may hold (RFC 3986)."""
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_EXAMPLE = "write for example http://127.0.0.1:8001"


class InvalidEndpoint(ConfigError):
    """The text is no bot URL. The message never repeats the text, which may hold secrets."""


@dataclass(frozen=True, slots=True, repr=False)
class Endpoint:
    """A bot's address.

    ``scheme``: ``http`` or ``https``. ``host``: ASCII name in lower case, or an IP address in its
    canonical form without brackets. ``path``: base path without a final slash, ``""`` for none.
    ``query``: sent with every call. ``user``: ``name:password`` for Basic authentication.
    """

    scheme: str
    host: str
    port: int
    path: str = ""
    query: str = ""
    user: str = ""

    @classmethod
    def parse(cls, url: str) -> Self:
        """Read a bot URL.

        :raises InvalidEndpoint: it is none, or not one that two programs would read alike.
        """
        if not url or len(url) > MAX_URL:
            raise InvalidEndpoint(f"a bot URL has 1 to {MAX_URL} characters; {_EXAMPLE}")
        if any(mark <= " " or mark == "\\" or mark == "\x7f" or mark.isspace() for mark in url):
            raise InvalidEndpoint("a bot URL holds no spaces, control characters or backslashes")
        found = _URL.fullmatch(url)
        if found is None:
            if "#" in url:
                raise InvalidEndpoint("a bot URL has no #fragment; leave it out")
            raise InvalidEndpoint(f"a bot URL is http://HOST:PORT/PATH or https://…; {_EXAMPLE}")
        scheme = found["scheme"].lower()
        if scheme not in ("http", "https"):
            raise InvalidEndpoint(f"a bot URL starts with http:// or https://; {_EXAMPLE}")
        path = found["path"] or ""
        for name, text in (("path", path), ("query", found["query"]), ("user", found["user"])):
            if text and not _TEXT.fullmatch(text):
                raise InvalidEndpoint(f"the {name} of a bot URL has to be percent-encoded ASCII")
        if any(part in (".", "..") for part in unquote(path).split("/")):
            raise InvalidEndpoint("the path of a bot URL holds no . or .. parts; write it in full")
        return cls(
            scheme=scheme,
            host=_host(found["host"]),
            port=_port(found["port"], scheme),
            path=path.rstrip("/"),
            query=found["query"] or "",
            user=unquote(found["user"] or ""),
        )

    @property
    def label(self) -> str:
        """Host and, unless it is the usual one, port: all that may be shown to anyone."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = {"http": 80, "https": 443}[self.scheme]
        return host if self.port == usual else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The whole URL with its secrets; only for its owner and for storing it."""
        user = "" if not self.user else f"{_quoted(self.user)}@"
        query = f"?{self.query}" if self.query else ""
        return f"{self.scheme}://{user}{self.label}{self.path}{query}"

    def target(self, path: str) -> str:
        """What the request line names for a call such as ``/act``."""
        query = f"?{self.query}" if self.query else ""
        return f"{self.path}{path}{query}"

    @property
    def authorization(self) -> str | None:
        """The header of Basic authentication, if the URL holds a user."""
        if not self.user:
            return None
        return "Basic " + base64.b64encode(self.user.encode()).decode()

    def headers(self, method: str, agent: str) -> dict[str, str]:
        """What every call of this method carries, whatever its body; ``agent``: who calls."""
        headers = {
            "Host": self.label,
            "User-Agent": agent,
            "Accept": "application/json",
            "Accept-Encoding": "identity",
        }
        if self.authorization is not None:
            headers["Authorization"] = self.authorization
        if method == "POST":
            headers["Content-Type"] = "application/json"
        return headers

    def redact(self, text: str) -> str:
        """The text without this bot's path, query and user, should it repeat them.

        Parts of a path count from four letters on, as whole words: ``bot`` or ``api`` are no
        secrets, and sentences should stay readable.
        """
        values = [part.partition("=")[2] or part for part in self.query.split("&")]
        whole = {self.path, self.query, self.user, *self.user.split(":"), *values}
        # A bot that echoes its request shows the user in the form in which it was sent.
        whole.add((self.authorization or "").removeprefix("Basic "))
        words = {part for part in self.path.split("/") if len(part) >= 4}
        for secret in _longest_first(whole):
            if len(secret) >= 3:
                text = text.replace(secret, "…")
        for word in _longest_first(words):
            text = re.sub(rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])", "…", text)
        return text

    def __repr__(self) -> str:
        return f"<Endpoint {self.label}>"

    __str__ = __repr__


def _longest_first(secrets: set[str]) -> list[str]:
    both = secrets | {unquote(secret) for secret in secrets}
    return sorted(both, key=lambda secret: (-len(secret), secret))


def _quoted(user: str) -> str:
    name, colon, password = user.partition(":")
    return _percent(name) + colon + _percent(password)


def _percent(text: str) -> str:
    plain = re.compile(r"[A-Za-z0-9\-._~]")
    return "".join(
        mark if plain.fullmatch(mark) else "".join(f"%{byte:02X}" for byte in mark.encode())
        for mark in text
    )


def _port(text: str | None, scheme: str) -> int:
    if text is None:
        return 443 if scheme == "https" else 80
    if re.fullmatch(r"[0-9]{1,5}", text) and 1 <= int(text) <= 65535:
        return int(text)
    raise InvalidEndpoint("the port of a bot URL is a number from 1 to 65535")


def _host(text: str) -> str:
    """The canonical host.

    :raises InvalidEndpoint: it is empty, no name, or an address in a form that some programs read
        otherwise: decimal, octal, hexadecimal, shortened, or with a zone.
    """
    if text.startswith("["):
        try:
            return str(ipaddress.IPv6Address(text[1:-1])) if "%" not in text else _refuse_zone()
        except ValueError:
            raise InvalidEndpoint("the host in brackets is no IPv6 address") from None
    name = text
    if not text.isascii():
        # Imported here because only names in other scripts need it.
        import idna

        try:
            name = idna.encode(text, uts46=True).decode("ascii")
        except idna.IDNAError:
            raise InvalidEndpoint("the host of a bot URL is no name that exists") from None
    name = name.lower().removesuffix(".")
    labels = name.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        try:
            return str(ipaddress.IPv4Address(name))
        except ValueError:
            raise InvalidEndpoint(
                "write an IPv4 address as four decimal numbers, for example 127.0.0.1"
            ) from None
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise InvalidEndpoint(f"the host of a bot URL is missing or no host name; {_EXAMPLE}")
    return name


def _refuse_zone() -> str:
    raise InvalidEndpoint("an IPv6 address with a zone means nothing elsewhere; leave it out")
