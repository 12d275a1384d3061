"""The cache of finished pages holds what it says it holds."""

from __future__ import annotations

import tracemalloc

import orjson

from arena.site.http.page_cache import PageCache


def test_bound_is_of_memory_and_not_only_of_text() -> None:
    """What makes JSON reserves many times the room of a text; none of that stays behind a page."""
    most = 2_000_000
    cache = PageCache(most)
    regions = {"standings": "<td>7</td>\n" * 4_000}
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(200):
            cache.put(f"{number}", orjson.dumps({"tag": number, "regions": regions}), "text/json")
        held = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()

    assert 0.8 * most < held < 1.1 * most


def test_small_pages_count_with_what_they_cost() -> None:
    """Many of them are bounded too, by more than their few bytes; the newest stay."""
    cache = PageCache(1_000_000)
    for number in range(10_000):
        cache.put(f"key {number}", b"{}", "application/json")

    assert cache.get("key 0") is None
    assert cache.get("key 9999") == (b"{}", "application/json")
    assert len(cache._pages) < 4_000


def test_page_that_is_put_twice_counts_once() -> None:
    """Another body under the same key takes the place of the first."""
    cache = PageCache(100_000)
    for number in range(1_000):
        cache.put("key", b"x" * (1_000 + number), "text/html")
    cache.put("other", b"y", "text/html")

    assert cache.get("key") == (b"x" * 1_999, "text/html")
    assert cache._bytes < 4_000
