"""Checks the text of the pages each time they are built: numbers in sentences against their data, the reference against headers."""

import csv
import re

from kit import ROOT, Kit


def _parameters() -> str:
    return (ROOT / "grader/tests/h200/timing_parameters.txt").read_text(encoding="utf-8")


def _parameter(name: str, column: int = 0) -> float:
    line = re.search(rf"^{re.escape(name)} .*$", _parameters(), re.M)
    return float(re.findall(r"\d+\.\d+", line[0][len(name):])[column])


def _sanitizer(kernel: str) -> str:
    with open(ROOT / "grader/tests/observe/data/sanitizer.csv", encoding="utf-8") as file:
        rows = {row["kernel"]: row["plain_run"] for row in csv.DictReader(file)}
    return rows[kernel].rsplit(" ", 1)[1]


def _limit(kernel_file: str, size: str) -> float:
    """Run 1 of limits.csv: the product's operands against the best copy."""
    with open(ROOT / "grader/tests/h200/limits.csv", encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if row["run"] == "1" and row["kernel"] == "matmul" and row["file"] == kernel_file and row["size"] == size:
                return float(row["ratio_best_copy"])
    raise KeyError(kernel_file)


def claims(kit: Kit) -> list[tuple[str, str]]:
    """Label of a page, and text that it must contain."""
    us, useful = kit.measured_us, kit.useful_bytes

    def tbps(family, kernel):
        return f"{useful(family, kernel) / us(family, kernel) / 1e6:.1f}"

    big, turn = "stream_2e26", "turn_4096x4096"
    old = {kernel: float(kit.older["copy_n134217728", kernel]["GBps"]) / 1e3 for kernel in ("linear256", "float4")}
    tile = {kernel: float(kit.older["transpose_8192x8192", kernel]["median_us"]) for kernel in ("tile16_nopad", "tile16_pad")}
    offsets = [us("offset_2e24", f"offset_{k}") / us("offset_2e24", "offset_0") - 1 for k in range(1, 33)]
    strides = [us("stride_2e26", f"stride_{k}") for k in range(2, 9)]
    blocks_64, blocks_128 = useful(big, "copy_64") // 8 // 64, useful(big, "copy_128") // 8 // 128
    found = [
        ("primer", f"{_parameter('latency_dram'):.0f} cycles"),
        ("primer", f"some {_parameter('latency_dram') / _parameter('sm_clock') / 10:.0f}0 ns"),
        ("lab3", f"takes {_parameter('latency_shared'):.0f} cycles instead of {_parameter('latency_dram'):.0f}"),
        ("lab3", f"{_parameter('barrier_1024_threads'):.0f} cycles for 1024 threads"),
        ("lab7", f"As structures {float(kit.older['layout_cqd_n8388608', 'aos']['GBps']):.0f} GB/s, as eight arrays "
                 f"{float(kit.older['layout_cqd_n8388608', 'soa']['GBps']):.0f} GB/s"),
        ("story_copies", f"{old['linear256']:.1f} to {tbps(big, 'copy_256')} TB/s"),
        ("story_copies", f"{old['float4']:.1f} to {tbps(big, 'copy_float4')} TB/s"),
        ("story_copies", f"{blocks_64:,} blocks in {us(big, 'copy_64'):.0f} us"),
        ("story_copies", f"a block every {us(big, 'copy_64') * 1e3 * 132 / blocks_64:.0f} ns"),
        ("story_copies", f"Blocks of 128 take {us(big, 'copy_128'):.0f} us for half as many: {us(big, 'copy_128') * 1e3 * 132 / blocks_128:.0f} ns again"),
        ("story_padding", f"{us(turn, 'tile_32x32') / us(turn, 'tile_pad_32x32'):.1f} times as fast, with 32 x 8 threads twice"),
        ("story_padding", f"padding gains {100 * (tile['tile16_nopad'] / tile['tile16_pad'] - 1):.0f}%"),
        ("story_offsets", f"loses {100 * min(offsets):.0f} to {100 * max(offsets):.0f}%"),
        ("story_offsets", f"{sum(strides) / len(strides):.0f} us from stride 2 to stride 8"),
        ("story_offsets", f"At stride 1 it is {us('stride_2e26', 'stride_1'):.0f} us"),
        ("story_barrier", f"All {256 * 256:,} elements"),
        ("story_barrier", f"{int(_sanitizer('mm_no_first_barrier')):,} elements were wrong"),
        ("story_launches", f"takes {_parameter('empty_launch_events'):.1f} us"),
        ("story_launches", f"reaches {useful('stream_2e20', 'copy_float4') / us('stream_2e20', 'copy_float4') / 1e3:.0f} GB/s that way"),
        ("story_launches", f"reached {_parameter('read_8_MiB') / 1e3:.1f} TB/s on the same H200"),
        ("story_launches", f"reached {_parameter('read_1024_MiB') / 1e3:.1f} TB/s.[^reads]"),
        ("story_launches", f"moves {tbps(big, 'copy_float4')} TB/s"),
        ("lab5_answers", f"tiles of 16 take {us('product_512', 'tile16'):.1f} us and tiles of 32 {us('product_512', 'tile32'):.1f}"),
    ]
    tiles = "solutions/lab5_tiled_matmul/correct/tiled.cu"
    padded = "grader/tests/h200/padded_matmul.cu -DPAD_"
    for where, file in (("`[32][32]`", tiles), ("B padded, `[32][33]`", padded + "B=1"), ("A and B padded", padded + "A=1 -DPAD_B=1"),
                        ("no tiles", "solutions/lab5_tiled_matmul/wrong/naive.cu")):
        found.append(("story_padding", f"| {where} | {_limit(file, '4096x4096x4096'):.2f} |"))
    for where, name in (("128 bytes in a row", "4B x32 contiguous"), ("4 whole sectors, 128 bytes apart", "4B x8 of 128"),
                        ("32 sectors, 4 bytes each, side by side", "4B x1 of 32"), ("32 sectors, 4 bytes each, 128 bytes apart", "4B x1 of 128"),
                        ("half of each of 8 sectors, side by side", "4B x4 of 32")):
        line = re.search(rf"^store DRAM {re.escape(name)} .*$", _parameters(), re.M)[0]
        time, rate = float(re.search(r"([\d.]+) us", line)[1]), float(re.search(r"([\d.]+) GB/s", line)[1])
        found.append(("story_writes", f"| {where} | {time:.1f} us | {rate:.0f} |" if time < 100 else f"| {where} | {time:.0f} us | {rate:.0f} |"))
    return found


def undocumented(reference: str, report: str) -> list[str]:
    """The authors' reference must have all that a lab's author can write, and `Reading a report` all verdicts."""
    lab = next(ROOT.glob("grader/*/lab_test.h")).parent
    text = {name: (lab / name).read_text(encoding="utf-8") for name in ("manifest.h", "figures.cpp", "result.cpp")}
    headers = "".join(header.read_text(encoding="utf-8") for header in (lab / "lab_test.h", lab / "cases.h") if header.exists())
    keys = re.findall(r"^//\s+(\w+)\s+=", text["manifest.h"], re.M)
    figures = re.findall(r'^ +\{+"(\w+)",', text["figures.cpp"], re.M)
    api = re.findall(r"^(?!static|struct|class|using|const|std::shared_ptr)[\w:<>]+(?: [\w:<>]+)? (\w+)\(|^struct (Case|Limit|Shape)", headers, re.M)
    internal = {"make_array", "fill_values", "fill_whole_values", "add_test"}
    names = {*keys, *figures, *(function or struct for function, struct in api)} - internal
    kinds = re.search(r"kinds = \{(.*?)\};", text["result.cpp"], re.S)[1]
    missing = [("author_reference", name) for name in sorted(names) if not re.search(rf"\b{name}\b", reference)]
    missing += [("reading_a_report", kind) for kind in re.findall(r'"(\w+)"', kinds) if not re.search(rf"`{kind}\b", report)]
    return [f"{page}: `{name}` is missing" for page, name in missing]


def wrong(kit: Kit, pages: dict[str, str]) -> list[str]:
    """`pages`: text by label. Claims about other pages are skipped."""
    flat = {label: re.sub(r"\s+", " ", text) for label, text in pages.items()}
    if _sanitizer("mm_no_second_barrier") != "0":
        return ["story_barrier: sanitizer.csv no longer says that all results were correct"]
    return [f"{label}: by the data the page must say `{words}`, but it does not" for label, words in claims(kit)
            if label in flat and re.sub(r"\s+", " ", words) not in flat[label]]
