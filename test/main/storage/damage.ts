import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';

const PAGE = 4096;

/** Changes the bytes of a database that is closed. */
interface Damage {
  readonly name: string;
  readonly apply: (file: string) => void;
}

function bytes(change: (data: Buffer, pages: Pages) => void) {
  return (file: string): void => {
    const pages = pagesOf(file);
    const data = readFileSync(file);
    change(data, pages);
    writeFileSync(file, data);
  };
}

interface Pages {
  /** Pages of a table or index, those with entries first. */
  of(name: string, type: 'leaf' | 'internal' | 'overflow'): number[];
  readonly freelist: number;
}

function pagesOf(file: string): Pages {
  const database = new BetterSqlite3(file, { readonly: true });
  try {
    const freelist = readFileSync(file).readUInt32BE(32);
    const root = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck();
    const roots = new Map<string, number>();
    for (const name of database.prepare('SELECT name FROM sqlite_schema').pluck().all())
      roots.set(String(name), Number(root.get(name)));
    const data = readFileSync(file);
    return { freelist, of: (name, type) => treePages(data, roots.get(name) ?? 0)[type] };
  } finally {
    database.close();
  }
}

type TreePages = Record<'leaf' | 'internal' | 'overflow', number[]>;

/** The pages of one b-tree, with the first page of each overflow chain. */
function treePages(data: Buffer, root: number): TreePages {
  const found: TreePages = { leaf: [], internal: [], overflow: [] };
  const visit = (page: number): void => {
    const start = (page - 1) * PAGE + (page === 1 ? 100 : 0);
    const kind = data[start];
    const cells = data.readUInt16BE(start + 3);
    const isInternal = kind === 2 || kind === 5;
    found[isInternal ? 'internal' : 'leaf'].push(page);
    for (let i = 0; i < cells; i += 1) {
      const cell = (page - 1) * PAGE + data.readUInt16BE(start + (isInternal ? 12 : 8) + 2 * i);
      if (isInternal) visit(data.readUInt32BE(cell));
      else if (kind === 13) noteOverflow(cell);
    }
    if (isInternal) visit(data.readUInt32BE(start + 8));
  };
  const noteOverflow = (cell: number): void => {
    let [size, at] = [0, cell];
    for (;;) {
      const byte = data[at++] ?? 0;
      size = size * 128 + (byte & 127);
      if (byte < 128) break;
    }
    if (size <= PAGE - 35) return;
    while ((data[at++] ?? 0) >= 128);
    const least = Math.floor(((PAGE - 12) * 32) / 255) - 23;
    const kept = least + ((size - least) % (PAGE - 4));
    found.overflow.push(data.readUInt32BE(at + (kept <= PAGE - 35 ? kept : least)));
  };
  visit(root);
  return found;
}

const at = (page = 1, offset = 0): number => (page - 1) * PAGE + offset;
const zero = (data: Buffer, page = 1): void => void data.fill(0, at(page), at(page + 1));
const noise = (data: Buffer, from: number, to: number): void => {
  for (let i = from; i < to; i += 1) data[i] = (i * 197 + 31) & 255;
};
const swap = (data: Buffer, a = 1, b = 1): void => {
  const kept = Buffer.from(data.subarray(at(a), at(a + 1)));
  data.copy(data, at(a), at(b), at(b + 1));
  kept.copy(data, at(b));
};
const middle = (pages: number[]): number | undefined => pages[Math.floor(pages.length / 2)];

/** Damage through SQLite itself, which no change of single bytes produces. */
function bySql(sql: string) {
  return (file: string): void => {
    const database = new BetterSqlite3(file);
    database.unsafeMode(true);
    database.pragma('writable_schema = ON');
    database.exec(sql);
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
  };
}

/** What disks, file systems and sync programs do to a database. */
export const DAMAGE: readonly Damage[] = [
  { name: 'empty file', apply: (file) => truncateSync(file, 0) },
  { name: 'file gone', apply: (file) => rmSync(file) },
  { name: 'cut to 100 bytes', apply: (file) => truncateSync(file, 100) },
  { name: 'cut at page 1', apply: (file) => truncateSync(file, PAGE) },
  { name: 'cut amid page 1', apply: (file) => truncateSync(file, 2_000) },
  {
    name: 'cut at a page border in the middle',
    apply: (file) => truncateSync(file, Math.floor(statSync(file).size / PAGE / 2) * PAGE),
  },
  {
    name: 'cut amid a page',
    apply: (file) => truncateSync(file, Math.floor(statSync(file).size / PAGE / 2) * PAGE + 1_000),
  },
  { name: 'cut by one page', apply: (file) => truncateSync(file, statSync(file).size - PAGE) },
  { name: 'all zeros', apply: bytes((data) => void data.fill(0)) },
  { name: 'header: no magic', apply: bytes((data) => void data.fill(0, 0, 16)) },
  { name: 'header: page size', apply: bytes((data) => void data.writeUInt16BE(8192, 16)) },
  {
    name: 'header: fewer pages',
    apply: bytes((data) => void data.writeUInt32BE(data.readUInt32BE(28) - 20, 28)),
  },
  {
    name: 'header: more pages',
    apply: bytes((data) => void data.writeUInt32BE(data.readUInt32BE(28) + 20, 28)),
  },
  { name: 'header: encoding', apply: bytes((data) => void data.writeUInt32BE(2, 56)) },
  { name: 'header: schema format', apply: bytes((data) => void data.writeUInt32BE(9, 44)) },
  { name: 'header: version of the schema', apply: bytes((data) => void data.writeUInt32BE(2, 60)) },
  { name: 'header: version 0', apply: bytes((data) => void data.writeUInt32BE(0, 60)) },
  {
    name: 'header: length of the freelist',
    apply: bytes((data) => void data.writeUInt32BE(999, 36)),
  },
  { name: 'page 1 zeroed behind the header', apply: bytes((data) => void data.fill(0, 100, PAGE)) },
  { name: 'page 1 noise behind the header', apply: bytes((data) => noise(data, 108, PAGE)) },
  {
    name: 'a table is missing in the schema',
    apply: bySql("DELETE FROM sqlite_schema WHERE name = 'rules'"),
  },
  {
    name: 'an index is missing in the schema',
    apply: bySql("DELETE FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"),
  },
  {
    name: 'another text in the schema',
    apply: bySql("UPDATE sqlite_schema SET sql = replace(sql, 'prompt', 'promqt')"),
  },
  {
    name: 'root page of a table',
    apply: bySql("UPDATE sqlite_schema SET rootpage = rootpage + 1 WHERE name = 'events'"),
  },
  {
    name: 'interior page zeroed',
    apply: bytes((data, { of }) => zero(data, of('events', 'internal')[0])),
  },
  {
    name: 'leaf page zeroed',
    apply: bytes((data, { of }) => zero(data, middle(of('events', 'leaf')))),
  },
  {
    name: 'leaf page of noise',
    apply: bytes((data, { of }) => {
      const page = middle(of('events', 'leaf'));
      noise(data, at(page), at(page, PAGE));
    }),
  },
  {
    name: 'a cell pointer of a leaf',
    apply: bytes((data, { of }) => void data.writeUInt16BE(5, at(middle(of('events', 'leaf')), 8))),
  },
  {
    name: 'two leaves swapped',
    apply: bytes((data, { of }) => swap(data, of('events', 'leaf')[3], of('events', 'leaf')[9])),
  },
  {
    name: 'leaves of two tables swapped',
    apply: bytes((data, { of }) => swap(data, of('events', 'leaf')[3], of('messages', 'leaf')[0])),
  },
  {
    name: 'an older copy of a leaf',
    apply: bytes((data, { of }) => {
      const [first, second] = of('events', 'leaf').slice(4);
      data.copy(data, at(second), at(first), at(first, PAGE));
    }),
  },
  {
    name: 'an index page zeroed',
    apply: bytes((data, { of }) => zero(data, of('sqlite_autoindex_messages_1', 'leaf')[0])),
  },
  {
    name: 'an index that misses rows',
    apply: (file) => {
      const name = "name = 'threads_by_update'";
      const one = new BetterSqlite3(file);
      const row = one.prepare(`SELECT * FROM sqlite_schema WHERE ${name}`).raw().get();
      one.close();
      bySql(`DELETE FROM sqlite_schema WHERE ${name}`)(file);
      bySql('UPDATE threads SET updated_at = updated_at + 1000')(file);
      const again = new BetterSqlite3(file);
      again.unsafeMode(true);
      again.pragma('writable_schema = ON');
      again.prepare('INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)').run(row);
      again.pragma('wal_checkpoint(TRUNCATE)');
      again.close();
    },
  },
  {
    name: 'an overflow page zeroed',
    apply: bytes((data, { of }) => zero(data, of('messages', 'overflow')[0])),
  },
  {
    name: 'an overflow chain that leads out of the file',
    apply: bytes(
      (data, { of }) => void data.writeUInt32BE(99_999, at(of('messages', 'overflow')[0])),
    ),
  },
  {
    name: 'a freelist that leads out of the file',
    apply: bytes((data) => void data.writeUInt32BE(99_999, 32)),
  },
  {
    name: 'a freelist page of noise',
    apply: bytes((data, { freelist }) => noise(data, at(freelist), at(freelist, 64))),
  },
];
