"""Checks a built site: every link and picture has a target, and nothing is fetched from the network."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links: list[tuple[str, bool]] = []  # address; whether the browser fetches it to show the page
        self.anchors: set[str] = set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if value is None:
                continue
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif name == "href":
                self.links.append((value, tag == "link"))
            elif name in ("src", "data") and tag in ("img", "script", "object", "iframe", "embed"):
                self.links.append((value, True))


def broken(site: Path) -> list[str]:
    pages: dict[Path, _Page] = {}
    for file in sorted(site.rglob("*.html")):
        pages[file.resolve()] = page = _Page()
        page.feed(file.read_text(encoding="utf-8", errors="replace"))
    found = []
    for file, page in pages.items():
        for address, needed in page.links:
            if address.startswith("javascript:"):
                continue
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if needed:
                    found.append(f"{file.name}: needs the network: {address}")
                continue
            if not parts.path and not parts.fragment:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if not target.exists():
                found.append(f"{file.name}: broken link: {address}")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{file.name}: {target.name} has no {parts.fragment}")
    return sorted(set(found))
