"""Tokens of owners and organisers, and invitations: random texts of which only a hash is kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets


def new_token(kind: str) -> str:
    """A token that nobody can guess: ``own_…``, ``org_…``, ``inv_…``, 192 bits."""
    return f"{kind}_{secrets.token_urlsafe(24)}"


def hash_token(token: str) -> str:
    """What is stored of a token. It is random and long, so a fast hash is enough."""
    return hashlib.sha256(b"gin-arena|" + token.encode()).hexdigest()


def is_same(hash_: str | None, token: str) -> bool:
    """Whether this token has that hash, in a time that tells nothing."""
    return hmac.compare_digest(hash_ or "", hash_token(token)) and bool(hash_)
