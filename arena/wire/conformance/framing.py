"""Reads the bytes of an answer again, to tell the author what is wrong with them or slow.

Works on what came, whole or not. Judges nothing: what counts is what the client said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

from arena.wire.budget import Piece
from arena.wire.strict_json import excerpt

MOST_HEADERS = 20
LINE_BYTES = 200
_END: Final = re.compile(rb"\r?\n\r?\n")
_INTERIM: Final = re.compile(rb"HTTP/1\.[01] 1\d\d ")

LENGTH_FIX = (
    "send as many bytes as Content-Length says: count the bytes of the body, not its letters"
)
CHUNK_FIX = (
    "let the server write the chunks, or send Content-Length instead: a chunk is its size in "
    "hexadecimal, a line end, so many bytes and a line end, and the last one has size 0"
)
OPEN_END_FIX = "send Content-Length: on an open connection nobody else can tell where the body ends"
HEAD_FIX = "end the headers with an empty line: CR LF CR LF"


class Misframed(NamedTuple):
    """What is wrong with where an answer ends, and what to do about it."""

    detail: str
    fix: str


class Parts(NamedTuple):
    """Status line and headers with their end, and what came after; no head if it has no end."""

    head: bytes
    body: bytes


def parts(data: bytes) -> Parts:
    """Head and body of the first answer that is not an interim one."""
    while (end := _END.search(data)) is not None and _INTERIM.match(data):
        data = data[end.end() :]
    return Parts(b"", data) if end is None else Parts(data[: end.end()], data[end.end() :])


def joined(pieces: Sequence[Piece]) -> bytes:
    """All that came."""
    return b"".join(piece.data for piece in pieces)


def shown(data: bytes, most: int) -> str:
    """An answer as printable text, a line each with ``<``; ``most``: bytes of the body."""
    head, body = parts(data)
    lines = head.splitlines()[: MOST_HEADERS + 1]
    said = [f"< {excerpt(line, LINE_BYTES)}" for line in lines if line]
    return "\n".join([*said, f"< {excerpt(body, most)}" if body else "< (no body)"])


def misframed(data: bytes) -> Misframed | None:
    """Where the end of the answer contradicts its headers, if it does."""
    head, body = parts(data)
    if not head:
        return Misframed("the headers have no end", HEAD_FIX) if data[:5] == b"HTTP/" else None
    if (chunked := re.search(rb"(?im)^transfer-encoding:.*\bchunked\b", head)) is not None:
        wrong = _wrong_chunk(body)
        return None if wrong is None else Misframed(wrong, CHUNK_FIX)
    length = re.search(rb"(?im)^content-length:[ \t]*(\d{1,18})[ \t]*\r?$", head)
    if length is not None:
        promised = int(length[1])
        if promised == len(body):
            return None
        return Misframed(f"Content-Length promises {promised} bytes, {len(body)} came", LENGTH_FIX)
    assert chunked is None
    if re.search(rb"(?im)^content-length:", head):
        return None  # the client says that it is no number
    return Misframed(f"neither Content-Length nor chunks, {len(body)} bytes came", OPEN_END_FIX)


def _wrong_chunk(body: bytes) -> str | None:
    at = 0
    while True:
        end = body.find(b"\r\n", at)
        if end < 0:
            return "the last chunk, of size 0, is missing"
        size_text = body[at:end].partition(b";")[0].strip()
        if not re.fullmatch(rb"[0-9A-Fa-f]{1,12}", size_text):
            return f"{excerpt(size_text, 40)!r} stands where the size of a chunk should"
        size, start = int(size_text, 16), end + 2
        if size == 0:
            closed = body[end:].endswith(b"\r\n\r\n")
            return None if closed else "the empty line after the last chunk is missing"
        here = len(body) - start
        if here < size + 2:
            return f"a chunk of {size} bytes was announced, {min(here, size)} came"
        if body[start + size : start + size + 2] != b"\r\n":
            return f"a chunk of {size} bytes was announced, but it goes on after them"
        at = start + size + 2


def pause_before_body_ms(pieces: Sequence[Piece]) -> float:
    """How long after its headers the body came, 0 when the two came together."""
    seen = b""
    for piece, after in pairwise(pieces):
        seen += piece.data
        head, body = parts(seen)
        if head and not body:
            return (after.at - piece.at) * 1000
    return 0.0


def usual(pauses_ms: Sequence[float]) -> float:
    """The middle one of some pauses, 0 when there are none."""
    return median(pauses_ms) if pauses_ms else 0.0
