"""Charts that are not drawn along two axes of numbers: pie, box, heatmap."""
import math

from chart_page import (
    HEIGHT, PAPER, WIDTH, Page, cut, dot, filled, label_of, marks_of, number_of, plain, scale_of, series_of,
    stroked, width_of, write_svg, xml_text,
)

#: Most slices of a pie; the smallest beyond become one.
MOST_SLICES = 8
#: Most rows and columns of a heatmap, and its smallest row in pixels.
MOST_CELLS, ROW = 100, 20
#: Most dots of outliers of a box.
MOST_DOTS = 300


def pie(path, labels, values, title=""):
    """A slice for each label, with its share; over 8, the smallest are one slice of others. No value is negative."""
    if len(labels) != len(values):
        raise ValueError("%d labels, but %d values" % (len(labels), len(values)))
    parts = [(label_of(label), number) for label, number in zip(labels, map(number_of, values)) if number]
    if not parts or any(number < 0 for _, number in parts):
        raise ValueError("pie needs values above zero, and none below: use bar")
    whole = math.fsum(number for _, number in parts)
    if len(parts) > MOST_SLICES:
        kept = sorted(parts, key=lambda part: -part[1])[: MOST_SLICES - 1]
        others = [part for part in parts if part not in kept]
        parts = kept + [("%d others" % len(others), math.fsum(number for _, number in others))]
    reach, middle, top = 180, 220, 60 + 180
    shapes = ['<text x="20" y="30" font-size="18">%s</text>' % xml_text(cut(title, WIDTH - 40, 10))]
    turned = 0.0
    for number, (label, value) in enumerate(parts):
        share = value / whole
        begin, end = (2 * math.pi * (one - 0.25) for one in (turned, turned + share))
        turned += share
        words = "%s: %s (%s)" % (label, plain(value), _percent(share))
        attributes = '%s stroke-width="1.5" stroke="%s"' % (filled(number).replace('class="', 'class="q '), PAPER)
        if share > 0.9999:
            shapes.append('<circle cx="%d" cy="%d" r="%d" %s><title>%s</title></circle>' % (middle, top, reach, attributes, xml_text(words)))
        else:
            corners = (middle, top, *_at(middle, top, reach, begin), reach, reach, share > 0.5, *_at(middle, top, reach, end))
            arc = "M%d %dL%.2f %.2fA%d %d 0 %d 1 %.2f %.2fZ" % corners
            shapes.append('<path d="%s" %s><title>%s</title></path>' % (arc, attributes, xml_text(words)))
        if share >= 0.05:
            left, down = _at(middle, top, 0.7 * reach, (begin + end) / 2)
            shapes.append('<text x="%.1f" y="%.1f" text-anchor="middle" class="n" fill="#fff">%s</text>' % (left, down + 4, _percent(share)))
    down = top - 13 * len(parts) + 13
    for number, (label, value) in enumerate(parts):
        row = down + 26 * number
        shapes.append('<rect x="450" y="%.1f" width="12" height="12" %s/>' % (row - 10, filled(number)))
        figures = "%s, %s" % (plain(value), _percent(value / whole))
        shapes.append('<text x="470" y="%.1f">%s</text>' % (row, xml_text(cut(label, max(160, 296 - width_of(figures))))))
        shapes.append('<text x="780" y="%.1f" text-anchor="end">%s</text>' % (row, xml_text(cut(figures, 140))))
    return write_svg(path, HEIGHT, shapes)


def _at(left, top, reach, angle):
    return left + reach * math.cos(angle), top + reach * math.sin(angle)


def _percent(share):
    """Small shares have a digit more, so that none is 0%."""
    number = 100 * share
    return "<0.1%" if number < 0.05 else "%.1f%%" % number


def box(path, values, title="", x="", y=""):
    """A box for each list of values by name: quartiles, median, whiskers to the last value within 1.5 times the box, and
    a dot for each beyond."""
    series = {name: sorted(one for one in column if one is not None) for name, column in series_of(values).items()}
    series = {name: column for name, column in series.items() if column}
    if not series:
        raise ValueError("box needs values")
    low, high, ticks = scale_of([end for column in series.values() for end in (column[0], column[-1])])
    page = Page(title, x, y, series={}, ticks=marks_of(ticks), labels=[label_of(name) for name in series])
    at = page.upward(low, high)
    slot = (page.right - page.left) / len(series)
    half = min(50, slot * 0.3)
    for number, (name, column) in enumerate(series.items()):
        middle = page.left + slot * (number + 0.5)
        first, median, third = (_quantile(column, part) for part in (0.25, 0.5, 0.75))
        fence = 1.5 * (third - first)
        inside = [value for value in column if first - fence <= value <= third + fence]
        ends = min(inside[0], first), max(inside[-1], third)
        facts = (label_of(name), len(column), *map(plain, (column[0], first, median, third, column[-1])))
        words = "%s (%d values): minimum %s, quartile %s, median %s, quartile %s, maximum %s" % facts
        color = number if len(series) <= MOST_SLICES else 0
        for start, stop in ((first, ends[0]), (third, ends[1])):
            page.add('<path d="M%.1f %.1fV%.1fM%.1f %.1fH%.1f" %s stroke-width="1.5" fill="none"/>' % (middle, at(start), at(stop), middle - half / 2, at(stop), middle + half / 2, stroked(color)))
        shape = (middle - half, at(third), 2 * half, max(1, at(first) - at(third)))
        both = 'class="c%d s%d" fill="%s" stroke="%s"' % ((color % MOST_SLICES,) * 2 + (stroked(color).split('"')[3],) * 2)
        page.add('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" %s fill-opacity="0.25" stroke-width="1.5"><title>%s</title></rect>' % (*shape, both, xml_text(words)))
        page.add('<path d="M%.1f %.1fH%.1f" %s stroke-width="3"/>' % (middle - half, at(median), middle + half, stroked(color)))
        places = {}
        for value in column:
            if not ends[0] <= value <= ends[1]:
                places.setdefault(round(at(value)), value)
        for value in list(places.values())[:MOST_DOTS]:
            page.add(dot("%.1f" % middle, "%.1f" % at(value), color, "%s: %s" % (label_of(name), plain(value))))
    page.below([page.left + slot * (number + 0.5) for number in range(len(series))])
    return page.write(path, [at(tick) for tick in ticks])


def _quantile(column, part):
    """Of sorted values, between two of them where it falls there (as numpy and Excel do)."""
    place = part * (len(column) - 1)
    low = math.floor(place)
    high = min(low + 1, len(column) - 1)
    return column[low] + (column[high] - column[low]) * (place - low)


def heatmap(path, xs, ys, values, title="", x="", y=""):
    """A cell for each pair: `values` has a list for each of `ys`, with a value for each of `xs`. The stronger the colour,
    the larger the value; values below zero have another one, gaps none."""
    cells = [[number_of(value) for value in row] for row in values]
    if len(cells) != len(ys) or any(len(row) != len(xs) for row in cells):
        raise ValueError("heatmap needs %d lists of %d values each" % (len(ys), len(xs)))
    numbers = [value for row in cells for value in row if value is not None]
    if not numbers:
        raise ValueError("there are no values to draw")
    if max(len(xs), len(ys)) > MOST_CELLS:
        raise ValueError("a heatmap has up to %d rows and columns: group the values" % MOST_CELLS)
    low, high = min(numbers), max(numbers)
    tall = max(ROW, min(44, 340 / len(ys)))
    columns, rows = [label_of(one) for one in xs], [label_of(one) for one in ys]
    page = Page(title, x, y, series={}, ticks=rows, labels=columns, height=tall * len(ys), above=26)
    wide = (page.right - page.left) / len(xs)
    strength = _strength(low, high)
    marks = iter(_cell_marks(numbers))
    for row, line in enumerate(cells):
        for column, value in enumerate(line):
            if value is None:
                continue
            mark, (number, opacity) = next(marks), strength(value)
            left, top = page.left + wide * column, page.top + tall * row
            words = "%s, %s: %s" % (columns[column], rows[row], plain(value))
            page.add('<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" %s fill-opacity="%.3f"><title>%s</title></rect>' % (left + 0.5, top + 0.5, wide - 1, tall - 1, filled(number), opacity, xml_text(words)))
            if width_of(mark) + 6 < wide:
                # On a middle tone, dark letters can be read in both windows.
                on = ' class="n" fill="#fff"' if opacity > 0.8 else ' class="m"' if opacity > 0.58 else ""
                page.add('<text x="%.1f" y="%.1f" text-anchor="middle"%s>%s</text>' % (left + wide / 2, top + tall / 2 + 4, on, xml_text(mark)))
    _key(page, low, high, strength)
    page.below([page.left + wide * (place + 0.5) for place in range(len(xs))])
    return page.write(path, [page.top + tall * (row + 0.5) for row in range(len(ys))], lines=False)


def _cell_marks(numbers):
    """Texts for cells: the values, of which those with many digits are rounded alike."""
    largest = max(map(abs, numbers))
    if all(float(value).is_integer() for value in numbers) and largest < 1e6:
        return ["%d" % value for value in numbers]
    if not 1e-3 <= largest < 1e6:
        return ["%.2g" % value for value in numbers]
    digits = max(0, 2 - math.floor(math.log10(largest)))
    return ["{:.{}f}".format(round(value, digits) + 0.0, digits) for value in numbers]


def _strength(low, high):
    """Maps a value to (colour, opacity): from the least to the greatest, or from zero where both signs occur."""
    if low < 0 < high:
        reach = max(-low, high)
        return lambda value: (0 if value >= 0 else 1, 0.05 + 0.95 * abs(value) / reach)
    span = high - low or 1
    return lambda value: (0 if high > 0 or low >= 0 else 1, 0.08 + 0.92 * ((value - low) if high > 0 or low >= 0 else (high - value)) / span)


def _key(page, low, high, strength):
    """A bar of the colours with the least and the greatest value beside it."""
    first, last = (plain(float("%.6g" % one)) for one in (low, high))
    steps, left, top = 24, page.left + width_of(first) + 8, page.top - 22
    page.add('<text x="%.1f" y="%.1f">%s</text>' % (page.left, top + 10, xml_text(first)))
    for step in range(steps):
        number, opacity = strength(low + (high - low) * step / (steps - 1))
        page.add('<rect x="%.1f" y="%.1f" width="6.5" height="12" %s fill-opacity="%.3f"/>' % (left + 6.5 * step, top, filled(number), opacity))
    page.add('<text x="%.1f" y="%.1f">%s</text>' % (left + 6.5 * steps + 8, top + 10, xml_text(last)))
