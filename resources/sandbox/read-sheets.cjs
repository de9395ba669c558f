// Writes the sheets of a workbook as lines of JSON: an object for each sheet, then [row, cells] for each of its
// rows. Runs inside the sandbox, as the file comes from strangers.
const { closeSync, openSync, readFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');
const XLSX = require(join(__dirname, 'xlsx.cjs'));

const LINES = 1_000;
const [, , from, to] = process.argv;

/** Numbers with the format of a date are told apart; texts of HTML stay texts: what they mean is decided elsewhere. */
function cellValue(cell, row, column) {
  if (cell === undefined || cell === null || cell.t === 'z') return null;
  if (cell.v === undefined) {
    return cell.f === undefined ? null : { lost: XLSX.utils.encode_cell({ r: row, c: column }) };
  }
  if (cell.t === 'n') {
    if (!Number.isFinite(cell.v)) return null;
    const isDate = typeof cell.z === 'string' && XLSX.SSF.is_date(cell.z);
    return isDate ? { date: cell.v } : cell.v;
  }
  if (cell.t === 'e') return cell.w ?? '#ERROR';
  return typeof cell.v === 'boolean' ? cell.v : String(cell.v);
}

function main() {
  const book = XLSX.read(readFileSync(from), {
    ...{
      dense: true,
      raw: true,
      cellNF: true,
      cellText: false,
      cellHTML: false,
      cellFormula: true,
    },
  });
  const file = openSync(to, 'w');
  const is1904 = book.Workbook?.WBProps?.date1904 === true;
  let lines = [];
  const put = (value) => {
    lines.push(`${JSON.stringify(value)}\n`);
    if (lines.length === LINES) flush();
  };
  const flush = () => {
    writeSync(file, lines.join(''));
    lines = [];
  };
  for (const name of book.SheetNames) {
    const sheet = book.Sheets[name];
    const rows = sheet?.['!data'];
    if (rows === undefined) continue;
    const merges = (sheet['!merges'] ?? []).map((one) => XLSX.utils.encode_range(one));
    put({ name, merges, is1904 });
    for (const [row, cells] of rows.entries()) {
      if (cells === undefined) continue;
      put([row + 1, Array.from(cells, (cell, column) => cellValue(cell, row, column))]);
    }
  }
  flush();
  closeSync(file);
}

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
