"""What a value is: a number, a date, a boolean, a text, or missing; numbers and dates in every reading that fits."""
import datetime
import re

MISSING = frozenset(
    ["", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "-", "--", "\u2014", "k.a.", "\\n", "?", "\u65e0", "\u7f3a\u5931"]
)
TRUTHS = {"true": True, "false": False, "yes": True, "no": False}
# A group begins with no zero, and nobody groups the digits before an exponent.
_POINT = re.compile(r"[+-]?(?:[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$")
_COMMA = re.compile(r"[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?|(?:\d+,?\d*|,\d+)(?:[eE][+-]?\d+)?)$")
_UNIT = r"(?:[\u20ac$\u00a3\u00a5\u20b9]|[A-Z]{3})"
_WITH_UNIT = re.compile(r"(?P<before>%s)?\s?(?P<number>[+-]?[\d.,]+)\s?(?P<after>%%|%s)?$" % (_UNIT, _UNIT))
_GROUPS = re.compile(r"(?<=\d)[\u00a0\u202f\u2009 '\u2019](?=\d{3}(?!\d))")
_OFFSET = r"(?P<offset>[Zz]|[+-]\d{2}(?::?\d{2})?|(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d{2})?)?)?"
_TIME = r"(?:[Tt ]\s*(?P<time>\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[AaPp][Mm])?)\s*%s)?" % _OFFSET
_CLOCK = re.compile(r"(\d+):(\d+)(?::(\d+)(?:[.,](\d+))?)?\s*(?:([AaPp])[Mm])?$")
_YMD = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})%s$" % _TIME)
_DMY = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})%s$" % _TIME)
_CHINESE = re.compile("(\\d{4})\u5e74(\\d{1,2})\u6708(\\d{1,2})\u65e5$")
_ZONE = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?$")
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
    """A date. `day` is None where it depends on the order: `readings` has the date in every order that fits, and is
    empty for a notation with one order. `form` is how it is written. `time` is the time beside it: None for none
    and for midnight. `offset` is in minutes east of UTC, None where none is written."""

    __slots__ = ("form", "day", "readings", "time", "offset")
    kind = "date"

    def __init__(self, form, day, readings=None, moment=(None, None)):
        self.form, self.day, self.readings = form, day, readings or {}
        self.time, self.offset = moment


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


def _moment(text, zone):
    """(time, offset) written beside a date, as in `Day`; None for an impossible one."""
    if not text:
        return None, None
    hour, minute, second, part, half = _CLOCK.match(text.strip()).groups()
    hour = int(hour)
    if half is not None and hour < 13:
        hour = hour % 12 + (12 if half in "Pp" else 0)
    elif half is not None and half in "Aa":
        return None
    offset = None if not zone else 0
    shift = zone and _ZONE.match(zone)
    if shift:
        sign, hours, minutes = shift.groups()
        # UTC-12:00 to UTC+14:00 are in use.
        if int(hours) > 14 or int(minutes or 0) > 59:
            return None
        offset = (int(hours) * 60 + int(minutes or 0)) * (-1 if sign == "-" else 1)
    try:
        time = datetime.time(hour, int(minute), int(second or 0), int(((part or "") + "000000")[:6]))
    except ValueError:
        return None
    return time if time != datetime.time() else None, offset


#: Orders of day, month and year.
ORDERS = ("day first", "month first", "year first")


def _ordered(first, sign, second, last):
    """({order: date} of every order that fits, {order: how that is written})."""
    written = "yyyy" if len(last) == 4 else "yy"
    found = {"day first": _date(last, second, first), "month first": _date(last, first, second)}
    if len(first) == len(last) == 2:
        found["year first"] = _date(first, second, last)
    names = {"day first": ("dd", "mm", written), "month first": ("mm", "dd", written), "year first": ("yy", "mm", "dd")}
    return {order: iso for order, iso in found.items() if iso}, {order: sign.join(parts) for order, parts in names.items()}


def read_day(text):
    """A `Day`, or None, also for an impossible date (30 February) or time (25:00)."""
    found = _YMD.match(text) or _DMY.match(text)
    if found:
        moment = _moment(found.group("time"), found.group("offset"))
        if moment is None:
            return None
        first, sign, second, last = found.groups()[:4]
        if len(first) == 4:
            iso = _date(first, second, last)
            return iso and Day("yyyy%smm%sdd" % (sign, sign), iso, None, moment)
        readings, names = _ordered(first, sign, second, last)
        if not readings:
            return None
        days = set(readings.values())
        # Points are the notation of countries that write the day first; a name says the other only where that is impossible.
        shown = [order for order in readings if not (sign == "." and order == "month first" and "day first" in readings)]
        form = " or ".join(names[order] for order in shown)
        return Day(form, days.pop() if len(days) == 1 else None, readings, moment)
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
        time, offset = value.time(), value.utcoffset()
        minutes = None if offset is None else round(offset.total_seconds() / 60)
        return Day("date and time", value.date().isoformat(), None, (time if time != datetime.time() else None, minutes))
    if isinstance(value, datetime.date):
        return Day("date", value.isoformat())
    return TEXT
