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
    "best_ratio": "ratio to the best copy",
}


def _number(value) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _launch(test: dict) -> str:
    if "block" not in test:
        return ""
    sizes = ", ".join(f"{name} = {value:,}" for name, value in test["size"].items())
    each = test.get("elements_a_thread", 1)
    return f"{sizes}; blocks of {test['block']}" + (f", {each} elements per thread" if each > 1 else "")


def points_of(test: dict) -> float:
    """A test with gates has the points of its gates."""
    return test["points"] if "points" in test else sum(gate["points"] for gate in test["gate"])


def points(lab: dict) -> str:
    out = '<div class="lk-scroll"><table class="lk-table"><tr><th>test</th><th>points</th><th>requires</th><th>graded at</th></tr>'
    for test in lab["test"]:
        bonus = "bonus " if test.get("bonus") else ""
        out += (f"<tr><td><code>{escape(test['name'])}</code></td><td>{bonus}{_number(points_of(test))}</td>"
                f"<td>{escape(test['about'])}</td><td>{escape(_launch(test))}</td></tr>")
    return out + "</table></div>\n"


def gates(lab: dict) -> str:
    out = '<div class="lk-scroll"><table class="lk-table"><tr><th>gate</th><th>test</th><th>figure</th><th>limit</th><th>points</th><th>why</th></tr>'
    for test in lab["test"]:
        for gate in test.get("gate", []):
            limit = f"at most {_number(gate['max'])}" if "max" in gate else f"at least {_number(gate['min'])}"
            out += (f"<tr><td><code>{escape(gate['name'])}</code></td><td><code>{escape(test['name'])}</code></td>"
                    f"<td>{FIGURES.get(gate['figure'], escape(gate['figure']))}</td><td>{limit}</td><td>{_number(gate['points'])}</td>"
                    f"<td>{escape(gate['reason'])}</td></tr>")
    return out + "</table></div>\n"
