from __future__ import annotations

from typing import Any, Callable, Iterator, Mapping


def pages_of(operation: Callable[..., Any], query: Mapping[str, Any]) -> Iterator[Any]:
    """Follows the cursors from the first page to the last."""
    page = operation(**query)
    yield page
    while page["pagination"]["nextCursor"]:
        page = operation(**{**query, "cursor": page["pagination"]["nextCursor"]})
        yield page


def items_of(operation: Callable[..., Any], query: Mapping[str, Any]) -> Iterator[Any]:
    """Yields the items of each page: its only list other than `warnings`."""
    for page in pages_of(operation, query):
        for name, value in page.items():
            if name != "warnings" and isinstance(value, list):
                yield from value
                break
