"""Draws figures as SVG inside a page. The colours come from style.css, for light and dark."""

from html import escape

WIDTHS = (760, 350)


class Svg:
    """Units are CSS pixels at full width; y grows downwards."""

    def __init__(self, width: int, height: int):
        self.width, self.height = width, height
        self.parts: list[str] = []

    def rect(self, x, y, w, h, cls="box", radius=2):
        self.parts.append(f'<rect class="{cls}" x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" rx="{radius}"/>')

    def line(self, x1, y1, x2, y2, cls="thin"):
        self.parts.append(f'<line class="{cls}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')

    def arrow(self, x1, y1, x2, y2, cls="thin"):
        self.line(x1, y1, x2, y2, cls)
        length = max(1e-9, ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        points = [(x2, y2), (x2 - 7 * ux - 4 * uy, y2 - 7 * uy + 4 * ux), (x2 - 7 * ux + 4 * uy, y2 - 7 * uy - 4 * ux)]
        self.parts.append('<polygon class="tip" points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + '"/>')

    def path(self, points, cls):
        self.parts.append(f'<polyline class="{cls}" points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + '"/>')

    def circle(self, x, y, radius, cls):
        self.parts.append(f'<circle class="{cls}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}"/>')

    def text(self, x, y, words, anchor="middle", cls=""):
        self.parts.append(f'<text class="{cls}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(str(words))}</text>')

    @property
    def narrow(self) -> bool:
        return self.width < WIDTHS[0]

    def markup(self, title: str) -> str:
        kind = "lk-narrow" if self.narrow else "lk-wide"
        return (f'<svg class="{kind}" viewBox="0 0 {self.width} {self.height}" role="img" aria-label="{escape(title, quote=True)}">'
                + "".join(self.parts) + "</svg>")


def figure(title: str, caption: str, draw) -> str:
    """The figure as HTML, drawn by `draw(width)` for wide screens and for phones; style.css shows one of the two.
    Screen readers read `title`; `caption` may contain HTML."""
    return (f'<figure class="lk-figure">{"".join(draw(width).markup(title) for width in WIDTHS)}'
            f"<figcaption>{caption}</figcaption></figure>\n")


class Axes:
    """The frame of a plot: maps data to the drawing and draws the ticks."""

    def __init__(self, svg: Svg, box, x, y, x_label, y_label, log_x=False, log_y=False):
        self.svg, (self.left, self.top, self.right, self.bottom) = svg, box
        self.x_range, self.y_range, self.log_x, self.log_y = x, y, log_x, log_y
        half = x_label.rfind(" ", 0, len(x_label) // 2 + 4) if svg.narrow and len(x_label) > 45 else len(x_label)
        svg.text((self.left + self.right) / 2, self.bottom + 34, x_label[:half])
        svg.text((self.left + self.right) / 2, self.bottom + 50, x_label[half:])
        svg.text(self.left - 44, self.top - 12, y_label, "start")

    @staticmethod
    def _part(value, low, high, log):
        from math import log10

        return (log10(value / low) / log10(high / low)) if log else (value - low) / (high - low)

    def at(self, x, y):
        return (
            self.left + self._part(x, *self.x_range, self.log_x) * (self.right - self.left),
            self.bottom - self._part(y, *self.y_range, self.log_y) * (self.bottom - self.top),
        )

    def ticks(self, xs, ys, x_words=str, y_words=str):
        for y in ys:
            _, at = self.at(self.x_range[0], y)
            self.svg.line(self.left, at, self.right, at, "grid")
            self.svg.text(self.left - 6, at + 4, y_words(y), "end", "small")
        for x in xs:
            at, _ = self.at(x, self.y_range[0])
            self.svg.text(at, self.bottom + 16, x_words(x), "middle", "small")
        self.svg.line(self.left, self.bottom, self.right, self.bottom, "axis")

    def measured(self, points):
        places = [self.at(*p) for p in points]
        self.svg.path(places, "measured-line")
        for x, y in places:
            self.svg.circle(x, y, 3.2, "measured")

    def predicted(self, points):
        places = [self.at(*p) for p in points]
        self.svg.path(places, "predicted-line")
        for x, y in places:
            self.svg.rect(x - 3, y - 3, 6, 6, "predicted", 0)


def legend(svg: Svg, x, y, has_predicted=True):
    """Measured points are filled circles and predicted ones hollow squares, so that colour is not the only difference."""
    x = min(x, svg.width - 325)
    svg.circle(x, y, 3.2, "measured")
    svg.text(x + 9, y + 4, "measured on an H200", "start", "small")
    if has_predicted:
        svg.rect(x + 147, y - 3, 6, 6, "predicted", 0)
        svg.text(x + 160, y + 4, "predicted by the simulator", "start", "small")
