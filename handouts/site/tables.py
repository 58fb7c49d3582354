"""Tables of a lab's tests and gates, read from its lab.toml each time the pages are built."""

from html import escape

FIGURES = {
    "excess_global_sectors": "excess global sectors",
    "excess_shared_wavefronts": "excess shared wavefronts",
    "excess_global_store_sectors": "excess global sectors stored",
    "load_sectors_per_request": "sectors per load request",
    "store_sectors_per_request": "sectors per store request",
    "global_load_sectors": "global sectors loaded",
    "global_store_sectors": "global sectors stored",
    "excess_shared_load_wavefronts": "excess wavefronts of shared loads",
    "shared_wavefronts": "shared wavefronts",
    "barriers": "barriers, once for each warp",
    "global_atomics": "atomics on global memory",
    "shared_atomics": "atomics on shared memory",
    "ratio": "ratio to a copy of the same shape",
    "async_copied_bytes": "bytes copied asynchronously",
    "exposed_waits": "waits that hide nothing",
    "best_ratio": "ratio to the best copy",
}


def _number(value) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _launch(test: dict) -> str:
    if "block" not in test:
        return ""
    sizes = ", ".join(f"{name} = {value:,}" for name, value in test["size"].items())
    each = test.get("elements_a_thread", 1)
    return f"{sizes}; blocks of {test['block']}" + (f", {each} elements per thread of the copy" if each > 1 else "")


def points_of(test: dict) -> float:
    """A test with gates has the points of its gates."""
    return test["points"] if "points" in test else sum(gate["points"] for gate in test["gate"])


def _table(head: list[str], rows: list[list[str]]) -> str:
    """On a phone style.css stacks the cells of a row, each behind the word of its column."""
    out = '<table class="lk-table lk-stack"><tr>' + "".join(f"<th>{word}</th>" for word in head) + "</tr>"
    for row in rows:
        out += "<tr>" + "".join(f'<td data-of="{word}">{cell}</td>' for word, cell in zip(head, row)) + "</tr>"
    return out + "</table>\n"


def points(lab: dict) -> str:
    rows = []
    for test in lab["test"]:
        bonus = "bonus " if test.get("bonus") else ""
        rows.append([f"<code>{escape(test['name'])}</code>", f"{bonus}{_number(points_of(test))}", escape(test["about"]), escape(_launch(test))])
    return _table(["test", "points", "requires", "graded at"], rows)


def gates(lab: dict) -> str:
    rows = []
    for test in lab["test"]:
        for gate in test.get("gate", []):
            limit = f"at most {_number(gate['max'])}" if "max" in gate else f"at least {_number(gate['min'])}"
            rows.append([f"<code>{escape(gate['name'])}</code>", f"<code>{escape(test['name'])}</code>",
                         FIGURES.get(gate["figure"], escape(gate["figure"])), limit, _number(gate["points"]), escape(gate["reason"])])
    return _table(["gate", "test", "figure", "limit", "points", "why"], rows)
