"""The web site: what spectators, bot authors and organisers see.

A blueprint a topic (``pages/``), a frozen context dataclass a page, one URL builder (``urls``), one
error shape (``errors``). Pages only read; whatever changes something is a form with a CSRF token
behind the organiser's or an owner's token. Nothing of a hand that is still being played is known
here, because only finished hands are stored.
"""

from arena.site.app import create_app

__all__ = ["create_app"]
