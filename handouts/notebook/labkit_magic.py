"""The labs in a notebook: a cell that holds a kernel is graded, and its page is shown below it.

    %load_ext labkit_magic        (this file beside the notebook, or its folder in sys.path)

    %%labkit lab1
    __global__ void ...

What follows the lab goes to `labkit grade`: %%labkit lab1 --device sim. The kit is the folder above this file, or the one that
%env LABKIT_KIT=FOLDER names; Colab's CPU runtime needs an unpacked package and clang (!apt-get install -q clang).
"""

import html
import os
import shlex
import subprocess
import tempfile
from pathlib import Path


def kit_program():
    """./kit of LABKIT_KIT, or of the nearest folder above this file or above the notebook."""
    named = os.environ.get("LABKIT_KIT")
    folders = [Path(named)] if named else [*Path(__file__).resolve().parents, Path.cwd(), *Path.cwd().parents]
    for folder in folders:
        if (folder / "kit").is_file() and (folder / "labs").is_dir():
            return folder / "kit"
    raise FileNotFoundError("There is no kit above the notebook. Fix: %env LABKIT_KIT=/path/to/its/folder")


def page_frame(page, height=700):
    """The page as HTML in a frame of its own, so that its styles stay there."""
    return (f'<iframe srcdoc="{html.escape(page, quote=True)}" width="100%" height="{height}" '
            'style="border:1px solid #ccc" sandbox="allow-scripts"></iframe>')


def labkit(line, cell):
    """%%labkit LAB [options of labkit grade]: grades the cell, prints the verdict and shows the page."""
    from IPython.display import HTML, display

    words = shlex.split(line)
    if not words:
        print("Which lab? For example: %%labkit lab1")
        return
    with tempfile.TemporaryDirectory(prefix="labkit-") as folder:
        kernel, page = Path(folder, "kernel.cu"), Path(folder, "page.html")
        kernel.write_text(cell, encoding="utf-8")
        try:
            command = [str(kit_program()), "grade", *words, "--file", str(kernel), "--html", str(page)]
        except FileNotFoundError as error:
            print(error)
            return
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8", errors="replace", check=False)
        # The page is below; the line that names a command for it would name a file that is gone.
        lines = [text for text in done.stdout.splitlines() if str(kernel) not in text or "explain" not in text]
        print("\n".join(lines).replace(str(kernel), "the cell"))
        if page.is_file():
            display(HTML(page_frame(page.read_text(encoding="utf-8"))))


def load_ipython_extension(ipython):
    ipython.register_magic_function(labkit, magic_kind="cell", magic_name="labkit")
