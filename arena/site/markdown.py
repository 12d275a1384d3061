"""Our own Markdown files as pages. Only files of this package are rendered, never what people send.

Raw HTML in them is shown as text all the same. Relative links lead to the file beside them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from markdown_it import MarkdownIt
from markdown_it.token import Token

TABLE = '<div class="scroll" tabindex="0" role="region" aria-label="Table {}"><table>'
"""What scrolls sideways can be reached with the keyboard."""

RELATIVE = re.compile(r"(?![a-z][a-z0-9+.-]*:|/|#)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """An entry of the table of contents."""

    level: int
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page of text."""

    title: str
    html: str
    headings: tuple[Heading, ...]


def anchor_of(text: str) -> str:
    """The anchor that the usual hosts of Markdown give a heading."""
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-") or "section"


def _plain(token: Token) -> str:
    return "".join(child.content for child in token.children or () if child.content)


def render(text: str, base: str) -> Rendered:
    """Render a file; ``base`` is the address of its folder, ending in a slash."""
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    tokens: Sequence[Token] = parser.parse(text)
    headings: list[Heading] = []
    seen: dict[str, int] = {}
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            words = _plain(tokens[at + 1])
            anchor = anchor_of(words)
            seen[anchor] = seen.get(anchor, 0) + 1
            if seen[anchor] > 1:
                anchor = f"{anchor}-{seen[anchor] - 1}"
            token.attrSet("id", anchor)
            headings.append(Heading(int(token.tag[1]), words, anchor))
        if token.type == "fence":
            token.info = token.info.split()[0] if token.info else ""
        for child in token.children or ():
            href = child.attrGet("href") if child.type == "link_open" else None
            if isinstance(href, str) and RELATIVE.match(href):
                child.attrSet("href", base + href)
    html = str(parser.renderer.render(tokens, parser.options, {}))
    tables = count(1)
    html = re.sub("<table>", lambda _: TABLE.format(next(tables)), html)
    html = html.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')
    title = next((one.text for one in headings if one.level == 1), "")
    return Rendered(title, html, tuple(one for one in headings if one.level == 2))
