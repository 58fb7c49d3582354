"""Every link and picture of a built site leads somewhere; nothing is fetched from elsewhere."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links: list[tuple[str, bool]] = []  # address, whether the page needs it to be shown
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


def without_empty_summaries(site: Path):
    """Doxygen links a type's summary to its nested types even where all of them are private and none is shown."""
    for file in site.rglob("class*.html"):
        text = file.read_text(encoding="utf-8")
        if 'href="#nested-classes"' in text and 'name="nested-classes"' not in text:
            file.write_text(re.sub(r'<a href="#nested-classes">[^<]*</a>(\s*&#124;)?', "", text), encoding="utf-8")


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
                    found.append(f"{file.name}: is shown only with a network: {address}")
                continue
            if not parts.path and not parts.fragment:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if not target.exists():
                found.append(f"{file.name}: nothing is at {address}")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{file.name}: {target.name} has no {parts.fragment}")
    return sorted(set(found))
