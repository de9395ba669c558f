"""Charts as SVG files, for where there is no matplotlib.

    import charts
    charts.bar("charts/sales.svg", ["North", "South"], [12.5, 7], title="Sales", y="EUR")
    charts.line("charts/month.svg", months, {"2025": first, "2026": second}, title="By month")
    charts.scatter("charts/size.svg", xs, ys, x="weight", y="price")
    charts.histogram("charts/ages.svg", ages, bins=12)
    charts.pie("charts/shares.svg", ["North", "South"], [12.5, 7], title="Share of sales")
    charts.box("charts/prices.svg", {"North": prices, "South": others}, y="EUR")
    charts.heatmap("charts/visits.svg", days, hours, visits, x="day", y="hour")    # visits[hour][day]

Each returns the path. Values that are None or NaN are left out. Labels may be text, numbers or dates. With many
long labels, bars are horizontal and the file is as high as they need. In a dark window the charts are dark.
"""
import math

from chart_page import COLORS, Page, all_values, along, check_lengths, day_of, days_of, dot, label_of, marks_of, number_of, rect, scale_of, series_of, stroked, tooltip_of, width_of
from chart_shapes import box, heatmap, pie

__all__ = ["bar", "box", "heatmap", "histogram", "line", "pie", "scatter"]

#: Smallest row of horizontal bars, in pixels, and most rows of them.
ROW, MOST_ROWS = 20, 100


def bar(path, labels, values, title="", x="", y=""):
    """A bar for each label; `values` is a list, or a dict of lists by name."""
    series = series_of(values)
    check_lengths(labels, series)
    texts = [label_of(label) for label in labels]
    names = any(isinstance(label, str) for label in labels)
    is_horizontal = names and 12 < len(labels) <= MOST_ROWS and max(map(width_of, texts)) > 24
    return (_horizontal if is_horizontal else _vertical)(path, texts, series, about=(title, x, y))


def _vertical(path, texts, series, about):
    """Vertical bars, side by side."""
    title, x, y = about
    low, high, ticks = scale_of([0] + all_values(series))
    page = Page(title, x, y, series=series, ticks=marks_of(ticks), labels=texts)
    at = page.upward(low, high)
    slot = (page.right - page.left) / len(texts)
    wide = slot * 0.76 / len(series)
    for number, (name, column) in enumerate(series.items()):
        for place, value in enumerate(column):
            if value is not None:
                top, bottom = sorted((at(value), at(0)))
                left = page.left + slot * (place + 0.12) + wide * number
                page.add(rect(left, top, wide, max(0.5, bottom - top), number=number, tooltip=tooltip_of(texts[place], name, value)))
    page.below([page.left + slot * (place + 0.5) for place in range(len(texts))])
    return page.write(path, [at(tick) for tick in ticks], zero=at(0) if low < 0 else None)


def line(path, labels, values, title="", x="", y=""):
    """A line for each series over the labels, in their order; dates are spaced by the time between them."""
    series = series_of(values)
    check_lengths(labels, series)
    low, high, ticks = scale_of(all_values(series))
    page = Page(title, x, y, series=series, ticks=marks_of(ticks), labels=[label_of(label) for label in labels])
    at = page.upward(low, high)
    first, span = days_of(labels)
    room = page.right - page.left
    if span:
        places = [page.left + room * (day_of(label) - first) / span for label in labels]
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
                page.add('<polyline points="%s" fill="none" %s stroke-width="2"%s/>' % (" ".join(piece), stroked(number), dashes))
                if len(piece) == 1:
                    page.add(dot(*piece[0].split(","), number=number))
                piece = []
    page.below(places)
    return page.write(path, [at(tick) for tick in ticks], zero=at(0) if low < 0 < high else None)


def scatter(path, xs, ys, title="", x="", y=""):
    """A dot for each pair of numbers."""
    if len(xs) != len(ys):
        raise ValueError("scatter needs as many xs as ys, and at least one pair")
    pairs = [pair for pair in zip(map(number_of, xs), map(number_of, ys)) if None not in pair]
    if not pairs:
        raise ValueError("scatter needs as many xs as ys, and at least one pair")
    low, high, ticks = scale_of([other for _, other in pairs])
    first, last, marks = scale_of([one for one, _ in pairs])
    page = Page(title, x, y, series={}, ticks=marks_of(ticks), labels=marks_of(marks))
    at = page.upward(low, high)
    over = along(first, last, page.left, page.right)
    for one, other in pairs:
        page.add(dot("%.1f" % over(one), "%.1f" % at(other)))
    page.below([over(mark) for mark in marks])
    return page.write(path, [at(tick) for tick in ticks])


def histogram(path, values, bins=20, title="", x="", y="count"):
    """How many values fall into each of equally wide ranges, labelled with where they begin."""
    numbers = [one for one in map(number_of, values) if one is not None]
    if not numbers or bins < 1:
        raise ValueError("histogram needs values and at least one bin")
    low, high = min(numbers), max(numbers)
    width = (high - low) / bins or 1
    counts = [0] * bins
    for value in numbers:
        counts[min(bins - 1, int((value - low) / width))] += 1
    labels = marks_of([low + width * place for place in range(bins)])
    return _vertical(path, labels, {"": counts}, about=(title, x, y))


def _horizontal(path, texts, series, about):
    """Horizontal bars, a row or more for each label."""
    title, x, y = about
    low, high, ticks = scale_of([0] + all_values(series))
    rows = max(ROW, 9 * len(series) + 6)
    page = Page(title, y, x, series=series, ticks=texts, labels=marks_of(ticks), height=rows * len(texts))
    over = along(low, high, page.left, page.right)
    thick = rows * 0.76 / len(series)
    for number, (name, column) in enumerate(series.items()):
        for place, value in enumerate(column):
            if value is not None:
                left, right = sorted((over(0), over(value)))
                top = page.top + rows * (place + 0.12) + thick * number
                page.add(rect(left, top, max(0.5, right - left), thick, number=number, tooltip=tooltip_of(texts[place], name, value)))
    page.below([over(tick) for tick in ticks], lines=True)
    return page.write(path, [page.top + rows * (place + 0.5) for place in range(len(texts))], lines=False)
