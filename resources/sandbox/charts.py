"""Charts as SVG files, for where there is no matplotlib.

    import charts
    charts.bar("charts/sales.svg", ["North", "South"], [12.5, 7], title="Sales", y="EUR")
    charts.line("charts/month.svg", months, {"2025": first, "2026": second}, title="By month")
    charts.scatter("charts/size.svg", xs, ys, x="weight", y="price")
    charts.histogram("charts/ages.svg", ages, bins=12)

Each gives the path. Values that are None are left out. Labels may be text, numbers or dates.
"""
import html
import math
import os

WIDTH, HEIGHT = 800, 480
LEFT, RIGHT, TOP, BOTTOM = 84, 24, 56, 76
COLORS = ("#0b6b60", "#c2571a", "#3f5fa8", "#8a4f9e", "#7a7a1f", "#b03a5b", "#2b87a8", "#666666")


def bar(path, labels, values, title="", x="", y=""):
    """A bar for each label; `values` is a list, or a dict of lists by name."""
    series = _series(values)
    _check(labels, series)
    low, high, ticks = _scale([0] + _all(series))
    at = _along(low, high)
    slot = (WIDTH - LEFT - RIGHT) / max(1, len(labels))
    wide = slot * 0.76 / len(series)
    shapes = []
    for number, (name, column) in enumerate(series.items()):
        for place, value in enumerate(column):
            if value is not None:
                left = LEFT + slot * (place + 0.12) + wide * number
                top, bottom = sorted((at(value), at(0)))
                shapes.append(
                    '<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"><title>%s</title></rect>'
                    % (left, top, wide, max(0.5, bottom - top), _color(number), _text("%s: %s" % (labels[place], _label(value))))
                )
    centers = [LEFT + slot * (place + 0.5) for place in range(len(labels))]
    return _write(path, shapes, title=title, x=x, y=y, series=series, grid=(at, ticks), labels=(labels, centers))


def line(path, labels, values, title="", x="", y=""):
    """A line for each series over the labels, in their order."""
    series = _series(values)
    _check(labels, series)
    low, high, ticks = _scale(_all(series))
    at = _along(low, high)
    step = (WIDTH - LEFT - RIGHT) / max(1, len(labels) - 1)
    places = [LEFT + step * place for place in range(len(labels))]
    shapes = []
    for number, column in enumerate(series.values()):
        piece = []
        for place, value in list(enumerate(column)) + [(0, None)]:
            if value is not None:
                piece.append("%.1f,%.1f" % (places[place], at(value)))
            elif piece:
                # A gap in the data is a gap in the line; a point alone is a dot.
                shapes.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (" ".join(piece), _color(number)))
                if len(piece) == 1:
                    shapes.append(_dot(*piece[0].split(","), color=_color(number)))
                piece = []
    return _write(path, shapes, title=title, x=x, y=y, series=series, grid=(at, ticks), labels=(labels, places))


def scatter(path, xs, ys, title="", x="", y=""):
    """A dot for each pair of numbers."""
    pairs = [(one, other) for one, other in zip(xs, ys) if one is not None and other is not None]
    if len(xs) != len(ys) or not pairs:
        raise ValueError("scatter needs as many xs as ys, and at least one pair")
    low, high, ticks = _scale([other for _, other in pairs])
    first, last, marks = _scale([one for one, _ in pairs])
    at, over = _along(low, high), _along(first, last, LEFT, WIDTH - RIGHT)
    shapes = [_dot("%.1f" % over(one), "%.1f" % at(other), color=COLORS[0]) for one, other in pairs]
    labels = ([_label(mark) for mark in marks], [over(mark) for mark in marks])
    return _write(path, shapes, title=title, x=x, y=y, series={}, grid=(at, ticks), labels=labels)


def histogram(path, values, bins=20, title="", x="", y="count"):
    """How many values fall into each of equally wide ranges."""
    numbers = [value for value in values if value is not None]
    if not numbers or bins < 1:
        raise ValueError("histogram needs values and at least one bin")
    low, high = min(numbers), max(numbers)
    width = (high - low) / bins or 1
    counts = [0] * bins
    for value in numbers:
        counts[min(bins - 1, int((value - low) / width))] += 1
    labels = ["%.4g\u2013%.4g" % (low + width * place, low + width * (place + 1)) for place in range(bins)]
    return bar(path, labels, counts, title=title, x=x, y=y)


def _series(values):
    return dict(values) if isinstance(values, dict) else {"": list(values)}


def _check(labels, series):
    for name, column in series.items():
        if len(column) != len(labels):
            raise ValueError("%d labels, but %d values %s" % (len(labels), len(column), name))
    if not labels or not _all(series):
        raise ValueError("there are no values to draw")


def _all(series):
    return [value for column in series.values() for value in column if value is not None]


def _scale(values):
    """Round ends around the values, and the marks between."""
    low, high = min(values), max(values)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ValueError("values must be finite numbers")
    if low == high:
        low, high = low - 1, high + 1
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * one for one in (1, 2, 2.5, 5, 10) if power * one >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    return first * step, last * step, [place * step for place in range(first, last + 1)]


def _along(low, high, start=HEIGHT - BOTTOM, end=TOP):
    return lambda value: start + (value - low) / (high - low) * (end - start)


def _color(number):
    return COLORS[number % len(COLORS)]


def _dot(left, top, color):
    return '<circle cx="%s" cy="%s" r="3" fill="%s" fill-opacity="0.7"/>' % (left, top, color)


def _label(value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return "{:,.6g}".format(value) if abs(value) < 1e6 else "{:,.0f}".format(value)


def _text(text):
    # What XML cannot hold is left out.
    return html.escape("".join(char for char in str(text) if char >= " " or char == "\t"))


def _write(path, shapes, title, x, y, series, grid, labels):
    at, ticks = grid
    parts = ['<text x="%d" y="30" font-size="18">%s</text>' % (LEFT, _text(title))]
    for tick in ticks:
        parts.append('<path d="M%d %.1fH%d" stroke="#ddd"/>' % (LEFT, at(tick), WIDTH - RIGHT))
        parts.append('<text x="%d" y="%.1f" text-anchor="end">%s</text>' % (LEFT - 8, at(tick) + 4, _text(_label(tick))))
    parts += shapes + _labels(*labels)
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append('<text x="%.1f" y="%d" text-anchor="middle">%s</text>' % (middle, HEIGHT - 8, _text(x)))
    parts.append('<text transform="translate(18 %.1f) rotate(-90)" text-anchor="middle">%s</text>' % ((TOP + HEIGHT - BOTTOM) / 2, _text(y)))
    named = [name for name in series if name != ""]
    for number, name in enumerate(named):
        left = LEFT + number * 130
        parts.append('<rect x="%d" y="38" width="10" height="10" fill="%s"/>' % (left, _color(number)))
        parts.append('<text x="%d" y="48">%s</text>' % (left + 15, _text(str(name)[:16])))
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="12" fill="#222">\n'
            '<rect width="%d" height="%d" fill="#fff"/>\n%s\n</svg>\n' % (WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT, "\n".join(parts))
        )
    return path


def _labels(texts, places):
    every = max(1, math.ceil(len(texts) / 24))
    shown = [(str(text), place) for number, (text, place) in enumerate(zip(texts, places)) if number % every == 0]
    turned = len(shown) > 8 or any(len(text) > 12 for text, _ in shown)
    top = HEIGHT - BOTTOM + 16
    if not turned:
        return ['<text x="%.1f" y="%d" text-anchor="middle">%s</text>' % (place, top, _text(text)) for text, place in shown]
    return [
        '<text transform="translate(%.1f %d) rotate(-35)" text-anchor="end">%s</text>' % (place, top, _text(text[:20]))
        for text, place in shown
    ]
