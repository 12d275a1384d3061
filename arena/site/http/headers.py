"""What every answer carries: a strict content security policy and its companions.

No inline script or style, nothing from another host, no framing. Reading is open to other sites
(CORS); nothing that changes something is.
"""

from __future__ import annotations

import time

from flask import Response, g, request

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
OPEN_TYPES = ("application/json", "text/csv", "text/plain", "application/x-ndjson")


def begin() -> None:
    """Note when the request came, by the clock and by what its thread has computed so far."""
    g.begun = time.perf_counter(), time.thread_time()


def protect(response: Response) -> Response:
    """Add the headers to an answer."""
    headers = response.headers
    if "begun" in g:
        whole, own = time.perf_counter() - g.begun[0], time.thread_time() - g.begun[1]
        headers["Server-Timing"] = f"cpu;dur={1000 * own:.1f}, app;dur={1000 * whole:.1f}"
    headers["Content-Security-Policy"] = POLICY
    if request.endpoint != "static":
        # Both say who asks, and answers depend on that: some differ, the rest may one day.
        response.vary.update(("Authorization", "Cookie"))
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "same-origin"
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
    headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()"
    if request.method in ("GET", "HEAD") and response.mimetype in OPEN_TYPES:
        headers["Access-Control-Allow-Origin"] = "*"
    if "Cache-Control" not in headers:
        headers["Cache-Control"] = "no-cache" if response.status_code < 400 else "no-store"
    return response
