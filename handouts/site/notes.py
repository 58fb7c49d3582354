"""Footnotes, written as in GitHub's Markdown: a mark [^name] in a page, or in a figure that it includes, and in the page

[^name]: the note

or else one of NOTES. They are numbered in the order of their marks, and stand at the end of the page."""

import re
from pathlib import Path

from kit import HandoutsError

# One machine, one day; the head of grader/tests/h200/limits.csv says the same.
MEASURED = "Measured on one NVIDIA H200, driver 580.159.04, 2026-11-21"
NOTES = {
    "others": f"{MEASURED}: `bash grader/tests/timing/data/measure_others.sh labkit`. Median; L2 was flushed before each launch.",
    "older": f"{MEASURED}: `grader/tests/timing/data/kernel_times.csv`, kernels of `grader/tests/observe/data/kernels.cu`. Median; L2 was "
             "flushed before each launch.",
    "parameters": f"{MEASURED}: `grader/tests/h200/timing_parameters.txt`.",
    "predicted": "Predicted: `labkit profile --device sim` of the same launches, when this page was built.",
}
MARK = re.compile(r"\[\^(\w+)\]")


def with_notes(page: Path, text: str, parts: Path) -> str:
    """The page with its notes at the end. Figures with marks become a part of their own, since other pages number them otherwise."""
    own = dict(re.findall(r"^\[\^(\w+)\]: (.+(?:\n(?!\n|\[\^).+)*)\n?", text, re.M))
    body = re.sub(r"^\[\^\w+\]: .+(?:\n(?!\n|\[\^).+)*\n?", lambda m: "\n" * m[0].count("\n"), text, flags=re.M)
    order: list[str] = []

    def mark(match: re.Match) -> str:
        name = match[1]
        if name not in own and name not in NOTES:
            raise HandoutsError(f"{page.name}: there is no note [^{name}]")
        first = name not in order
        if first:
            order.append(name)
        number = order.index(name) + 1
        place = f' id="mark_{page.stem}_{number}"' if first else ""
        return f'<sup class="lk-mark"><a{place} href="#note_{page.stem}_{number}" aria-label="note {number}">{number}</a></sup>'

    def raw(match: re.Match) -> str:  # Doxygen would make two elements of a link that is a target, too
        return f"\\htmlonly{mark(match)}\\endhtmlonly"

    lines = body.split("\n")
    fenced = False
    for at, line in enumerate(lines):
        fenced ^= line.startswith("```")
        if fenced:
            continue
        included = re.fullmatch(r"\\htmlinclude\[block\] (\w+)\.html", line)
        if not included:
            lines[at] = apart(MARK.sub(raw, line))
            continue
        part = parts / f"{included[1]}.html"
        if not part.exists():
            continue  # Doxygen will say so
        part = part.read_text(encoding="utf-8")
        if MARK.search(part):
            name = f"{included[1]}_{page.stem}.html"
            (parts / name).write_text(apart(MARK.sub(mark, part)), encoding="utf-8")
            lines[at] = f"\\htmlinclude[block] {name}"
    unused = [name for name in own if name not in order]
    if unused:
        raise HandoutsError(f"{page.name}: nothing leads to the note [^{unused[0]}]")
    if not order:
        return "\n".join(lines)
    notes = [f'<li id="note_{page.stem}_{number}">{as_html(own.get(name, NOTES.get(name, "")))} <a href="#mark_{page.stem}_{number}" aria-label="back to its mark">&uarr;</a></li>'
             for number, name in enumerate(order, 1)]
    part = parts / f"notes_{page.stem}.html"
    part.write_text(f'<ol class="lk-notes">{"".join(notes)}</ol>\n', encoding="utf-8")
    return "\n".join(lines).rstrip("\n") + f"\n\n\\htmlinclude[block] {part.name}\n"


def apart(text: str) -> str:
    """Two marks side by side, 1 and 2, would read as 12."""
    return re.sub(r"</sup>(\\endhtmlonly\\htmlonly)?<sup class", r"</sup><sup>,</sup>\1<sup class", text)


def as_html(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip().replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", text)
