"""What to do about a fault, by its code: the step in which it shows often cannot know.

Also which faults have one cause, so that a report tells each cause once.
"""

from __future__ import annotations

import re
from typing import Final

from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.conformance import framing

UNSIGNED: Final = (
    "give the check the bot's signing secret: commands take it from the environment as "
    "ARENA_BOT_SECRET, the site from the bot's page; or start the bot without one"
)
_LATE: Final = (
    "answer sooner: look for a lock, a slow start, or an answer without Content-Length on an open "
    "connection"
)
_REMEDIES: Final = {
    FaultCode.TIMEOUT: _LATE,
    FaultCode.REFUSED: "start the bot, and compare address and port",
    FaultCode.RESET: "look at the bot's log: it closed the connection instead of answering",
    FaultCode.REDIRECT: "answer at this very address with status 200; redirects are not followed",
    FaultCode.TOO_LARGE: "send less: an answer is an id and an action",
    FaultCode.BAD_ENCODING: "send plain UTF-8, uncompressed",
    FaultCode.BAD_HTTP: "send as many bytes as Content-Length says, and nothing else",
    FaultCode.DNS: "compare the host name with what the bot's machine is called: nobody knows it",
    FaultCode.ILLEGAL: "answer with the id of one of the actions in `legal`, letter by letter; the "
    "first is always safe",
}
CONTRADICTED: Final = frozenset(
    {FaultCode.TIMEOUT, FaultCode.RESET, FaultCode.BAD_HTTP, FaultCode.BAD_JSON}
)
"""Faults that an answer ends in whose headers are wrong about its body."""
_FRAMING: Final = {
    "Content-Length promises": framing.LENGTH_FIX,
    "neither Content-Length nor": framing.OPEN_END_FIX,
    "chunk": framing.CHUNK_FIX,
    "the headers have no end": framing.HEAD_FIX,
}
"""What `framing` says of an answer, and what to do about it."""


def remedy(fault: BotFault, answer: str, fallback: str, *, signed: bool = True) -> str:
    """What to do about this fault. ``answer``: what the bot sent, if that is known.

    ``fallback``: what the step advises. ``signed``: the bot's secret is known to the check.
    """
    code, detail = fault.code, fault.detail
    for sign, fix in _FRAMING.items():
        if sign in detail and code in CONTRADICTED:
            return fix
    if code is FaultCode.BAD_STATUS:
        return _of_status(detail, signed)
    if code is FaultCode.BAD_JSON:
        if re.search(r"<(!doctype|html|head|body|h1|title)\b", answer, re.IGNORECASE):
            return "this is an HTML page: answer JSON at this path, errors included"
        return "send one JSON document: no NaN, no key twice, no comment, and not only a part"
    if code is FaultCode.SCHEMA:
        return _of_schema(detail, answer)
    if code is FaultCode.TLS:
        return _of_tls(detail)
    if code is FaultCode.UNKNOWN_ID:
        return _of_id(detail)
    if code is FaultCode.ILLEGAL and "is not among the" not in detail:
        return "lay down only melds that hold, of your own cards, or leave `melds` out"
    return _REMEDIES.get(code, fallback)


def _of_status(detail: str, signed: bool) -> str:
    found = re.search(r"status (\d{3})", detail)
    status = int(found[1]) if found else 0
    if status in (404, 405, 501):
        return "serve this path and method: GET /, POST /start, POST /act, POST /end"
    if status >= 500:
        return "look at the bot's log: it raised an exception, or what stands before it did"
    if status in (401, 403):
        return "compare the secrets on both sides" if signed else UNSIGNED
    if status == 204:
        return "answer with status 200 and the decision: 204 has no body"
    return "answer with status 200"


def _of_tls(detail: str) -> str:
    if "wrong version number" in detail.lower().replace("_", " "):
        return "write http:// instead of https://, or let the bot speak TLS at this port"
    return "give the bot a certificate that is valid for this host name, with its whole chain"


def _of_id(detail: str) -> str:
    if "was not asked" in detail:
        return "repeat the request_id of each decision as the `id` of its answer"
    return (
        "answer every decision of a request; a bot made with arena.bot leaves out the one in which "
        "its own code raised an exception, and prints it"
    )


def _of_schema(detail: str, answer: str) -> str:
    shape = 'send {"answers": [{"id": …, "action": …}]}'
    field = re.search(
        r"'(\w+)'(?:, '\w+')* (?:is|are) missing|unknown field '(\w+)'|^(id|action|melds|note)\b",
        detail,
    )
    if field is None:
        return shape
    named = re.search(r"answers/(\d+)", detail)
    alone = answer.count('"action"') < 2
    place = f"answers[{named[1] if named else 0}]" if named or alone else "the answer"
    return f"mend `{field[1] or field[2] or field[3]}` in {place}; {shape}"


def cause_of(fault: BotFault, fix: str) -> str:
    """The same text for faults that one mistake makes in different positions.

    ``fix``: its remedy. A wrong shape is worded in many ways, but mended in one.
    """
    detail = fault.detail
    if fault.code is FaultCode.ILLEGAL:
        # The kind of action tells mistakes apart; the card and the number of others do not.
        named = re.match(r"['\"](\w*).* is not among the", detail)
        detail = f"kind {named[1]}" if named else "melds"
    if fault.code in (FaultCode.TIMEOUT, FaultCode.BAD_JSON):
        detail = "" if fix not in _FRAMING.values() else fix
    elif fault.code in (FaultCode.SCHEMA, FaultCode.UNKNOWN_ID):
        detail = fix.replace("the answer;", "answers[#];")
    status = re.match(r"status \d+", detail)
    general = status[0] if status else re.sub(r"m_[\w-]+|[0-9.]+", "#", detail)
    return f"{fault.code}: {general}"
