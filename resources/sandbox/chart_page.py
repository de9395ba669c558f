"""What charts have in common: the layout of a page, scales, labels, colours. Drawn for light and for dark windows."""
import datetime
import html
import math
import os
import unicodedata

WIDTH, HEIGHT, RIGHT = 800, 480, 24
COLORS = ("#0b6b60", "#c2571a", "#3f5fa8", "#8a4f9e", "#7a7a1f", "#b03a5b", "#2b87a8", "#666666")
_DARK_COLORS = ("#4cc2b0", "#f0935a", "#8ea8ee", "#cb95dd", "#c5c45c", "#ec85a3", "#6cc4e2", "#a9adb3")
PAPER, INK, GRID, ZERO = "#fff", "#222", "#ddd", "#666"
#: Where the window is dark; programs that do not know the rule draw the light picture.
_STYLE = "<style>@media (prefers-color-scheme:dark){svg{fill:#ecebe6}.p{fill:#1b1b1a}.q{stroke:#1b1b1a}.n,.m{fill:#131312}.g{stroke:#3d3d3a}.z{stroke:#a3a29d}%s}</style>" % "".join(
    ".c%d{fill:%s}.s%d{stroke:%s}" % (number, color, number, color) for number, color in enumerate(_DARK_COLORS)
)
#: Widest label, in pixels.
LABEL = 130
#: Most labels on an axis; beyond, only every nth is shown.
MOST_LABELS = 24
_COS, _SIN = math.cos(math.radians(35)), math.sin(math.radians(35))


class Page:
    """A chart: the layout of its title, legend and labels, and its shapes."""

    def __init__(self, title, x, y, series, ticks, labels, height=None, above=0):
        self.title, self.x, self.y, self.parts = cut(title, WIDTH - 40, 10), x, y, []
        self.ticks, self.labels = [cut_middle(one) for one in ticks], labels
        self.left = 16 + (18 if y else 0) + max(map(width_of, self.ticks))
        every = max(1, math.ceil(len(labels) / MOST_LABELS))
        self.shown = [(place, cut_middle(label)) for place, label in enumerate(labels) if place % every == 0]
        widest = max(width_of(label) for _, label in self.shown)
        self.right = WIDTH - max(RIGHT, min(60, width_of(self.shown[-1][1]) / 2 + 4))
        self.turned = widest + 8 > (self.right - self.left) / len(self.shown)
        if self.turned:
            # The first turned label extends to the left of its tick.
            self.left = max(self.left, width_of(self.shown[0][1]) * _COS + 8)
        self.named = [str(name) for name in series if name != ""]
        self.keys, line_end = [], WIDTH
        for name in self.named:
            name = cut(name, 160)
            if line_end + width_of(name) + 34 > self.right:
                line_end, row = self.left, (self.keys[-1][2] + 1 if self.keys else 0)
            self.keys.append((name, line_end, row))
            line_end += width_of(name) + 34
        self.top = 48 + above + (18 * (self.keys[-1][2] + 1) if self.keys else 0)
        below = (18 + widest * _SIN if self.turned else 22) + (24 if x else 6)
        self.height = HEIGHT if height is None else height + self.top + below
        self.bottom = self.height - below

    def upward(self, low, high):
        return along(low, high, self.bottom, self.top)

    def add(self, shape):
        self.parts.append(shape)

    def below(self, places, lines=False):
        free = -WIDTH
        for place, label in self.shown:
            at, under = places[place], self.bottom + 18
            reach = 11 if self.turned else width_of(label) / 2 + 3
            # Dates that are close together have no room for a label each.
            if at - reach < free:
                continue
            free = at + reach
            if lines:
                self.parts.insert(0, '<path d="M%.1f %.1fV%.1f" class="g" stroke="%s"/>' % (at, self.top, self.bottom, GRID))
            if self.turned:
                self.add('<text transform="translate(%.1f %.1f) rotate(-35)" text-anchor="end">%s</text>' % (at + 4, under - 2, xml_text(label)))
            else:
                self.add('<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>' % (at, under, xml_text(label)))

    def write(self, path, places, zero=None, lines=True):
        grid = ['<text x="20" y="30" font-size="18">%s</text>' % xml_text(self.title)]
        for place, tick in zip(places, self.ticks):
            if lines:
                grid.append('<path d="M%.1f %.1fH%.1f" class="g" stroke="%s"/>' % (self.left, place, self.right, GRID))
            grid.append('<text x="%.1f" y="%.1f" text-anchor="end">%s</text>' % (self.left - 8, place + 4, xml_text(tick)))
        if zero is not None:
            self.add('<path d="M%.1f %.1fH%.1f" class="z" stroke="%s"/>' % (self.left, zero, self.right, ZERO))
        for number, (name, left, row) in enumerate(self.keys):
            grid.append('<rect x="%.1f" y="%d" width="10" height="10" %s%s/>' % (left, 42 + 18 * row, filled(number), _faint(number)))
            grid.append('<text x="%.1f" y="%d">%s</text>' % (left + 15, 52 + 18 * row, xml_text(name)))
        middle = (self.left + self.right) / 2
        grid.append('<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>' % (middle, self.height - 8, xml_text(cut(self.x, 600))))
        over = xml_text(cut(self.y, self.bottom - self.top))
        grid.append('<text transform="translate(16 %.1f) rotate(-90)" text-anchor="middle">%s</text>' % ((self.top + self.bottom) / 2, over))
        return write_svg(path, math.ceil(self.height), grid + self.parts)


def write_svg(path, height, shapes):
    """Writes shapes as a picture of this height; returns its path."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    size = (WIDTH, height)
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="12" fill="%s">\n%s\n' % (size * 2 + (INK, _STYLE))
            + '<rect width="%d" height="%d" class="p" fill="%s"/>\n%s\n</svg>\n' % (size + (PAPER, "\n".join(shapes)))
        )
    return path


def series_of(values):
    named = values.items() if isinstance(values, dict) else [("", values)]
    return {name: [number_of(value) for value in column] for name, column in named}


def number_of(value):
    """The number to draw; None for a gap."""
    if value is None or isinstance(value, str):
        if value:
            raise ValueError("%r is not a number" % value)
        return None
    value = float(value)
    if math.isinf(value):
        raise ValueError("values must be finite numbers")
    return None if math.isnan(value) else value


def check_lengths(labels, series):
    for name, column in series.items():
        if len(column) != len(labels):
            raise ValueError("%d labels, but %d values %s" % (len(labels), len(column), name))
    if not len(labels) or not all_values(series):
        raise ValueError("there are no values to draw")


def all_values(series):
    return [value for column in series.values() for value in column if value is not None]


def scale_of(values):
    """Round bounds around the values, and the ticks between them."""
    low, high = min(values), max(values)
    if high - low <= max(abs(low), abs(high)) * 1e-12:
        reach = abs(low) * 0.1 or 1
        low, high = low - reach, high + reach
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * one for one in (1, 2, 2.5, 5, 10) if power * one >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    return first * step, last * step, [place * step for place in range(first, last + 1)]


def along(low, high, start, end):
    return lambda value: start + (value - low) / (high - low) * (end - start)


def day_of(label):
    return label.timestamp() if isinstance(label, datetime.datetime) else label.toordinal() * 86_400.0


def days_of(labels):
    """(first, span in seconds) of labels that are dates in order; no span for others."""
    kinds = {type(label) for label in labels}
    if len(labels) < 2 or kinds not in ({datetime.date}, {datetime.datetime}):
        return 0, 0
    found = [day_of(label) for label in labels]
    return found[0], found[-1] - found[0] if found == sorted(found) else 0


def filled(number):
    """Attributes of a shape in the colour of a series."""
    number %= len(COLORS)
    return 'class="c%d" fill="%s"' % (number, COLORS[number])


def stroked(number):
    """Attributes of a line in the colour of a series."""
    number %= len(COLORS)
    return 'class="s%d" stroke="%s"' % (number, COLORS[number])


def _faint(number):
    """Sets the second use of a colour apart from the first."""
    return ' fill-opacity="0.45"' if number >= len(COLORS) else ""


def dot(left, top, number=0, tooltip=""):
    """A dot in the colour of a series."""
    words = "<title>%s</title>" % xml_text(tooltip) if tooltip else ""
    return '<circle cx="%s" cy="%s" r="3" %s fill-opacity="0.7">%s</circle>' % (left, top, filled(number), words)


def rect(left, top, width, height, number, tooltip):
    return '<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" %s%s><title>%s</title></rect>' % (
        left, top, width, height, filled(number), _faint(number), xml_text(tooltip),
    )


def tooltip_of(label, name, value):
    return "%s: %s" % (", ".join(part for part in (label, str(name)) if part), plain(value))


def plain(value):
    return "{:,.10g}".format(value) if abs(value) < 1e15 else "%g" % value


_LARGE = ((1e12, " tn"), (1e9, " bn"), (1e6, " M"))


def marks_of(values):
    """Tick labels: all in one unit, with just enough digits to differ from their neighbours."""
    most = max(abs(value) for value in values)
    size, unit = next((pair for pair in _LARGE if most >= pair[0] * 10), (1, ""))
    scaled = [value / size for value in values]
    step = min((abs(one - other) for one, other in zip(scaled, scaled[1:]) if one != other), default=abs(scaled[0]) or 1)
    if not 1e-9 < step < 1e15:
        return ["%.4g" % value for value in values]
    digits = next(count for count in range(12) if count == 11 or abs(round(step, count) - step) < step * 0.05)
    return ["{:,.{}f}{}".format(value + 0.0, digits, unit if value else "") for value in (round(one, digits) for one in scaled)]


def label_of(label):
    if isinstance(label, datetime.datetime):
        return label.isoformat(" ", "minutes")
    if isinstance(label, bool) or not isinstance(label, (int, float)):
        return "" if label is None else " ".join(str(label).split())
    return "%d" % label if float(label).is_integer() else plain(label)


def width_of(text):
    """About how wide a text is, in pixels, at font size 12."""
    return sum(12.2 if unicodedata.east_asian_width(char) in "WF" else 8.6 if char in "MWmw@%" else 6.9 for char in text)


def cut(text, pixels, per=None):
    text = str(text)
    scale = (per or 6.9) / 6.9
    if width_of(text) * scale <= pixels:
        return text
    while text and (width_of(text) + 7) * scale > pixels:
        text = text[:-1]
    return text.rstrip() + "\u2026"


def cut_middle(text):
    """Shortens a label in its middle: names that begin alike mostly differ at the end."""
    if width_of(text) <= LABEL:
        return text
    head, tail = cut(text, LABEL * 0.6), text
    while width_of(tail) > LABEL * 0.4:
        tail = tail[1:]
    return head + tail.lstrip()


def xml_text(text):
    # Characters that XML cannot hold are left out.
    kept = "".join(char for char in str(text) if (char >= " " or char == "\t") and not "\ud800" <= char <= "\udfff" and char not in "\ufffe\uffff")
    return html.escape(kept)
