"""Charts as SVG files, for where there is no matplotlib.

    import charts
    charts.bar("charts/sales.svg", ["North", "South"], [12.5, 7], title="Sales", y="EUR")
    charts.line("charts/month.svg", months, {"2025": first, "2026": second}, title="By month")
    charts.scatter("charts/size.svg", xs, ys, x="weight", y="price")
    charts.histogram("charts/ages.svg", ages, bins=12)

Each returns the path. Values that are None or NaN are left out. Labels may be text, numbers or dates. With many
long labels, bars are horizontal and the file is as high as they need.
"""
import datetime
import html
import math
import os
import unicodedata

WIDTH, HEIGHT, RIGHT = 800, 480, 24
COLORS = ("#0b6b60", "#c2571a", "#3f5fa8", "#8a4f9e", "#7a7a1f", "#b03a5b", "#2b87a8", "#666666")
#: Widest label and smallest row of horizontal bars, in pixels.
LABEL, ROW = 130, 20
#: Most labels on an axis (beyond, only every nth is shown), and most rows of horizontal bars.
MOST_LABELS, MOST_ROWS = 24, 100
_COS, _SIN = math.cos(math.radians(35)), math.sin(math.radians(35))


def bar(path, labels, values, title="", x="", y=""):
    """A bar for each label; `values` is a list, or a dict of lists by name."""
    series = _series(values)
    _check(labels, series)
    texts = [_text_of(label) for label in labels]
    names = any(isinstance(label, str) for label in labels)
    is_horizontal = names and 12 < len(labels) <= MOST_ROWS and max(map(_wide, texts)) > 24
    return (_horizontal if is_horizontal else _vertical)(path, texts, series, about=(title, x, y))


def _vertical(path, texts, series, about):
    """Vertical bars, side by side."""
    title, x, y = about
    low, high, ticks = _scale([0] + _all(series))
    page = _Page(title, x, y, series=series, ticks=_marks(ticks), labels=texts)
    at = page.upward(low, high)
    slot = (page.right - page.left) / len(texts)
    wide = slot * 0.76 / len(series)
    for number, (name, column) in enumerate(series.items()):
        for place, value in enumerate(column):
            if value is not None:
                top, bottom = sorted((at(value), at(0)))
                left = page.left + slot * (place + 0.12) + wide * number
                page.add(_rect(left, top, wide, max(0.5, bottom - top), number=number, tooltip=_tooltip(texts[place], name, value)))
    page.below([page.left + slot * (place + 0.5) for place in range(len(texts))])
    return page.write(path, [at(tick) for tick in ticks], zero=at(0) if low < 0 else None)


def line(path, labels, values, title="", x="", y=""):
    """A line for each series over the labels, in their order; dates are spaced by the time between them."""
    series = _series(values)
    _check(labels, series)
    low, high, ticks = _scale(_all(series))
    page = _Page(title, x, y, series=series, ticks=_marks(ticks), labels=[_text_of(label) for label in labels])
    at = page.upward(low, high)
    first, span = _days(labels)
    room = page.right - page.left
    if span:
        places = [page.left + room * (_day(label) - first) / span for label in labels]
    else:
        places = [page.left + room * place / max(1, len(labels) - 1) for place in range(len(labels))]
    for number, column in enumerate(series.values()):
        piece = []
        for place, value in list(enumerate(column)) + [(0, None)]:
            if value is not None:
                piece.append("%.1f,%.1f" % (places[place], at(value)))
            elif piece:
                # A gap in the data is a gap in the line; a point alone is a dot.
                dashes = ' stroke-dasharray="6 4" stroke-opacity="0.7"' if number >= len(COLORS) else ""
                page.add('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"%s/>' % (" ".join(piece), _color(number), dashes))
                if len(piece) == 1:
                    page.add(_dot(*piece[0].split(","), color=_color(number)))
                piece = []
    page.below(places)
    return page.write(path, [at(tick) for tick in ticks], zero=at(0) if low < 0 < high else None)


def scatter(path, xs, ys, title="", x="", y=""):
    """A dot for each pair of numbers."""
    if len(xs) != len(ys):
        raise ValueError("scatter needs as many xs as ys, and at least one pair")
    pairs = [pair for pair in zip(map(_number, xs), map(_number, ys)) if None not in pair]
    if not pairs:
        raise ValueError("scatter needs as many xs as ys, and at least one pair")
    low, high, ticks = _scale([other for _, other in pairs])
    first, last, marks = _scale([one for one, _ in pairs])
    page = _Page(title, x, y, series={}, ticks=_marks(ticks), labels=_marks(marks))
    at = page.upward(low, high)
    over = _along(first, last, page.left, page.right)
    for one, other in pairs:
        page.add(_dot("%.1f" % over(one), "%.1f" % at(other), color=COLORS[0]))
    page.below([over(mark) for mark in marks])
    return page.write(path, [at(tick) for tick in ticks])


def histogram(path, values, bins=20, title="", x="", y="count"):
    """How many values fall into each of equally wide ranges, labelled with where they begin."""
    numbers = [one for one in map(_number, values) if one is not None]
    if not numbers or bins < 1:
        raise ValueError("histogram needs values and at least one bin")
    low, high = min(numbers), max(numbers)
    width = (high - low) / bins or 1
    counts = [0] * bins
    for value in numbers:
        counts[min(bins - 1, int((value - low) / width))] += 1
    labels = _marks([low + width * place for place in range(bins)])
    return _vertical(path, labels, {"": counts}, about=(title, x, y))


def _horizontal(path, texts, series, about):
    """Horizontal bars, a row or more for each label."""
    title, x, y = about
    low, high, ticks = _scale([0] + _all(series))
    rows = max(ROW, 9 * len(series) + 6)
    page = _Page(title, y, x, series=series, ticks=texts, labels=_marks(ticks), height=rows * len(texts))
    over = _along(low, high, page.left, page.right)
    thick = rows * 0.76 / len(series)
    for number, (name, column) in enumerate(series.items()):
        for place, value in enumerate(column):
            if value is not None:
                left, right = sorted((over(0), over(value)))
                top = page.top + rows * (place + 0.12) + thick * number
                page.add(_rect(left, top, max(0.5, right - left), thick, number=number, tooltip=_tooltip(texts[place], name, value)))
    page.below([over(tick) for tick in ticks], lines=True)
    return page.write(path, [page.top + rows * (place + 0.5) for place in range(len(texts))], lines=False)


class _Page:
    """A chart: the layout of its title, legend and labels, and its shapes."""

    def __init__(self, title, x, y, series, ticks, labels, height=None):
        self.title, self.x, self.y, self.parts = _cut(title, WIDTH - 40, 10), x, y, []
        self.ticks, self.labels = [_cut_middle(one) for one in ticks], labels
        self.left = 16 + (18 if y else 0) + max(map(_wide, self.ticks))
        every = max(1, math.ceil(len(labels) / MOST_LABELS))
        self.shown = [(place, _cut_middle(label)) for place, label in enumerate(labels) if place % every == 0]
        widest = max(_wide(label) for _, label in self.shown)
        self.right = WIDTH - max(RIGHT, min(60, _wide(self.shown[-1][1]) / 2 + 4))
        self.turned = widest + 8 > (self.right - self.left) / len(self.shown)
        if self.turned:
            # The first turned label extends to the left of its tick.
            self.left = max(self.left, _wide(self.shown[0][1]) * _COS + 8)
        self.named = [str(name) for name in series if name != ""]
        self.keys, line_end = [], WIDTH
        for name in self.named:
            name = _cut(name, 160)
            if line_end + _wide(name) + 34 > self.right:
                line_end, row = self.left, (self.keys[-1][2] + 1 if self.keys else 0)
            self.keys.append((name, line_end, row))
            line_end += _wide(name) + 34
        self.top = 48 + (18 * (self.keys[-1][2] + 1) if self.keys else 0)
        below = (18 + widest * _SIN if self.turned else 22) + (24 if x else 6)
        self.height = HEIGHT if height is None else height + self.top + below
        self.bottom = self.height - below

    def upward(self, low, high):
        return _along(low, high, self.bottom, self.top)

    def add(self, shape):
        self.parts.append(shape)

    def below(self, places, lines=False):
        free = -WIDTH
        for place, label in self.shown:
            at, under = places[place], self.bottom + 18
            reach = 11 if self.turned else _wide(label) / 2 + 3
            # Dates that are close together have no room for a label each.
            if at - reach < free:
                continue
            free = at + reach
            if lines:
                self.parts.insert(0, '<path d="M%.1f %.1fV%.1f" stroke="#ddd"/>' % (at, self.top, self.bottom))
            if self.turned:
                self.add('<text transform="translate(%.1f %.1f) rotate(-35)" text-anchor="end">%s</text>' % (at + 4, under - 2, _text(label)))
            else:
                self.add('<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>' % (at, under, _text(label)))

    def write(self, path, places, zero=None, lines=True):
        grid = ['<text x="20" y="30" font-size="18">%s</text>' % _text(self.title)]
        for place, tick in zip(places, self.ticks):
            if lines:
                grid.append('<path d="M%.1f %.1fH%.1f" stroke="#ddd"/>' % (self.left, place, self.right))
            grid.append('<text x="%.1f" y="%.1f" text-anchor="end">%s</text>' % (self.left - 8, place + 4, _text(tick)))
        if zero is not None:
            self.add('<path d="M%.1f %.1fH%.1f" stroke="#666"/>' % (self.left, zero, self.right))
        for number, (name, left, row) in enumerate(self.keys):
            grid.append('<rect x="%.1f" y="%d" width="10" height="10" fill="%s"%s/>' % (left, 42 + 18 * row, _color(number), _faint(number)))
            grid.append('<text x="%.1f" y="%d">%s</text>' % (left + 15, 52 + 18 * row, _text(name)))
        middle = (self.left + self.right) / 2
        grid.append('<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>' % (middle, self.height - 8, _text(_cut(self.x, 600))))
        over = _text(_cut(self.y, self.bottom - self.top))
        grid.append('<text transform="translate(16 %.1f) rotate(-90)" text-anchor="middle">%s</text>' % ((self.top + self.bottom) / 2, over))
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        size = (WIDTH, math.ceil(self.height))
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="12" fill="#222">\n' % (size * 2)
                + '<rect width="%d" height="%d" fill="#fff"/>\n%s\n</svg>\n' % (size + ("\n".join(grid + self.parts),))
            )
        return path


def _series(values):
    named = values.items() if isinstance(values, dict) else [("", values)]
    return {name: [_number(value) for value in column] for name, column in named}


def _number(value):
    """The number to draw; None for a gap."""
    if value is None or isinstance(value, str):
        if value:
            raise ValueError("%r is not a number" % value)
        return None
    value = float(value)
    if math.isinf(value):
        raise ValueError("values must be finite numbers")
    return None if math.isnan(value) else value


def _check(labels, series):
    for name, column in series.items():
        if len(column) != len(labels):
            raise ValueError("%d labels, but %d values %s" % (len(labels), len(column), name))
    if not len(labels) or not _all(series):
        raise ValueError("there are no values to draw")


def _all(series):
    return [value for column in series.values() for value in column if value is not None]


def _scale(values):
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


def _along(low, high, start, end):
    return lambda value: start + (value - low) / (high - low) * (end - start)


def _day(label):
    return label.timestamp() if isinstance(label, datetime.datetime) else label.toordinal() * 86_400.0


def _days(labels):
    """(first, span in seconds) of labels that are dates in order; no span for others."""
    kinds = {type(label) for label in labels}
    if len(labels) < 2 or kinds not in ({datetime.date}, {datetime.datetime}):
        return 0, 0
    found = [_day(label) for label in labels]
    return found[0], found[-1] - found[0] if found == sorted(found) else 0


def _color(number):
    return COLORS[number % len(COLORS)]


def _faint(number):
    """Sets the second use of a colour apart from the first."""
    return ' fill-opacity="0.45"' if number >= len(COLORS) else ""


def _dot(left, top, color):
    return '<circle cx="%s" cy="%s" r="3" fill="%s" fill-opacity="0.7"/>' % (left, top, color)


def _rect(left, top, width, height, number, tooltip):
    return '<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"%s><title>%s</title></rect>' % (
        left, top, width, height, _color(number), _faint(number), _text(tooltip),
    )


def _tooltip(label, name, value):
    return "%s: %s" % (", ".join(part for part in (label, str(name)) if part), _plain(value))


def _plain(value):
    return "{:,.10g}".format(value) if abs(value) < 1e15 else "%g" % value


_LARGE = ((1e12, " tn"), (1e9, " bn"), (1e6, " M"))


def _marks(values):
    """Tick labels: all in one unit, with just enough digits to differ from their neighbours."""
    most = max(abs(value) for value in values)
    size, unit = next((pair for pair in _LARGE if most >= pair[0] * 10), (1, ""))
    scaled = [value / size for value in values]
    step = min((abs(one - other) for one, other in zip(scaled, scaled[1:]) if one != other), default=abs(scaled[0]) or 1)
    if not 1e-9 < step < 1e15:
        return ["%.4g" % value for value in values]
    digits = next(count for count in range(12) if count == 11 or abs(round(step, count) - step) < step * 0.05)
    return ["{:,.{}f}{}".format(value + 0.0, digits, unit if value else "") for value in (round(one, digits) for one in scaled)]


def _text_of(label):
    if isinstance(label, datetime.datetime):
        return label.isoformat(" ", "minutes")
    if isinstance(label, bool) or not isinstance(label, (int, float)):
        return "" if label is None else " ".join(str(label).split())
    return "%d" % label if float(label).is_integer() else _plain(label)


def _wide(text):
    """About how wide a text is, in pixels, at font size 12."""
    return sum(12.2 if unicodedata.east_asian_width(char) in "WF" else 8.6 if char in "MWmw@%" else 6.9 for char in text)


def _cut(text, pixels, per=None):
    text = str(text)
    scale = (per or 6.9) / 6.9
    if _wide(text) * scale <= pixels:
        return text
    while text and (_wide(text) + 7) * scale > pixels:
        text = text[:-1]
    return text.rstrip() + "\u2026"


def _cut_middle(text):
    """Shortens a label in its middle: names that begin alike mostly differ at the end."""
    if _wide(text) <= LABEL:
        return text
    head, tail = _cut(text, LABEL * 0.6), text
    while _wide(tail) > LABEL * 0.4:
        tail = tail[1:]
    return head + tail.lstrip()


def _text(text):
    # Characters that XML cannot hold are left out.
    kept = "".join(char for char in str(text) if (char >= " " or char == "\t") and not "\ud800" <= char <= "\udfff" and char not in "\ufffe\uffff")
    return html.escape(kept)
