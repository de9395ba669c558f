/**
 * The Python program of the demonstration. The user sees all of it before it runs, so it is plain code
 * that needs nothing but Python: it totals the numbers of any table by one of its columns, and draws the
 * chart itself if matplotlib is not installed. `{{csv|json}}` is the file and `{{ask|json}}` the user's
 * message.
 */
export const TOTALS_PROGRAM = `import csv, re, struct, unicodedata, zlib

path = {{csv|json}}
ask = {{ask|json}}.lower()

# Read the table, whatever separates its columns.
with open(path, newline="", encoding="utf-8-sig", errors="replace") as file:
    text = file.read()
try:
    dialect = csv.Sniffer().sniff(text[:65536], delimiters=",;\\t|")
except csv.Error:
    dialect = csv.excel
table = [row for row in csv.reader(text.splitlines(), dialect) if any(cell.strip() for cell in row)]
header = [name.strip() for name in table[0]]
rows = [row + [""] * (len(header) - len(row)) for row in table[1:]]

def number(cell):
    """The number in a cell such as 1,234.50 or 1.234,50; None if it holds none."""
    cell = cell.strip().lstrip("$\\u20ac\\u00a3").rstrip("%\\u20ac ").replace(" ", "").replace("'", "")
    if not re.fullmatch(r"-?[\\d.,]*\\d", cell):
        return None
    if cell.rfind(",") > cell.rfind("."):
        decimal = len(cell) - cell.rfind(",") != 4
        cell = cell.replace(".", "").replace(",", "." if decimal else "")
    else:
        cell = cell.replace(",", "")
    try:
        return float(cell)
    except ValueError:
        return None

# Choose what to total and what to group by: a column that was asked for, else a likely one.
def asked(name):
    return bool(name) and re.search(r"\\b" + re.escape(name.lower()) + r"\\b", ask) is not None

columns = range(len(header))
numeric = [c for c in columns if rows and all(number(r[c]) is not None or not r[c].strip() for r in rows)
           and any(r[c].strip() for r in rows)]
likely = r"sales|amount|revenue|total|value|price|sum|cost|profit|count|quantity"
values = ([c for c in numeric if asked(header[c])]
          or [c for c in numeric if re.search(likely, header[c].lower())]
          or [c for c in numeric if not re.search(r"id|year|date|zip", header[c].lower())]
          or numeric)
groups = [c for c in columns if c not in numeric] or [c for c in columns if c not in values[:1]]
if not values or not groups:
    raise SystemExit("This table has no column of numbers to total by another column: " + ", ".join(header))
value = values[0]
group = next((c for c in groups if asked(header[c])),
             min(groups, key=lambda c: (len({r[c] for r in rows}) < 2, len({r[c] for r in rows}))))

totals = {}
for row in rows:
    name = row[group].strip() or "(empty)"
    totals[name] = totals.get(name, 0.0) + (number(row[value]) or 0.0)
ranked = sorted(totals.items(), key=lambda item: -item[1])
if len(ranked) > 12:
    ranked = ranked[:11] + [("(others)", sum(v for _, v in ranked[11:]))]

def show(amount):
    return f"{amount:,.2f}".rstrip("0").rstrip(".")

print(f"{len(rows)} rows of {path}")
print()
print(f"| {header[group]} | {header[value]} |")
print("| --- | ---: |")
for name, amount in ranked:
    print(f"| {name.replace('|', '/')} | {show(amount)} |")
print(f"| **Total** | **{show(sum(totals.values()))}** |")
print()

def draw_with_matplotlib():
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plot
    figure, axes = plot.subplots(figsize=(9, 5), dpi=110)
    axes.bar([name for name, _ in ranked], [amount for _, amount in ranked], color="#3b6fd4")
    axes.set_title(f"{header[value]} by {header[group]}")
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(axis="x", rotation=30 if len(ranked) > 6 else 0)
    figure.tight_layout()
    figure.savefig("chart.png")

# Letters of 3 x 5 points: five rows each, a digit a row, its bits are the points.
LETTERS = dict(zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ.,-()", (
    "75557 26227 71747 71717 55711 74717 74757 71111 75757 75717 25755 65656 34443 65556 74647 74644 "
    "34553 55755 72227 11152 55655 44447 57755 65555 25552 65644 25563 65655 34216 72222 55557 55552 "
    "55775 55255 55222 71247 00002 00024 00700 24442 21112").split()))

def draw_by_hand():
    width, height, left, right, top, bottom = 960, 540, 40, 40, 90, 70
    pixels = bytearray(b"\\xff" * (width * height * 3))
    def box(x, y, w, h, color):
        for line in range(max(0, y), min(height, y + h)):
            start, end = max(0, x), min(width, x + w)
            if start < end:
                pixels[(line * width + start) * 3:(line * width + end) * 3] = color * (end - start)
    def write(text, center, y, size, room):
        plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
        text = plain.upper()[:max(1, room // (4 * size))]
        x = center - (len(text) * 4 - 1) * size // 2
        for letter in text:
            for line, bits in enumerate(LETTERS.get(letter, "00000")):
                for column in range(3):
                    if int(bits) & (4 >> column):
                        box(x + column * size, y + line * size, size, size, b"\\x33\\x37\\x40")
            x += 4 * size
    write(f"{header[value]} by {header[group]}", width // 2, 24, 5, width - 80)
    highest = max([abs(amount) for _, amount in ranked] + [1e-9])
    slot = (width - left - right) // max(1, len(ranked))
    floor = height - bottom
    for position, (name, amount) in enumerate(ranked):
        tall = int((floor - top) * max(0.0, amount) / highest)
        x = left + position * slot
        wide = min(140, slot * 3 // 4)
        box(x + (slot - wide) // 2, floor - tall, wide, tall, b"\\x3b\\x6f\\xd4")
        write(show(round(amount)), x + slot // 2, floor - tall - 24, 3, slot)
        write(name, x + slot // 2, floor + 16, 3, slot)
    box(left, floor, width - left - right, 2, b"\\x33\\x37\\x40")
    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    lines = b"".join(b"\\0" + bytes(pixels[y * width * 3:(y + 1) * width * 3]) for y in range(height))
    with open("chart.png", "wb") as file:
        file.write(b"\\x89PNG\\r\\n\\x1a\\n" + part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                   + part(b"IDAT", zlib.compress(lines)) + part(b"IEND", b""))

try:
    draw_with_matplotlib()
except ImportError:
    draw_by_hand()
print("Saved the chart as chart.png")
`;
