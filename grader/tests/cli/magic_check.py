"""magic_check.py SOURCE LABKIT MODE: the cell magic of handouts/notebook, with IPython's part played by stubs (stub), or in a real
notebook (nbclient; exit code 77 where that is not installed)."""

import contextlib
import io
import os
import sys
import tempfile
import types
from pathlib import Path

source, program, mode = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
folder = tempfile.TemporaryDirectory()
kit = Path(folder.name, "my kit")
(kit / "labs").mkdir(parents=True)
script = kit / "kit"
script.write_text(f'#!/bin/sh\nLABKIT_ROOT="{source}" exec "{program}" "$@"\n')
script.chmod(0o755)
os.environ["LABKIT_KIT"] = str(kit)
sys.path.insert(0, str(source / "handouts/notebook"))
right = (source / "solutions/lab0_copy_offset/correct/plain.cu").read_text()
empty = (source / "labs/lab0_copy_offset/.stub").read_text()


def expect(true, what):
    if not true:
        sys.exit(f"magic_check: {what}")


def check(text, pages, passes):
    if "NVRTC" in text and "no verdict" in text:
        print("SKIPPED: no device compiler")
        sys.exit(77)
    expect(("100/100" in text) == passes, f"the verdict: {text}")
    expect("/kernel.cu" not in text, f"a file that is gone is named: {text}")
    expect(len(pages) == 1 and pages[0].startswith("<iframe srcdoc=") and "lab0" in pages[0], f"no page: {len(pages)}")


if mode == "nbclient":
    try:
        import ipykernel  # noqa: F401
        import nbclient
        import nbformat
    except ImportError as error:
        print(f"SKIPPED magic.nbclient: {error}")
        sys.exit(77)
    os.environ["PYTHONPATH"] = str(source / "handouts/notebook")
    cells = [nbformat.v4.new_code_cell("%load_ext labkit_magic")]
    cells += [nbformat.v4.new_code_cell("%%labkit lab0 --device sim\n" + text) for text in (empty, right)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    for cell, passes in zip(notebook.cells[1:], (False, True)):
        printed = "".join(output.get("text", "") for output in cell.outputs)
        check(printed, [output.data["text/html"] for output in cell.outputs if output.output_type == "display_data"], passes)
else:
    shown = []
    display = types.ModuleType("IPython.display")
    display.HTML = lambda page: page
    display.display = shown.append
    package = types.ModuleType("IPython")
    package.display = display
    sys.modules.update({"IPython": package, "IPython.display": display})
    import labkit_magic

    registered = {}

    class Shell:
        def register_magic_function(self, function, magic_kind, magic_name):
            registered[magic_kind, magic_name] = function

    labkit_magic.load_ipython_extension(Shell())
    for text, passes in ((empty, False), (right, True)):
        shown.clear()
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            registered["cell", "labkit"]("lab0 --device sim", text)
        check(said.getvalue(), shown, passes)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        registered["cell", "labkit"]("", right)
    expect("Which lab?" in said.getvalue(), "no lab named")
print("The magic grades and shows.")
