"""The drawings of the handouts. Drawings of accesses are checked against the simulator's counts."""

from kit import OTHERS, PREDICTED, Kit, HandoutsError
from svg import Axes, Svg, legend

PATTERNS = "handouts/examples/patterns.cu"
LOAD_SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
SHARED_LOADS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"
WIDTH = 760


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
    svg = Svg(WIDTH, 190)
    left, width = 20, WIDTH - 40
    cell = width / (shown * 32 / size)
    svg.text(left, 16, "the 32 threads of a warp", "start", "small")
    for sector in range(shown):
        svg.rect(left + sector * width / shown, 128, width / shown, 30, "sector-used" if sector in touched else "sector", 0)
    for lane, place in enumerate(places):
        x = left + (lane + 0.5) * width / 32
        to = left + (place / size + 0.5) * cell
        svg.line(x, 42, to, 133, "lane-line")
        svg.rect(left + place / size * cell + 0.4, 133, max(1.4, cell - 0.8), 20, "word", 0)
        svg.rect(x - 9, 24, 18, 18, "lane")
        if lane % 4 == 0 or lane == 31:
            svg.text(x, 37, lane, "middle", "small")
    svg.text(left, 178, "memory; each frame is a sector of 32 bytes", "start", "small")
    used = len(set(places)) * size
    share = 100 * used / (32 * counted)
    plural = "sector" if counted == 1 else "sectors"
    svg.text(WIDTH - 20, 178, f"{counted} {plural}, {used} of {32 * counted} bytes used", "end", "small strong")
    return svg.figure(words, f"{words}: <b>{counted} {plural}</b> for one request, {share:g}% of their bytes used. Counted by the simulator.")


# ---- which banks a warp accesses


def banks(kit: Kit, pitch: int) -> str:
    counted = kit.profile(PATTERNS, f"read_column<{pitch}>", "1", "32", ["f32[32]:random", "f32[1]:zero"])["metrics"][SHARED_LOADS]
    queues = [[lane for lane in range(32) if lane * pitch % 32 == bank] for bank in range(32)]
    deepest = max(len(queue) for queue in queues)
    _held_against(deepest, counted, f"of a column at a pitch of {pitch}")
    height = min(18, 176 / deepest)
    base = 24 + height * deepest
    svg = Svg(WIDTH, int(base) + 54)
    left, step = 24, (WIDTH - 48) / 32
    for bank, queue in enumerate(queues):
        x = left + bank * step
        svg.rect(x + 1, base + 4, step - 2, 20, "bank")
        svg.text(x + step / 2, base + 18, bank, "middle", "small")
        for place, lane in enumerate(queue):
            svg.rect(x + 2, base - (place + 1) * height, step - 4, height - 1, "lane" if deepest == 1 else "lane-late" if place else "lane")
            if height > 12:
                svg.text(x + step / 2, base - place * height - 5, lane, "middle", "small")
    svg.text(left, base + 44, "banks of shared memory; above each bank, the threads that access a word of it", "start", "small")
    svg.text(WIDTH - 24, base + 44, f"{counted} wavefronts" if counted > 1 else "1 wavefront", "end", "small strong")
    note = "one after another" if counted > 1 else "all at once"
    return svg.figure(
        f"The threads of a warp read a column of a tile with rows of {pitch} words",
        f"A warp reads a column of a tile, <b>rows {pitch} words apart: {counted} wavefront{'s' if counted > 1 else ''}</b>, {note}. Counted by the simulator.",
    )


# ---- schematic drawings


def grid_of_blocks() -> str:
    svg = Svg(WIDTH, 210)
    svg.text(20, 18, "grid: gridDim.x = 4 blocks", "start", "strong")
    for block in range(4):
        svg.rect(20 + block * 95, 30, 85, 60, "sector-used" if block == 2 else "box")
        svg.text(62 + block * 95, 65, f"block {block}")
    svg.line(210, 90, 20, 122)
    svg.line(295, 90, 740, 122)
    svg.rect(20, 122, 720, 74, "box")
    svg.text(30, 140, "blockDim.x = 96 threads: three warps of 32", "start", "small")
    for warp in range(3):
        svg.rect(30 + warp * 236, 150, 228, 38, "sector-used" if warp == 1 else "sector")
        for thread in range(32):
            svg.rect(33 + warp * 236 + thread * 7, 154, 5.5, 14, "lane", 1)
        svg.text(144 + warp * 236, 182, f"warp {warp}: threadIdx.x {32 * warp} to {32 * warp + 31}", "middle", "small")
    return svg.figure("A grid of blocks, a block of warps, a warp of threads",
                      "A launch is a grid of blocks. A block has up to 1024 threads. The hardware runs them 32 at a time: a warp.")


def corner() -> str:
    svg = Svg(WIDTH, 262)
    for x, title in ((20, "in, 6 x 4 tiles"), (300, "tile in shared memory"), (540, "out, 4 x 6 tiles")):
        svg.text(x, 18, title, "start", "strong")
    for row in range(4):
        for col in range(6):
            svg.rect(20 + col * 34, 30 + row * 34, 32, 32, "sector-used" if (row, col) == (1, 4) else "sector")
    for row in range(6):
        for col in range(4):
            svg.rect(540 + col * 34, 30 + row * 34, 32, 32, "sector-used" if (row, col) == (4, 1) else "sector")
    for i in range(8):
        for j in range(8):
            svg.rect(300 + j * 17, 40 + i * 17, 15, 15, "lane" if i == 2 else "lane-late" if j == 5 else "sector", 1)
    svg.arrow(190, 82, 296, 82)
    svg.text(243, 74, "a row in", "middle", "small")
    svg.arrow(440, 120, 570, 180)
    svg.text(488, 176, "a column out,", "middle", "small")
    svg.text(488, 190, "as a row", "middle", "small")
    svg.text(20, 205, "block (4, 1) takes this tile", "start", "small")
    svg.text(300, 205, "filled one row per warp, barrier,", "start", "small")
    svg.text(300, 220, "read one column per warp", "start", "small")
    svg.text(540, 248, "the same tile, mirrored and transposed", "middle", "small")
    return svg.figure("A tile goes through shared memory to the mirrored position",
                      "Corner turning: both sides in global memory run along rows. The striding happens in shared memory.")


def product_tiles() -> str:
    svg = Svg(WIDTH, 240)
    size, gap = 26, 2
    for x, title, rows, cols, lit in (
        (20, "A", 4, 6, [(2, c) for c in range(6)]), (270, "B", 6, 4, [(r, 1) for r in range(6)]), (520, "C", 4, 4, [(2, 1)])):
        svg.text(x, 20, title, "start", "strong")
        for row in range(rows):
            for col in range(cols):
                cls = "sector-used" if (row, col) in lit else "sector"
                if (title, row, col) in (("A", 2, 3), ("B", 3, 1)):
                    cls = "lane"
                svg.rect(x + col * (size + gap), 30 + row * (size + gap), size, size, cls)
    svg.text(20, 160, "step 4 of 6: this tile of A", "start", "small")
    svg.text(405, 125, "and this tile of B", "start", "small")
    svg.text(520, 160, "add to the sums of this tile of C", "start", "small")
    svg.text(20, 224, "Each small square is a tile of 32 x 32. Every fetched element is used by 32 threads.", "start", "small")
    return svg.figure("Tiles of A along a row, tiles of B down a column",
                      "A block walks along a row of tiles of A and down a column of tiles of B.")


def barriers() -> str:
    svg = Svg(WIDTH, 210)
    # (start, end) of load 0, multiply 0, load 1, multiply 1 for the fast and the slow warp
    both = (((90, 160), (175, 285), (390, 460), (475, 585)), ((90, 160), (175, 365), (390, 460), (475, 665)))
    missing = (((90, 160), (175, 285), (290, 360), (460, 570)), ((90, 160), (175, 365), (370, 440), (460, 650)))
    for top, title, rows, lines in ((20, "with both barriers", both, (167, 377, 467)), (118, "the second barrier is missing", missing, (167, 450))):
        svg.text(20, top, title, "start", "strong")
        for warp, spans in enumerate(rows):
            y = top + 12 + warp * 30
            svg.text(20, y + 17, ("fast warp", "slow warp")[warp], "start", "small")
            for words, cls, (begin, end) in zip(("load 0", "multiply 0", "load 1", "multiply 1"), ("lane", "sector-used") * 2, spans):
                svg.rect(begin, y, end - begin, 24, cls)
                svg.text((begin + end) / 2, y + 16, words, "middle", "small")
        for x in lines:
            svg.line(x, top + 8, x, top + 70, "barrier")
    svg.rect(290, 127, 70, 60, "clash")
    svg.text(290, 203, "load 1 overwrites what multiply 0 still reads", "start", "small")
    return svg.figure("Two warps over time, with and without the second barrier",
                      "Schematic; red lines are barriers. Without the second barrier the fast warp overwrites the tiles while the slow one still reads them.")


def orders() -> str:
    svg = Svg(WIDTH, 150)
    for at, (title, note) in enumerate((("number after number: y[i * 32 + k]", "one step of a warp: 32 elements, 128 bytes apart"),
                                        ("power after power: y[k * n + i]", "one step of a warp: 32 neighbours"))):
        top = 20 + at * 68
        svg.text(20, top, title, "start", "strong")
        for cell in range(64):
            lit = cell % 8 == 2 if at == 0 else 16 <= cell < 24
            svg.rect(20 + cell * 11.2, top + 10, 10, 22, "lane" if lit else "sector", 1)
        svg.text(740, top, note, "end", "small")
    return svg.figure("The two orders of the powers", "The elements that one step of the loop writes (drawn for 8 threads and 8 powers).")


# ---- measured, not compared


def in_flight(kit: Kit) -> str:
    """GB/s of a copy over the bytes that an SM's loads have in flight."""
    svg = Svg(WIDTH, 330)
    axes = Axes(svg, (60, 34, 720, 270), (0.8, 40), (0, 4800), "KiB of loads in flight on each SM (threads x bytes per thread)", "GB/s", log_x=True)
    axes.ticks((1, 2, 4, 8, 16, 32), (0, 1000, 2000, 3000, 4000), lambda x: f"{x}")
    rows = [("hog_2e24", "hog_200"), ("hog_2e24", "hog_112"), ("hog_2e24", "hog_56"), ("hog_2e24", "hog_28"),
            ("stream_2e24", "copy_float2"), ("stream_2e24", "copy_float4")]
    lines = []
    for row in rows:
        blocks = kit.predicted(*row)["prediction"]["occupancy"]["blocks_per_sm"]
        per_thread = {"copy_float2": 8, "copy_float4": 16}.get(row[1], 4)
        kib = blocks * 256 * per_thread / 1024
        lines.append((kib, kit.useful_bytes(*row) / kit.measured_us(*row) / 1e3, kit.useful_bytes(*row) / kit.predicted_us(*row) / 1e3))
    axes.measured([(kib, measured) for kib, measured, _ in lines])
    axes.predicted([(kib, predicted) for kib, _, predicted in lines])
    legend(svg, 100, 48)
    return svg.figure("A copy's bandwidth over its bytes in flight",
                      f"A copy of 64 MiB. The first four points: 1, 2, 4 and 7 blocks of 256 threads per SM (limited by shared memory), 4 bytes per thread. The last two: 8 blocks, 8 and 16 bytes per thread. {OTHERS}. {PREDICTED}.")


def roofline(kit: Kit) -> str:
    svg = Svg(WIDTH, 340)
    peak_bytes = kit.useful_bytes("stream_2e26", "copy_float4") / kit.measured_us("stream_2e26", "copy_float4") / 1e6
    peak_flops = kit.peak_flops / 1e12
    axes = Axes(svg, (60, 34, 720, 280), (0.1, 300), (0.3, 100), "operations per byte that must move", "TFLOP/s", log_x=True, log_y=True)
    axes.ticks((0.1, 1, 10, 100), (1, 10, 100), lambda x: f"{x:g}", lambda y: f"{y:g}")
    knee = peak_flops / peak_bytes
    svg.path([axes.at(0.1, 0.1 * peak_bytes), axes.at(knee, peak_flops), axes.at(300, peak_flops)], "roof")
    svg.text(*axes.at(0.9, 7), f"memory: {peak_bytes:.2f} TB/s, the best copy", "end", "small")
    svg.text(*axes.at(110, 74), f"arithmetic: {peak_flops:.0f} TFLOP/s", "middle", "small")
    # k steps of y = y * x + 0.5: two operations each; 4 bytes in, 4 out
    for kernel, steps, words in (("float_16", 16, "16 steps"), ("float_128", 128, "128 steps"), ("float_512", 512, "512 steps")):
        flops = 2 * steps * 4194304 / kit.measured_us("arithmetic_2e22", kernel) / 1e6
        x, y = axes.at(2 * steps / 8, flops)
        svg.circle(x, y, 4, "measured")
        svg.text(x + 8, y + 14, f"{words}: {flops:.0f}", "start", "small")
    flops = 67108864 / kit.measured_us("stream_2e26", "triad") * 2 / 1e6
    x, y = axes.at(2 / 12, flops)
    svg.circle(x, y, 4, "measured")
    svg.text(x + 8, y + 16, f"a + 3 b: {flops:.2f}", "start", "small")
    return svg.figure("Roofline of an H200 with four kernels",
                      "Four kernels under the roof. The slope is the best measured copy, the flat part is from the data sheet. "
                      f"{OTHERS} (arithmetic_2e22, triad of stream_2e26).")


def drawings(kit: Kit) -> dict[str, str]:
    return {
        "grid": grid_of_blocks(),
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
        "corner": corner(),
        "product_tiles": product_tiles(),
        "barriers": barriers(),
        "orders": orders(),
        "in_flight": in_flight(kit),
        "roofline": roofline(kit),
    }
