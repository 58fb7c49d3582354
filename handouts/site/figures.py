"""The drawings of the handouts. Drawings of accesses are checked against the simulator's counts."""

from kit import Kit, HandoutsError
from svg import Axes, Svg, figure, legend

PATTERNS = "handouts/examples/patterns.cu"
LOAD_SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
SHARED_LOADS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"


def _held_against(drawn: int, counted: int, what: str):
    if drawn != counted:
        raise HandoutsError(f"the figure {what} draws {drawn}, but the simulator counted {counted}")


# ---- which sectors a warp touches


def lanes(kit: Kit, words: str, element: str, stride: int, offset: int) -> str:
    """32 lanes above, the memory that they read below; each frame is a sector of 32 bytes."""
    size = 8 if element == "double" else 4
    counted = kit.profile(
        PATTERNS, f"read_global<{element}, {stride}, {offset}>", "1", "32",
        [f"f{8 * size}[2048]:random", f"f{8 * size}[1]:zero"],
    )["metrics"][LOAD_SECTORS]
    places = [(lane * stride + offset) * size for lane in range(32)]
    touched = sorted({place // 32 for place in places})
    _held_against(len(touched), counted, words)
    shown = max(8, touched[-1] + 1)
    used = len(set(places)) * size
    share = 100 * used / (32 * counted)
    plural = "sector" if counted == 1 else "sectors"

    def draw(drawn: int) -> Svg:
        svg = Svg(drawn, 208 if drawn < 500 else 190)
        left, width = 0.026 * drawn, 0.948 * drawn
        cell, box = width / (shown * 32 / size), min(18, width / 32 - 1)
        svg.text(left, 10 if svg.narrow else 16, "the 32 threads of a warp", "start", "small")
        for sector in range(shown):
            svg.rect(left + sector * width / shown, 128, width / shown, 30, "sector-used" if sector in touched else "sector", 0)
        for lane, place in enumerate(places):
            x = left + (lane + 0.5) * width / 32
            to = left + (place / size + 0.5) * cell
            svg.line(x, 42, to, 133, "lane-line")
            svg.rect(left + place / size * cell + 0.1 * cell, 133, max(1, 0.8 * cell), 20, "word", 0)
            svg.rect(x - box / 2, 24, box, 18, "lane")
            if lane % 4 == 0 or lane == 31:
                svg.text(x, 22 if svg.narrow else 37, lane, "middle", "small")
        svg.text(left, 178, "memory; each frame is a sector of 32 bytes", "start", "small")
        svg.text(drawn - left, 198 if svg.narrow else 178, f"{counted} {plural}, {used} of {32 * counted} bytes used", "end", "small strong")
        return svg

    return figure(words, f"{words}: <b>{counted} {plural}</b> for one request, {share:g}% of their bytes used. Counted by the simulator.", draw)


# ---- which banks a warp accesses


def banks(kit: Kit, pitch: int) -> str:
    counted = kit.profile(PATTERNS, f"read_column<{pitch}>", "1", "32", ["f32[32]:random", "f32[1]:zero"])["metrics"][SHARED_LOADS]
    queues = [[lane for lane in range(32) if lane * pitch % 32 == bank] for bank in range(32)]
    deepest = max(len(queue) for queue in queues)
    _held_against(deepest, counted, f"of a column at a pitch of {pitch}")
    height = min(18, 176 / deepest)
    base = 24 + height * deepest
    times = f"{counted} wavefront{'s' if counted > 1 else ''}"

    def draw(width: int) -> Svg:
        svg = Svg(width, int(base) + (72 if width < 500 else 54))
        left, step = 0.03 * width, 0.94 * width / 32
        for bank, queue in enumerate(queues):
            x = left + bank * step
            svg.rect(x + 1, base + 4, step - 2, 20, "bank")
            if not svg.narrow or bank % 4 == 0 or bank == 31:
                svg.text(x + step / 2, base + 18, bank, "middle", "small")
            for place, lane in enumerate(queue):
                svg.rect(x + step / 12, base - (place + 1) * height, step * 5 / 6, height - 1, "lane-late" if place else "lane")
                if height > 12 and not svg.narrow:
                    svg.text(x + step / 2, base - place * height - 5, lane, "middle", "small")
        if svg.narrow:
            svg.text(left, base + 44, "banks of shared memory; above each, its threads", "start", "small")
        else:
            svg.text(left, base + 44, "banks of shared memory; above each bank, the threads that access a word of it", "start", "small")
        svg.text(width - left, base + (62 if svg.narrow else 44), times, "end", "small strong")
        return svg

    note = "one after another" if counted > 1 else "all at once"
    return figure(
        f"The threads of a warp read a column of a tile with rows of {pitch} words",
        f"A warp reads a column of a tile, <b>rows {pitch} words apart: {times}</b>, {note}. Counted by the simulator.", draw)


# ---- schematic drawings


def grid_of_blocks(width: int) -> Svg:
    svg = Svg(width, 210)
    left, whole = 0.026 * width, 0.948 * width
    svg.text(left, 18, "grid: gridDim.x = 4 blocks", "start", "strong")
    block = min(85, 0.22 * width)
    for at in range(4):
        svg.rect(left + at * (block + 10 * width / 760), 30, block, 60, "sector-used" if at == 2 else "box")
        svg.text(left + at * (block + 10 * width / 760) + block / 2, 65, f"block {at}", "middle", "small" if svg.narrow else "")
    begin = left + 2 * (block + 10 * width / 760)
    svg.line(begin, 90, left, 122)
    svg.line(begin + block, 90, left + whole, 122)
    svg.rect(left, 122, whole, 82, "box")
    svg.text(left + 10, 140, "blockDim.x = 96 threads: three warps of 32", "start", "small")
    warp = (whole - 8) / 3
    for at in range(3):
        x = left + 4 + at * warp
        svg.rect(x + 2, 148, warp - 4, 52, "sector-used" if at == 1 else "sector")
        for thread in range(32):
            svg.rect(x + 5 + thread * (warp - 10) / 32, 152, (warp - 10) / 32 * 0.8, 14, "lane", 1)
        svg.text(x + warp / 2, 179, f"warp {at}", "middle", "small strong")
        svg.text(x + warp / 2, 194, f"threadIdx.x {32 * at} to {32 * at + 31}" if not svg.narrow else f"{32 * at} to {32 * at + 31}", "middle", "small")
    return svg


def corner(width: int) -> Svg:
    narrow = width < 500
    svg = Svg(width, 238 if narrow else 262)
    size = 16 if narrow else 34  # of a tile
    xs = (4, 136, 272) if narrow else (20, 300, 540)
    titles = ("in", "the tile", "out") if narrow else ("in, 6 x 4 tiles", "tile in shared memory", "out, 4 x 6 tiles")
    for x, title in zip(xs, titles):
        svg.text(x, 18, title, "start", "strong")
    for row in range(4):
        for col in range(6):
            svg.rect(xs[0] + col * size, 30 + row * size, size - 2, size - 2, "sector-used" if (row, col) == (1, 4) else "sector")
    for row in range(6):
        for col in range(4):
            svg.rect(xs[2] + col * size, 30 + row * size, size - 2, size - 2, "sector-used" if (row, col) == (4, 1) else "sector")
    word = size / 2 if not narrow else 11
    for i in range(8):
        for j in range(8):
            svg.rect(xs[1] + j * word, 40 + i * word, word - 2, word - 2, "lane" if i == 2 else "lane-late" if j == 5 else "sector", 1)
    svg.arrow(xs[0] + 5 * size, 30 + 1.5 * size, xs[1] - 4, 40 + 2.4 * word)
    svg.arrow(xs[1] + 8 * word + 4, 40 + 4.7 * word, xs[2] + size - 2, 30 + 4.4 * size)
    if narrow:
        for at, words in enumerate(("Block (4, 1) takes this tile of in. Each warp", "fills a row of the tile, then waits at the barrier.",
                                    "Then it reads a column, and writes it as a row", "of the same tile of out, mirrored.")):
            svg.text(4, 168 + 17 * at, words, "start", "small")
        return svg
    svg.text(243, 74, "a row in", "middle", "small")
    svg.text(488, 176, "a column out,", "middle", "small")
    svg.text(488, 190, "as a row", "middle", "small")
    svg.text(20, 205, "block (4, 1) takes this tile", "start", "small")
    svg.text(300, 205, "filled one row per warp, barrier,", "start", "small")
    svg.text(300, 220, "read one column per warp", "start", "small")
    svg.text(540, 248, "the same tile, at the mirrored place", "middle", "small")
    return svg


def product_tiles(width: int) -> Svg:
    narrow = width < 500
    svg = Svg(width, 216 if narrow else 240)
    step = 18 if narrow else 28
    xs = (4, 142, 262) if narrow else (20, 270, 520)
    for x, title, rows, cols, lit in zip(xs, "ABC", (4, 6, 4), (6, 4, 4),
                                         ([(2, c) for c in range(6)], [(r, 1) for r in range(6)], [(2, 1)])):
        svg.text(x, 20, title, "start", "strong")
        for row in range(rows):
            for col in range(cols):
                cls = "sector-used" if (row, col) in lit else "sector"
                if (title, row, col) in (("A", 2, 3), ("B", 3, 1)):
                    cls = "lane"
                svg.rect(x + col * step, 30 + row * step, step - 2, step - 2, cls)
    if narrow:
        for at, words in enumerate(("Step 4 of 6: the framed tile of A and the framed tile",
                                    "of B add to the sums of this tile of C.",
                                    "Each square is a tile of 32 x 32. Every fetched", "element is used by 32 threads.")):
            svg.text(4, 156 + 16 * at, words, "start", "small")
        return svg
    svg.text(20, 160, "step 4 of 6: this tile of A", "start", "small")
    svg.text(405, 125, "and this tile of B", "start", "small")
    svg.text(520, 160, "add to the sums of this tile of C", "start", "small")
    svg.text(20, 224, "Each small square is a tile of 32 x 32. Every fetched element is used by 32 threads.", "start", "small")
    return svg


def orders(width: int) -> Svg:
    narrow = width < 500
    svg = Svg(width, 170 if narrow else 150)
    left = 0.026 * width
    for at, (title, note) in enumerate((("number after number: y[i * 32 + k]", "one step of a warp: 32 elements, 128 bytes apart"),
                                        ("power after power: y[k * n + i]", "one step of a warp: 32 neighbours"))):
        top = 20 + at * (80 if narrow else 68)
        svg.text(left, top, title, "start", "strong")
        for cell in range(64):
            lit = cell % 8 == 2 if at == 0 else 16 <= cell < 24
            step = 0.948 * width / 64
            svg.rect(left + cell * step, top + 10, 0.9 * step, 22, "lane" if lit else "sector", 1)
        svg.text(left if narrow else width - left, top + 48 if narrow else top, note, "start" if narrow else "end", "small")
    return svg


# ---- measured, not compared


def in_flight(kit: Kit) -> str:
    """GB/s of a copy over the bytes that an SM's loads have in flight."""
    rows = [("hog_2e24", "hog_200"), ("hog_2e24", "hog_112"), ("hog_2e24", "hog_56"), ("hog_2e24", "hog_28"),
            ("stream_2e24", "copy_float2"), ("stream_2e24", "copy_float4")]
    lines = []
    for row in rows:
        blocks = kit.predicted(*row)["prediction"]["occupancy"]["blocks_per_sm"]
        per_thread = {"copy_float2": 8, "copy_float4": 16}.get(row[1], 4)
        kib = blocks * 256 * per_thread / 1024
        lines.append((kib, kit.useful_bytes(*row) / kit.measured_us(*row) / 1e3, kit.useful_bytes(*row) / kit.predicted_us(*row) / 1e3))

    def draw(width: int) -> Svg:
        svg = Svg(width, 330)
        axes = Axes(svg, (60, 44, width - 20, 270), (0.8, 40), (0, 4800),
                    "KiB of loads in flight on each SM (threads x bytes per thread)", "GB/s", log_x=True)
        axes.ticks((1, 2, 4, 8, 16, 32), (0, 1000, 2000, 3000, 4000), lambda x: f"{x}")
        axes.measured([(kib, measured) for kib, measured, _ in lines])
        axes.predicted([(kib, predicted) for kib, _, predicted in lines])
        legend(svg, 100, 14 if svg.narrow else 58)
        return svg

    return figure("A copy's bandwidth over its bytes in flight",
                  "A copy of 64 MiB. The first four points: 1, 2, 4 and 7 blocks of 256 threads per SM (limited by shared memory), "
                  "4 bytes per thread. The last two: 8 blocks, 8 and 16 bytes per thread.[^others][^predicted]", draw)


def roofline(kit: Kit) -> str:
    peak_bytes = kit.useful_bytes("stream_2e26", "copy_float4") / kit.measured_us("stream_2e26", "copy_float4") / 1e6
    peak_flops = kit.peak_flops / 1e12
    # k steps of y = y * x + 0.5: two operations each; 4 bytes in, 4 out
    points = [(2 / 12, 67108864 / kit.measured_us("stream_2e26", "triad") * 2 / 1e6, "a + 3 b: {:.2f}")]
    for kernel, steps in (("float_16", 16), ("float_128", 128), ("float_512", 512)):
        points.append((2 * steps / 8, 2 * steps * 4194304 / kit.measured_us("arithmetic_2e22", kernel) / 1e6, f"{steps} steps: {{:.0f}}"))

    def draw(width: int) -> Svg:
        svg = Svg(width, 340)
        axes = Axes(svg, (46 if width < 500 else 60, 34, width - 20, 280), (0.1, 300), (0.3, 100),
                    "operations per byte that must move", "TFLOP/s", log_x=True, log_y=True)
        axes.ticks((0.1, 1, 10, 100), (1, 10, 100), lambda x: f"{x:g}", lambda y: f"{y:g}")
        knee = peak_flops / peak_bytes
        svg.path([axes.at(0.1, 0.1 * peak_bytes), axes.at(knee, peak_flops), axes.at(300, peak_flops)], "roof")
        memory = f"memory: {peak_bytes:.2f} TB/s,", "the best copy"
        if svg.narrow:
            for height, words in zip((30, 20), memory):
                svg.text(*axes.at(0.11, height), words, "start", "small")
        else:
            svg.text(*axes.at(0.9, 7), " ".join(memory), "end", "small")
        svg.text(*axes.at(290, 74), f"arithmetic: {peak_flops:.0f} TFLOP/s", "end", "small")
        for intensity, flops, words in points:
            x, y = axes.at(intensity, flops)
            svg.circle(x, y, 4, "measured")
            right = x + 90 < width
            svg.text(x + 8 if right else x - 2, y + (15 if right else 46), words.format(flops), "start" if right else "end", "small")
        return svg

    return figure("Roofline of an H200 with four kernels",
                  "Four kernels under the roof. The slope is the best measured copy, the flat part is from the data sheet.[^others]", draw)


def drawings(kit: Kit) -> dict[str, str]:
    return {
        "grid": figure("A grid of blocks, a block of warps, a warp of threads",
                       "A launch is a grid of blocks. A block has up to 1024 threads. The hardware runs them 32 at a time: a warp.",
                       grid_of_blocks),
        "lanes_neighbours": lanes(kit, "Neighbouring threads read neighbouring floats", "float", 1, 0),
        "lanes_offset": lanes(kit, "The same, starting one float later", "float", 1, 1),
        "lanes_chunk": lanes(kit, "Each thread in its own chunk, 8 floats apart", "float", 8, 0),
        "lanes_stride2": lanes(kit, "Every other float", "float", 2, 0),
        "lanes_column": lanes(kit, "Down a column, rows of 32 floats", "float", 32, 0),
        "lanes_double": lanes(kit, "Neighbouring threads read neighbouring doubles", "double", 1, 0),
        "lanes_parts": lanes(kit, "Part 0 of 32 structures of eight doubles", "double", 8, 0),
        "lanes_broadcast": lanes(kit, "All threads read the same float", "float", 0, 0),
        "banks_32": banks(kit, 32),
        "banks_33": banks(kit, 33),
        "banks_34": banks(kit, 34),
        "corner": figure("A tile goes through shared memory to the mirrored position",
                         "Corner turning: both sides in global memory run along rows. The striding happens in shared memory.", corner),
        "product_tiles": figure("Tiles of A along a row, tiles of B down a column",
                                "A block walks along a row of tiles of A and down a column of tiles of B.", product_tiles),
        "orders": figure("The two orders of the powers",
                         "The elements that one step of the loop writes (drawn for 8 threads and 8 powers).", orders),
        "in_flight": in_flight(kit),
        "roofline": roofline(kit),
    }
