"""Statistics of one column of a table, and which readings of its values fit."""
import collections
import datetime
import math

from data_values import ORDERS, TEXT, is_plain_decimal, read_text, read_value

#: For each column, and for all columns of a table: distinct values counted (beyond, the count is a minimum), texts
#: whose meaning is cached, and distinct values whose occurrences are counted.
DISTINCT, DISTINCT_OF_TABLE = 100_000, 2_000_000
REMEMBERED, REMEMBERED_OF_TABLE = 20_000, 2_000_000
COUNTED, COUNTED_OF_TABLE = 1_000, 200_000
EXAMPLES = 5
TEXT_CHARS = 80


class Sum:
    """Count, minimum, maximum, and a sum that stays exact over many rows."""

    __slots__ = ("count", "whole", "least", "greatest", "_parts", "_total", "floats")

    def __init__(self):
        self.count = self.whole = self.floats = 0
        self.least, self.greatest, self._parts, self._total = math.inf, -math.inf, [], 0.0

    def add(self, number, times):
        self.count += times
        if number < self.least:
            self.least = number
        if number > self.greatest:
            self.greatest = number
        if type(number) is int:
            self.whole += number * times
        else:
            self.floats += times
            self._parts.append(number * times)

    def settle(self):
        self._total, self._parts = math.fsum(self._parts + [self._total]), []

    def total(self):
        if not self.floats:
            return self.whole
        return math.fsum(self._parts + [self._total, self.whole])

    def facts(self):
        """Minimum, maximum, and where it is finite the sum and mean."""
        facts, total = {"min": self.least, "max": self.greatest}, self.total()
        if math.isfinite(total):
            facts.update(sum=total, mean=total / self.count)
        return facts

    def merged(self, other):
        both = Sum()
        both.count, both.floats = self.count + other.count, self.floats + other.floats
        both.whole = self.whole + other.whole
        both.least, both.greatest = min(self.least, other.least), max(self.greatest, other.greatest)
        both._parts = self._parts + other._parts + [self._total, other._total]
        return both


class Range:
    __slots__ = ("least", "greatest")

    def __init__(self):
        self.least = self.greatest = None

    def add(self, text):
        if self.least is None or text < self.least:
            self.least = text
        if self.greatest is None or text > self.greatest:
            self.greatest = text

    def add_all(self, other):
        if other.least is not None:
            self.add(other.least)
            self.add(other.greatest)


def zone_text(offset):
    """+02:00 for minutes east of UTC; "none" where no offset is written."""
    if offset is None:
        return "none"
    return "%s%02d:%02d" % (("-" if offset < 0 else "+",) + divmod(abs(offset), 60))


class Column:
    """Statistics of one column, collected a block of rows at a time."""

    def __init__(self, name, of):
        """`of` is the number of columns: the more, the less memory each may take."""
        self.name, self.most_distinct = name, min(DISTINCT, DISTINCT_OF_TABLE // of)
        self.most_seen, self.most_counted = min(REMEMBERED, REMEMBERED_OF_TABLE // of), min(COUNTED, COUNTED_OF_TABLE // of)
        self.missing = self.leading_zeros = self.broken = 0
        self.kinds, self.forms, self.units, self.odd, self.markers, self.offsets = {}, {}, {}, {}, {}, {}
        self.same, self.point, self.comma = Sum(), Sum(), Sum()
        #: Numbers that differ by notation, and the first of them.
        self.either, self.either_example = 0, None
        self.days, self.by_order = Range(), {order: Range() for order in ORDERS}
        #: Dates that depend on the order, those whose day does, those written with points, and how many fit an order.
        self.ordered = self.unsure = self.dotted = self.times = 0
        self.fits = dict.fromkeys(ORDERS, 0)
        self.distinct, self.top, self.seen, self.longest = set(), {}, {}, 0
        self.samples = []

    def take(self, lines, values, is_text):
        """Parses equal values of a block once, which makes columns with few values cheap."""
        # 1, 1.0 and True are equal but not the same value.
        counts = collections.Counter(values if is_text else zip(map(type, values), values))
        plain = self.same
        for value, times in counts.items():
            if not is_text:
                value = value[1]
            elif value.isdigit() and value.isascii() and value[0] != "0" and len(value) < 19:
                plain.add(int(value), times)
                self._note("number", value, lines, values, times)
                continue
            elif is_plain_decimal(value):
                self.point.add(float(value), times)
                self._note("number", value, lines, values, times)
                continue
            meant = self._read(value)
            kind = meant.kind
            if kind == "missing":
                self.missing += times
                if type(value) is str and value.strip():
                    self.markers[value.strip()] = self.markers.get(value.strip(), 0) + times
                continue
            if kind == "number":
                self._number(meant, value, times)
            elif kind == "date":
                self._day(meant, times)
            elif meant is TEXT:
                self._text(value, times)
            self._note(kind, value, lines, values, times)
        for one in (self.same, self.point, self.comma):
            one.settle()

    def _read(self, value):
        if type(value) is not str:
            return read_value(value)
        meant = self.seen.get(value)
        if meant is None:
            meant = read_text(value)
            if len(self.seen) < self.most_seen and len(value) < 200:
                self.seen[value] = meant
        return meant

    def _number(self, number, value, times):
        point, comma = number.point, number.comma
        if point == comma:
            self.same.add(point, times)
            if type(value) is str and value[0] == "0" and len(value) > 1 and value.isdigit():
                self.leading_zeros += times
        else:
            if point is not None:
                self.point.add(point, times)
            if comma is not None:
                self.comma.add(comma, times)
            if point is not None and comma is not None:
                self.either += times
                self.either_example = self.either_example or value.strip()
        if number.unit is not None:
            self.units[number.unit] = self.units.get(number.unit, 0) + times

    def _day(self, day, times):
        self.forms[day.form] = self.forms.get(day.form, 0) + times
        if day.time is not None or day.offset is not None:
            self.times += times
            zone = zone_text(day.offset)
            self.offsets[zone] = self.offsets.get(zone, 0) + times
        if day.day is not None:
            self.days.add(day.day)
        if not day.readings:
            return
        self.ordered += times
        self.unsure += times if day.day is None else 0
        self.dotted += times if day.form == "dd.mm.yyyy" else 0
        for order, iso in day.readings.items():
            self.fits[order] += times
            self.by_order[order].add(iso)

    def _text(self, value, times):
        text = value if isinstance(value, str) else str(value)
        self.longest = max(self.longest, len(text))
        if "\ufffd" in text:
            self.broken += times

    def _note(self, kind, value, lines, values, times):
        self.kinds[kind] = self.kinds.get(kind, 0) + times
        if len(self.distinct) < self.most_distinct:
            self.distinct.add(hash(value) if type(value) is str else value)
        if self.top is not None:
            key = short_value(value)
            count = self.top.get(key)
            if count is None and len(self.top) >= self.most_counted:
                self.top = None
            else:
                self.top[key] = (count or 0) + times
                if count is None and len(self.samples) < 3:
                    self.samples.append(key)
        examples = self.odd.setdefault(kind, [])
        if len(examples) < EXAMPLES:
            examples.append({"line": lines[values.index(value)], "value": short_value(value)})

    def notation(self):
        """"." or "," if a number proves it, else None; with it, how many numbers could be read in both."""
        points, commas = self.point.count - self.either, self.comma.count - self.either
        proved = None if points == commas else "," if commas > points else "."
        # One number of twenty is not enough to decide over the others, nor is a column that has both.
        is_sure = proved is not None and not (points and commas) and (points + commas) * 20 >= self.either
        return proved, 0 if is_sure else self.either

    def facts(self, preferred):
        """All statistics as JSON; `preferred` is the notation where the column proves none."""
        proved, unsure = self.notation()
        uses_comma = (proved or preferred) == ","
        if not self.comma.count or not self.point.count:
            uses_comma = self.comma.count > self.point.count
        written, other = (self.comma, self.point) if uses_comma else (self.point, self.comma)
        numbers = self.same.merged(written)
        kinds = dict(self.kinds)
        # A value that is a number only in the other notation counts as text.
        strange = kinds.get("number", 0) - numbers.count
        if strange:
            kinds["number"] = numbers.count
            kinds["text"] = kinds.get("text", 0) + strange
        kinds = {kind: count for kind, count in kinds.items() if count}
        facts = {"name": self.name, "type": self._type(kinds, numbers), "missing": self.missing}
        if self.markers:
            most = sorted(self.markers.items(), key=lambda pair: -pair[1])[:EXAMPLES]
            facts["missing_as"] = dict(most)
        facts["distinct"] = len(self.distinct)
        if len(self.distinct) >= self.most_distinct:
            facts["distinct_is_minimum"] = True
        if numbers.count:
            facts.update(numbers.facts())
            if written.count:
                facts["decimal"] = "," if uses_comma else "."
            if unsure:
                second = self.same.merged(other).facts()
                facts["numbers_unsure"] = {"count": unsure, "example": self.either_example, **second}
        if self.forms:
            facts.update(self._dates())
        if len(kinds) > 1:
            facts["kinds"] = kinds
            least = sorted(kinds, key=kinds.get)[:-1]
            facts["odd"] = [one for kind in least for one in self.odd.get(kind, [])][:EXAMPLES]
        if self.units:
            facts["units"] = self.units
        if self.leading_zeros:
            facts["leading_zeros"] = self.leading_zeros
        if self.broken:
            facts["broken_values"] = self.broken
        if self.longest:
            facts["longest"] = self.longest
        if self.top is not None and len(self.top) < max(2, sum(kinds.values())):
            best = sorted(self.top.items(), key=lambda pair: -pair[1])[:EXAMPLES]
            facts["top"] = [{"value": value, "count": count} for value, count in best]
        facts["samples"] = self.samples
        return facts

    def _type(self, kinds, numbers):
        if not kinds:
            return "empty"
        if len(kinds) > 1:
            return "mixed"
        kind = next(iter(kinds))
        if kind == "number":
            return "number" if numbers.floats else "integer"
        return kind

    def _dates(self):
        orders = [order for order in ORDERS if self.ordered and self.fits[order] == self.ordered]
        if self.dotted == self.ordered and "day first" in orders:
            # A date with points and four digits of the year has its day first, unless another cannot have.
            orders = ["day first"]
        is_sure = not self.unsure or len(orders) == 1
        pair = [order for order in orders if order != "year first"]
        order = None if not self.ordered else pair[0] if len(pair) == 1 else orders[0] if len(orders) == 1 else None
        if order is None and self.unsure:
            order = "unknown" if orders else "both"
        facts = {"date_formats": self.forms, "date_order": order}
        if self.times:
            facts.update(with_times=self.times, offsets=self.offsets)
        span = Range()
        span.add_all(self.days)
        if order in ORDERS:
            span.add_all(self.by_order[order])
        if span.least is not None:
            facts.update(first_date=span.least, last_date=span.greatest)
        if not is_sure:
            facts["dates_unsure"] = self.unsure
            facts["date_readings"] = [self._reading(one) for one in orders or ORDERS if self.fits[one]]
        return facts

    def _reading(self, order):
        span = self.by_order[order]
        return {"order": order, "count": self.fits[order], "first": span.least, "last": span.greatest}


def short_value(value):
    if isinstance(value, bytes):
        return "(%d bytes)" % len(value)
    if isinstance(value, (bool, int, float)) or value is None:
        # JSON has no infinity.
        return str(value) if isinstance(value, float) and not math.isfinite(value) else value
    text = value.isoformat() if isinstance(value, datetime.date) else str(value).strip()
    return text if len(text) <= TEXT_CHARS else text[:TEXT_CHARS] + "\u2026"
