#!/usr/bin/env python3
"""Builds the handouts: figures and tables from the kit, pages by Doxygen. `cmake --build --preset handouts` calls it.

make_site.py --labkit build/default/bin/labkit --out build/default/handouts [--teachers]

With --teachers the site includes the answers in handouts/teachers/; without it they are not even read.
Exits with 3, and says what to do, if something is missing or a page has a warning, a broken link or a wrong number.
"""

import argparse
import contextlib
import fcntl
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
try:
    import tomllib  # noqa: F401  (used by kit.py)
except ImportError:
    sys.exit("handouts: Python 3.11 or newer is needed; Debian 12 and Ubuntu 24.04 have it as `python3`.")

import charts
import claims
import figures
import films
import links
import notes
import tables
from kit import ROOT, Kit, HandoutsError

HANDOUTS = ROOT / "handouts"
MOST_FILES = 60  # HTML files of the site for students
STYLE = Path("/usr/share/doxygen-awesome-css")
INSTALL = "Install it with\n    sudo apt-get install doxygen doxygen-awesome-css"


def _pages(pattern: str) -> list[str]:
    """In the order of their numbers: lab10 after lab9."""
    return sorted((str(page.relative_to(HANDOUTS)) for page in HANDOUTS.glob(pattern)),
                  key=lambda name: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)])


# The menu, in order: files in handouts/. Nothing else becomes a page.
MENU = [
    ("Before you begin", ["pages/primer.md", "pages/reading_a_report.md", "pages/other_machines.md"]),
    ("The labs", ["pages/puzzles.md"] + _pages("pages/lab*.md")),
    ("Measured stories", ["pages/story_copies.md", "pages/story_writes.md", "pages/story_padding.md", "pages/story_offsets.md",
                          "pages/story_barrier.md", "pages/story_launches.md"]),
    ("Your own programs", ["pages/host_side.md", "pages/own_program.md"]),
    ("On a real GPU", ["pages/real_gpu.md", "measured/nvidia-h200.md", "measured/limits.md"]),
    ("For authors", ["pages/new_lab.md", "pages/author_reference.md"]),
]
FOR_TEACHERS = ("For teachers", ["teachers/running_the_course.md", "teaching_assistant.md"] + _pages("teachers/*_answers.md"))


def title_and_label(page: Path) -> tuple[str, str]:
    first = page.read_text(encoding="utf-8").lstrip().split("\n", 1)[0]
    match = re.fullmatch(r"#\s*(.*?)\s*(?:\{#(\w+)\})?", first)
    if not match:
        raise HandoutsError(f"{page.relative_to(ROOT)}: the first line must be `# Title {{#label}}`")
    return match[1], match[2] or ""


def label_of(page: Path) -> str:
    """Pages in measured/ are written by programs that give them no label."""
    return title_and_label(page)[1] or re.sub(r"\W", "_", page.stem)


def prepared(page: Path, parts: Path, known: dict[Path, str]) -> Path:
    """A copy with the same line numbers, whose first line has a label and whose links to other pages are Doxygen's."""

    def link(match: re.Match) -> str:
        target = (page.parent / match[2]).resolve()
        if target not in known:
            raise HandoutsError(f"{page.relative_to(ROOT)}: links to {match[2]}, which is not a page of the site")
        return f"[{match[1]}](@ref {known[target]})"

    lines = page.read_text(encoding="utf-8").split("\n")
    lines[0] = f"# {title_and_label(page)[0]} {{#{known[page]}}}"
    fenced = False
    for at, line in enumerate(lines):  # Doxygen would show `code` in a heading as a tag
        fenced ^= line.startswith("```")
        if line.startswith("#") and not fenced:
            lines[at] = line.replace("`", "")
    copy = parts / "pages" / page.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    text = notes.with_notes(page, "\n".join(lines), parts)
    copy.write_text(re.sub(r"\[([^\]]*)\]\(([^)#:\s]+\.md)\)", link, text), encoding="utf-8")
    return copy


def menu(teachers: bool) -> list[tuple[str, list[Path]]]:
    groups = MENU + ([FOR_TEACHERS] if teachers else [])
    return [(title, [HANDOUTS / page for page in pages if (HANDOUTS / page).exists()]) for title, pages in groups]


def layout(doxygen: str, groups, parts: Path) -> Path:
    """Doxygen's own layout with our menu."""
    file = parts / "layout.xml"
    subprocess.run([doxygen, "-l", file], check=True, capture_output=True)
    tabs = '<navindex><tab type="mainpage" visible="yes" title="Start"/>'
    for title, pages in groups:
        tabs += f'<tab type="usergroup" url="[none]" title="{title}">'
        for page in pages:
            tabs += f'<tab type="user" url="@ref {label_of(page)}" title="{title_and_label(page)[0]}"/>'
        tabs += "</tab>"
    text = re.sub(r"<navindex>.*</navindex>", lambda _: tabs + "</navindex>", file.read_text(encoding="utf-8"), flags=re.S)
    file.write_text(text, encoding="utf-8")
    return file


def outputs(kit: Kit) -> dict[str, str]:
    """Output of the commands that pages show."""
    example = "handouts/examples/{}.cu".format
    return {
        "lab0_no_bounds": kit.run(["grade", "lab0", "--file", example("lab0_no_bounds")])[1],
        "lab1_chunk": kit.run(["grade", "lab1", "--file", example("lab1_chunk")])[1],
        "reverse_race": kit.run(["profile", example("reverse_race"), "--check", "reverse<<<4, 64>>>(f32[256]:iota, f32[256]:poison)"])[1],
        "strided": kit.run(["profile", example("strided"), "every<<<64, 256>>>(f32[131072]:random, f32[16384]:poison, 8)"])[1],
        "tiles_race": kit.run(["profile", example("tiles_race"), "--check", "reverse<<<1, 64>>>(f32[192]:iota, f32[192]:poison, 192)"])[1],
        "saxpy": kit.run(["run", example("saxpy")], with_report=True)[1],
        "new_lab": (ROOT / "handouts/new_lab/labs/lab20_reversal/lab.toml").read_text(encoding="utf-8"),
    }


def steady(text: str) -> str:
    """Without what differs from machine to machine."""
    return re.sub(r"^simulated in .*\n?", "", text.replace(str(ROOT) + "/", ""), flags=re.M)


@contextlib.contextmanager
def alone(out: Path):
    """Holds a lock: each run begins by deleting the pages of the last one."""
    out.mkdir(parents=True, exist_ok=True)
    with open(out / ".lock", "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("handouts: waiting for another run that builds these pages", file=sys.stderr, flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def put_stubs(parts: Path):
    """A page that includes a lab's kernel.cu shows the stub, even if the reader has changed the file."""
    for stub in (ROOT / "labs").glob("*/.stub"):
        shown = parts / stub.relative_to(ROOT).with_name("kernel.cu")
        shown.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(stub, shown)


def make_parts(kit: Kit, parts: Path):
    for name, content in {**figures.drawings(kit), **charts.charts(kit), **films.films(kit)}.items():
        (parts / f"{name}.html").write_text(content, encoding="utf-8")
    for folder, lab in kit.labs():
        number = folder.name.split("_")[0]
        (parts / f"{number}_points.html").write_text(tables.points(lab), encoding="utf-8")
        (parts / f"{number}_gates.html").write_text(tables.gates(lab), encoding="utf-8")
    for name, text in outputs(kit).items():
        (parts / f"{name}.txt").write_text(steady(text), encoding="utf-8")


# What scrolls sideways can be reached by the keyboard.
REACHABLE = """<script>addEventListener("load", () => document.querySelectorAll(".fragment, .lk-scroll, table, tbody").forEach(one => {
  if (one.scrollWidth > one.clientWidth + 1) one.tabIndex = 0;
}));</script></head>"""


def make_accessible(site: Path):
    """What Doxygen leaves out: the language, and a landmark for the text."""
    for file in site.rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        text = text.replace("<html ", '<html lang="en" ', 1).replace("</head>", REACHABLE, 1)
        text = text.replace('<div id="doc-content">', '<div id="doc-content" role="main">', 1)
        file.write_text(text, encoding="utf-8")


def run_doxygen(doxygen: str, teachers: bool, parts: Path, site: Path) -> list[str]:
    """Returns Doxygen's warnings about the pages."""
    put_stubs(parts)
    groups = menu(teachers)
    originals = [HANDOUTS / "pages/start.md"] + [page for _, group in groups for page in group]
    known = {page: label_of(page) for page in originals}
    pages = {prepared(page, parts, known): page for page in originals}
    version = subprocess.run([doxygen, "--version"], capture_output=True, text=True).stdout.split()[0]
    text = (HANDOUTS / "site/Doxyfile.in").read_text(encoding="utf-8")
    for name, value in {
        "ROOT": ROOT, "PARTS": parts, "SITE": site, "STYLE": STYLE, "LAYOUT": layout(doxygen, groups, parts),
        "PAGES": " ".join(f'"{p}"' for p in pages), "WHO": "for teachers" if teachers else "handouts",
        # From 1.9.5 on Doxygen has a dark mode of its own; the style sheet brings ours.
        "LIGHT": "HTML_COLORSTYLE = LIGHT" if tuple(map(int, version.split(".")[:3])) >= (1, 9, 5) else "",
    }.items():
        text = text.replace(f"@{name}@", str(value))
    (parts / "Doxyfile").write_text(text, encoding="utf-8")
    done = subprocess.run([doxygen, parts / "Doxyfile"], capture_output=True, text=True)
    if done.returncode != 0:
        raise HandoutsError(f"doxygen ended with {done.returncode}:\n{done.stderr}")
    for folder in site.glob("dir_*.html"):  # a page for each folder of the input, which no link leads to
        folder.unlink()
    make_accessible(site)
    warnings = []
    for line in done.stderr.splitlines():
        # Other versions of Doxygen complain of keys in the configuration; that is not about a page.
        if ("warning:" not in line and "error:" not in line) or "/Doxyfile" in line or "warning: Tag '" in line:
            continue
        for copy, page in pages.items():
            line = line.replace(str(copy), str(page.relative_to(ROOT)))
        warnings.append(line)
    return warnings


def make(labkit: Path, out: Path, doxygen: str, teachers: bool) -> int:
    parts, site = out / ("parts-teachers" if teachers else "parts"), out / ("teachers" if teachers else "students")
    for folder in (parts, site):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    kit = Kit(labkit, out / "cache")
    make_parts(kit, parts)
    warnings = run_doxygen(doxygen, teachers, parts, site)
    texts = {label_of(page): page.read_text(encoding="utf-8") for _, pages in menu(teachers) for page in pages}
    complaints = warnings + claims.wrong(kit, texts) + links.broken(site)
    complaints += claims.undocumented(texts["author_reference"], texts["reading_a_report"])
    if not teachers:
        count = len(list(site.rglob("*.html")))
        complaints += [f"{count} HTML files: more than {MOST_FILES} are a maze"] if count > MOST_FILES else []
        complaints += [f"{file.name} is not for students" for file in site.rglob("*") if "answers" in file.name]
    if complaints:
        raise HandoutsError("the pages have errors:\n    " + "\n    ".join(complaints[:40]))
    print(f"handouts: {site / 'index.html'}")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labkit", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--teachers", action="store_true")
    parser.add_argument("--skip-without-doxygen", action="store_true", help="for tests: exits with 77 if it is not installed")
    options = parser.parse_args()
    doxygen = shutil.which("doxygen")
    if options.skip_without_doxygen and not (doxygen and (STYLE / "doxygen-awesome.css").exists()):
        print("skipped: doxygen or doxygen-awesome-css is not installed")
        return 77
    if not doxygen:
        raise HandoutsError(f"Doxygen is not installed. {INSTALL}")
    if not (STYLE / "doxygen-awesome.css").exists():
        raise HandoutsError(f"the style sheet doxygen-awesome-css is not installed. {INSTALL}")
    if options.teachers and not (HANDOUTS / "teachers").is_dir():
        raise HandoutsError("this copy of the kit has no handouts/teachers; build the preset `handouts` instead")
    if not options.labkit.exists():
        raise HandoutsError(f"{options.labkit} is not built. Build it with\n    cmake --build --preset default")
    with alone(options.out.resolve()):
        return make(options.labkit.resolve(), options.out.resolve(), doxygen, options.teachers)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except HandoutsError as error:
        print(f"handouts: {error}", file=sys.stderr)
        sys.exit(3)
