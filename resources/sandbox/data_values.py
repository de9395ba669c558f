"""What a value is: a number in one of two notations, a date, a boolean, a text, or missing."""
import datetime
import re

MISSING = frozenset(
    ["", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "-", "--", "\u2014", "k.a.", "\\n", "?", "\u65e0", "\u7f3a\u5931"]
)
TRUTHS = {"true": True, "false": False, "yes": True, "no": False}
_POINT = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:[eE][+-]?\d+)?$")
_COMMA = re.compile(r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)?(?:,\d*)?$")
_UNIT = r"(?:[\u20ac$\u00a3\u00a5\u20b9]|[A-Z]{3})"
_WITH_UNIT = re.compile(r"(?P<before>%s)?\s?(?P<number>[+-]?[\d.,]+)\s?(?P<after>%%|%s)?$" % (_UNIT, _UNIT))
_GROUPS = re.compile(r"(?<=\d)[\u00a0\u202f\u2009 '\u2019](?=\d{3}(?!\d))")
_TIME = r"(?:[T ]\s*(?P<time>\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[AaPp][Mm])?)\s*(?:Z|[+-]\d{2}:?\d{2})?)?"
_CLOCK = re.compile(r"(\d+):(\d+)(?::(\d+)(?:[.,](\d+))?)?\s*(?:([AaPp])[Mm])?$")
_YMD = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})%s$" % _TIME)
_DMY = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})%s$" % _TIME)
_CHINESE = re.compile("(\\d{4})\u5e74(\\d{1,2})\u6708(\\d{1,2})\u65e5$")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_NAMED = re.compile(r"(?:(\d{1,2})\.?[ -]([A-Za-z]{3})[a-z]*\.?[ -](\d{4}|\d{2})|([A-Za-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4}))$")


#: Longer runs of digits are identifiers.
LONGEST_NUMBER = 40
_INFINITE = (float("inf"), float("-inf"))


class Number:
    """A number in both notations: `point` for 1,234.5 and `comma` for 1.234,5; None where it does not fit."""

    __slots__ = ("point", "comma", "unit")
    kind = "number"

    def __init__(self, point, comma, unit=None):
        self.point, self.comma, self.unit = point, comma, unit


class Day:
    """A date and its notation. `other` is the date with day and month swapped, if that is possible;
    `time` is the time beside it, None for midnight and for no time."""

    __slots__ = ("form", "day", "other", "time")
    kind = "date"

    def __init__(self, form, day, other=None, time=None):
        self.form, self.day, self.other, self.time = form, day, other, time


class Plain:
    __slots__ = ("kind",)

    def __init__(self, kind):
        self.kind = kind


ABSENT, TRUTH, TEXT = Plain("missing"), Plain("boolean"), Plain("text")


def _value(text, group, point):
    digits = text.replace(group, "")
    if point != ".":
        digits = digits.replace(point, ".")
    number = int(digits) if digits.lstrip("+-").isdigit() else float(digits)
    return None if number in _INFINITE else number


def is_plain_decimal(text):
    """Whether it is digits, a point and digits, and the point can only be decimal: 1.234 could be 1,234."""
    whole, _, part = text.partition(".")
    return len(text) < 19 and part.isdigit() and whole.isdigit() and text.isascii() and (len(part) != 3 or len(whole) > 3)


def read_number(text):
    """A `Number`, or None."""
    if len(text) > LONGEST_NUMBER:
        return None
    if not (text[0].isdigit() and text[-1].isdigit()):
        # A number has a digit after its signs and points.
        if not text.lstrip("+-.,")[:1].isdigit():
            return None
    if is_plain_decimal(text):
        return Number(float(text), None)
    if not text.isascii() or " " in text or "'" in text:
        text = _GROUPS.sub("", text)
    if not text.isascii():
        return None
    point = _value(text, ",", ".") if _POINT.match(text) else None
    comma = _value(text, ".", ",") if _COMMA.match(text) else None
    return None if point is None and comma is None else Number(point, comma)


def _date(year, month, day):
    year = int(year)
    if year < 100:
        year += 2000 if year < 70 else 1900
    try:
        return datetime.date(year, int(month), int(day)).isoformat()
    except ValueError:
        return None


def _time(text):
    """The time written beside a date; None for no time and for midnight."""
    found = text and _CLOCK.match(text.strip())
    if not found:
        return None
    hour, minute, second, part, half = found.groups()
    hour = int(hour) if half is None else int(hour) % 12 + (12 if half in "Pp" else 0)
    try:
        time = datetime.time(hour, int(minute), int(second or 0), int(((part or "") + "000000")[:6]))
    except ValueError:
        return None
    return time if time != datetime.time() else None


def read_day(text):
    """A `Day`, or None, also for an impossible date (30 February)."""
    found = _YMD.match(text)
    if found:
        year, sign, month, day = found.groups()[:4]
        iso = _date(year, month, day)
        return iso and Day("yyyy%smm%sdd" % (sign, sign), iso, None, _time(found.group("time")))
    found = _DMY.match(text)
    if found:
        first, sign, second, year = found.groups()[:4]
        time = _time(found.group("time"))
        written = "yyyy" if len(year) == 4 else "yy"
        by_day, by_month = _date(year, second, first), _date(year, first, second)
        if sign == ".":
            return by_day and Day("dd.mm." + written, by_day, None, time)
        day_first, month_first = (sign.join(one + (written,)) for one in (("dd", "mm"), ("mm", "dd")))
        if by_day and by_month and first != second:
            return Day(day_first + " or " + month_first, by_day, by_month, time)
        if by_day:
            return Day(day_first, by_day, None, time)
        return by_month and Day(month_first, by_month, None, time)
    found = _CHINESE.match(text)
    if found:
        iso = _date(*found.groups())
        return iso and Day("yyyy\u5e74m\u6708d\u65e5", iso)
    found = _NAMED.match(text)
    if found:
        day, month, year = found.groups()[:3] if found.group(1) else [found.group(i) for i in (5, 4, 6)]
        if month.lower() not in _MONTHS:
            return None
        iso = _date(year, _MONTHS.index(month.lower()) + 1, day)
        return iso and Day("d mon " + "y" * len(year) if found.group(1) else "mon d, yyyy", iso)
    return None


def read_text(text):
    """Classifies a text."""
    text = text.strip()
    low = text.lower()
    if low in MISSING:
        return ABSENT
    if low in TRUTHS:
        return TRUTH
    if not any(char in low for char in "0123456789"):
        return TEXT
    number = read_number(text)
    if number:
        return number
    day = read_day(text)
    if day:
        return day
    return _with_unit(text) or TEXT


def _with_unit(text):
    """A number with its unit, or a negative one as accountants write it: (5.00), -$5.00, 5.00-."""
    sign = 1
    if text[0] == "(" and text[-1] == ")":
        text, sign = text[1:-1].strip(), -1
    elif text[0] in "-\u2212" and text[1:2] not in ("-", "+"):
        text, sign = text[1:].strip(), -1
    elif text[-1] in "-\u2212" and text[:1] not in ("-", "+"):
        text, sign = text[:-1].strip(), -1
    found = _WITH_UNIT.match(text)
    if not found or (sign > 0 and not (found.group("before") or found.group("after"))):
        return None
    number = read_number(found.group("number"))
    if number is None or (sign < 0 and found.group("number")[0] in "+-"):
        return None
    number.unit = found.group("after") or found.group("before")
    if sign < 0:
        number.point, number.comma = (None if one is None else -one for one in (number.point, number.comma))
    return number


def read_value(value):
    """Classifies the value of a cell, whatever type a reader gave it."""
    if value is None:
        return ABSENT
    if isinstance(value, str):
        return read_text(value)
    if isinstance(value, bool):
        return TRUTH
    if isinstance(value, (int, float)):
        return ABSENT if value != value else TEXT if value in _INFINITE else Number(value, value)
    if isinstance(value, datetime.datetime):
        time = value.time()
        return Day("date and time", value.date().isoformat(), None, time if time != datetime.time() else None)
    if isinstance(value, datetime.date):
        return Day("date", value.isoformat())
    return TEXT
