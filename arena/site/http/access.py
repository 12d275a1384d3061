"""The access log: one line a request, without queries, cookies or anything that may be a secret.

It goes to the logger ``arena.site.http.access``; whoever serves the site decides where that leads.
"""

from __future__ import annotations

import logging

from flask import Flask, Response, request

log = logging.getLogger("arena.site.http.access")


def note(response: Response) -> Response:
    """Log the request that has been answered."""
    if log.isEnabledFor(logging.INFO):
        path = request.path.encode("unicode_escape").decode("ascii")[:200]
        timing = response.headers.get("Server-Timing", "").rpartition("=")[2]
        log.info(
            "%s %s %s %d %s ms",
            request.remote_addr or "-",
            request.method,
            path,
            response.status_code,
            timing or "-",
        )
    return response


def init_app(app: Flask) -> None:
    """Log every request."""
    app.after_request(note)
