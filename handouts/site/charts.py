"""Measured beside predicted: bars with a table below, and the curves over offset and stride."""

from html import escape

from kit import Kit
from svg import Axes, Svg, figure, legend


def _table(head: list[str], rows: list[list[str]]) -> str:
    out = '<div class="lk-scroll"><table class="lk-table"><tr>' + "".join(f"<th>{h}</th>" for h in head) + "</tr>"
    for row in rows:
        out += "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>"
    return out + "</table></div>\n"


def _bars(title: str, rows: list[tuple[str, float, float | None]], unit: str, caption: str) -> str:
    """rows: words, measured, predicted (or None)."""
    most = max(max(measured, predicted or 0) for _, measured, predicted in rows)

    def draw(width: int) -> Svg:
        each, left = (50, 4) if width < 500 else (34, 246)
        longest = width - left - 114
        svg = Svg(width, 40 + each * len(rows))
        legend(svg, left + 4, 14, any(predicted is not None for _, _, predicted in rows))
        for at, (words, measured, predicted) in enumerate(rows):
            y = 32 + at * each + (16 if svg.narrow else 0)
            if svg.narrow:
                svg.text(left, y - 4, words, "start", "small")
            else:
                svg.text(left - 8, y + 14, words, "end", "small")
            svg.rect(left, y, measured / most * longest, 12, "measured")
            svg.text(left + 6 + measured / most * longest, y + 11, f"{measured:,.0f} {unit}", "start", "small")
            if predicted is not None:
                svg.rect(left, y + 14, predicted / most * longest, 8, "predicted")
        return svg

    return figure(title, caption, draw)


COUNTERS = {"sectors": "memory_l2_theoretical_sectors_global", "shared wavefronts": "memory_l1_wavefronts_shared"}


def compare(kit: Kit, title: str, rows: list[tuple[str, str, str]], counter: str = "sectors") -> str:
    """rows: words, family, kernel, all of other_launches.csv. GB/s are useful bytes. `counter`: what the text speaks of."""
    kit.predict_together([row[1:] for row in rows])
    drawn, table = [], []
    for words, family, kernel in rows:
        useful, time, guess = kit.useful_bytes(family, kernel), kit.measured_us(family, kernel), kit.predicted(family, kernel)
        predicted = guess["time_us"]
        drawn.append((words, useful / time / 1e3, useful / predicted / 1e3))
        table.append([escape(words), f"{time:,.1f}", f"{useful / time / 1e3:,.0f}", f"{predicted:,.1f}", f"{predicted / time:.2f}",
                      f"{guess['metrics'][COUNTERS[counter]]:,}", f"<code>{family}, {kernel}</code>"])
    return _bars(title, drawn, "GB/s", f"{title}, useful bytes over time.[^others][^predicted]") + _table(
        ["", "measured, us", "GB/s", "predicted, us", "predicted / measured", f"{counter}, counted", "row"], table)


def older(kit: Kit, title: str, rows: list[tuple[str, str, str]]) -> str:
    drawn = [(words, float(kit.older[family, kernel]["GBps"]), None) for words, family, kernel in rows]
    table = [[escape(words), *(kit.older[family, kernel][column] for column in ("median_us", "median_us_second_run", "GBps")),
              f"<code>{family}, {kernel}</code>"] for words, family, kernel in rows]
    return _bars(title, drawn, "GB/s", f"{title}, useful bytes over time.[^older]") + _table(
        ["", "us", "us, second run", "GB/s", "row"], table)


def curve(kit: Kit, title: str, family: str, prefix: str, values: list[int], x_label: str) -> str:
    kit.predict_together([(family, f"{prefix}_{value}") for value in values])
    points = []
    for value in values:
        kernel = f"{prefix}_{value}"
        useful, guess = kit.useful_bytes(family, kernel), kit.predicted(family, kernel)
        points.append((value, kit.measured_us(family, kernel), kit.times[family, kernel], guess, useful))
    top = 1.1 * max(max(u / t, u / g["time_us"]) / 1e3 for _, t, _, g, u in points)

    def draw(width: int) -> Svg:
        svg = Svg(width, 330)
        axes = Axes(svg, (60, 44, width - 20, 270), (min(values), max(values)), (0, top), x_label, "GB/s")
        axes.ticks([v for v in values if v % 4 == 0 or v == values[0]], range(0, int(top), 500))
        axes.measured([(v, u / t / 1e3) for v, t, _, _, u in points])
        axes.predicted([(v, u / g["time_us"] / 1e3) for v, _, _, g, u in points])
        legend(svg, 400, 14 if svg.narrow else 20)
        return svg

    table = [[str(v), f"{t:,.1f}", f"{float(row['low_us']):,.1f} to {float(row['high_us']):,.1f}", f"{u / t / 1e3:,.0f}",
              f"{g['time_us']:,.1f}", f"{g['time_us'] / t:.2f}",
              f"{g['metrics']['l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum'] / max(1, g['metrics']['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum']):.2f}"]
             for v, t, row, g, u in points]
    return figure(title, f"{title}, useful bytes over time (<code>{family}</code>).[^others][^predicted]", draw) + (
        "<details><summary>The figures</summary>" + _table(
            [x_label, "measured, us", "95% of the median", "GB/s", "predicted, us", "predicted / measured", "sectors per load request, simulator"], table)
        + "</details>\n")


def chunks(kit: Kit) -> str:
    """vecadd over elements per thread: a grid-stride loop, and a chunk for each thread."""
    table, curves = [], []
    for name, cls in (("coalesced1", "measured"), ("uncoalesced", "bad")):
        curves.append((cls, []))
        for k in (1, 2, 4, 8, 16, 32):
            row = kit.older["vecadd_double_n67108864", f"{name}_per{k}"]
            curves[-1][1].append((k, float(row["GBps"])))
            table.append(["in steps of the whole grid" if cls == "measured" else "a chunk per thread", str(k), row["median_us"], row["GBps"]])

    def draw(width: int) -> Svg:
        svg = Svg(width, 320)
        axes = Axes(svg, (60, 44, width - 20, 260), (1, 32), (0, 4800), "doubles per thread", "GB/s", log_x=True)
        axes.ticks((1, 2, 4, 8, 16, 32), (0, 1000, 2000, 3000, 4000))
        for cls, points in curves:
            places = [axes.at(*p) for p in points]
            svg.path(places, f"{cls}-line")
            for x, y in places:
                svg.circle(x, y, 3.5, cls)
        svg.text(*axes.at(31, 4560), "in steps of the whole grid", "end", "small")
        svg.text(*axes.at(4.3, 2600), "a chunk per thread", "start", "small")
        return svg

    return figure("Vector addition over elements per thread", "c = a + b, 67,108,864 doubles.[^older]", draw) + (
        "<details><summary>The figures</summary>" + _table(["", "doubles per thread", "us", "GB/s"], table) + "</details>\n")


def sizes(kit: Kit) -> str:
    """The same copy at four sizes: the time, with and without the cost of an empty launch."""
    rows = []
    for power in (20, 22, 24, 26):
        family = f"stream_2e{power}"
        useful, time = kit.useful_bytes(family, "copy_float4"), kit.measured_us(family, "copy_float4")
        rows.append([f"2<sup>{power}</sup>", f"{useful:,}", f"{time:.1f}", f"{useful / time / 1e3:,.0f}",
                     f"{kit.predicted_us(family, 'copy_float4'):.1f}", f"{float(time) - 4.1:.1f}"])
    return _table(["floats", "bytes moved", "measured, us", "GB/s", "predicted, us", "measured minus an empty launch, us"], rows) + (
        '<p class="lk-source">16 bytes per thread.[^others][^predicted] An empty launch takes 4.1 us between two events.[^parameters]</p>\n')


def charts(kit: Kit) -> dict[str, str]:
    big = "stream_2e26"
    turn = "turn_4096x4096"
    return {
        "copies": compare(kit, "Copies of 256 MiB", [
            ("one float per thread, blocks of 64", big, "copy_64"), ("one float, blocks of 128", big, "copy_128"),
            ("one float, blocks of 256", big, "copy_256"), ("one float, blocks of 1024", big, "copy_1024"),
            ("float2 (or double) per thread", big, "copy_float2"), ("float4 per thread", big, "copy_float4"),
            ("4 floats per thread, loads first", big, "copy_some4"), ("8 floats per thread, loads first", big, "copy_some8"),
            ("loop over a grid of 264 blocks", big, "loop_264")]),
        "scattered": compare(kit, "One side coalesced, the other not", [
            ("transpose, reads coalesced", turn, "read_32x32"), ("transpose, writes coalesced", turn, "write_32x32"),
            ("gather, random", "gather_2e25", "gather_random"), ("scatter, random", "gather_2e25", "scatter_random"),
            ("gather within 4 KiB", "gather_2e25", "gather_near"), ("scatter within 4 KiB", "gather_2e25", "scatter_near"),
            ("copy, one float per thread", turn, "copy_256")]),
        "blocks_of_8": compare(kit, "The naive transposes in blocks of 32 x 32 and 8 x 32", [
            ("reads coalesced, 32 x 32", turn, "read_32x32"), ("reads coalesced, 8 x 32", turn, "read_8x32"),
            ("writes coalesced, 32 x 32", turn, "write_32x32"), ("writes coalesced, 8 x 32", turn, "write_8x32")]),
        "padding": compare(kit, "Transposes through a tile of 32 x 32, 4096 x 4096 floats", [
            ("no padding, 32 x 32 threads", turn, "tile_32x32"), ("padded, 32 x 32 threads", turn, "tile_pad_32x32"),
            ("no padding, 32 x 8 threads", turn, "tile_32x8"), ("padded, 32 x 16 threads", turn, "tile_pad_32x16"),
            ("padded, 32 x 8 threads", turn, "tile_pad_32x8"), ("copy, one float per thread", turn, "copy_256")], "shared wavefronts"),
        "tile_16": older(kit, "Tiles of 16 x 16 and of 32 x 32, 8192 x 8192 floats", [
            ("16 x 16, no padding", "transpose_8192x8192", "tile16_nopad"), ("16 x 16, padded", "transpose_8192x8192", "tile16_pad"),
            ("32 x 32, no padding", "transpose_8192x8192", "tile32_nopad"), ("32 x 32, padded", "transpose_8192x8192", "tile32_pad")]),
        "bank_strides": compare(kit, "64 reads of shared memory per thread, stride 1 to 32", [
            (f"stride {s}", "shared_2e22", f"stride_{s}") for s in (1, 2, 4, 8, 16, 32)], "shared wavefronts"),
        "layouts": compare(kit, "Structures against arrays", [
            ("3 floats, structures", "points_2e24", "aos"), ("3 floats, arrays", "points_2e24", "soa"),
            ("8 floats, structures", "bodies_2e22", "aos"), ("8 floats, arrays", "bodies_2e22", "soa"),
            ("one of 8 floats, structures", "bodies_2e22", "one_field")]),
        "layout_doubles": older(kit, "Eight doubles per element", [
            ("structures", "layout_cqd_n8388608", "aos"), ("eight arrays", "layout_cqd_n8388608", "soa")]),
        "products": compare(kit, "A product of 512 x 512 matrices", [
            ("no tiles, blocks of 1 x 256", "product_512", "plain_1x256"), ("no tiles, 16 x 16", "product_512", "plain_16x16"),
            ("no tiles, 32 x 8", "product_512", "plain_32x8"), ("tiles of 16 x 16", "product_512", "tile16"),
            ("tiles of 32 x 32", "product_512", "tile32")]),
        "powers": older(kit, "Powers, 4,194,304 numbers", [
            ("stored as computed", "powers_n4194304", "direct"), ("staged, conflicts on the store", "powers_n4194304", "smem_conflict"),
            ("staged, padded", "powers_n4194304", "smem_padded"), ("the other order, direct", "powers_n4194304", "interleaved")]),
        "reductions": compare(kit, "The sum of 2^26 floats", [
            ("tree, every second thread adds", "reduce_2e26", "modulo"), ("tree, words 2 s apart", "reduce_2e26", "strided"),
            ("tree, halves", "reduce_2e26", "halving"), ("shuffles, 264 blocks", "reduce_2e26", "shuffle_264"),
            ("shuffles, 1056 blocks", "reduce_2e26", "shuffle_1056"), ("shuffles, float4, 1056 blocks", "reduce_2e26", "vector_1056")], "shared wavefronts"),
        "histograms": compare(kit, "A histogram of 2^24 ints, 256 bins", [
            ("global atomics", "histogram_2e24", "global"), ("in shared memory, 264 blocks", "histogram_2e24", "shared_264"),
            ("in shared memory, 1056 blocks", "histogram_2e24", "shared_1056")], "shared wavefronts"),
        "offsets": curve(kit, "A copy that starts 0 to 32 floats later", "offset_2e24", "offset", [*range(17), 20, 24, 28, 31, 32], "offset, floats"),
        "strides": curve(kit, "A copy of every 1st to 32nd float", "stride_2e26", "stride", [*range(1, 9), 10, 12, 16, 20, 24, 28, 32], "stride, floats"),
        "chunks": chunks(kit),
        "sizes": sizes(kit),
    }
