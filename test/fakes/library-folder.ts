import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { docx, pdf, xlsx } from './documents.ts';

/** A file of the made folder, with the one fact that no other file has. */
export interface LibraryFact {
  /** From the folder on. */
  readonly path: string;
  readonly language: 'en' | 'zh';
  /** A query that finds it by words. */
  readonly query: string;
  /** Stands in the text of the file, word for word, and in no other. */
  readonly answer: string;
}

const THINGS = [
  'crane',
  'lighthouse',
  'turbine',
  'granary',
  'observatory',
  'foundry',
  'aqueduct',
  'tannery',
  'windmill',
  'brewery',
];
const PLACES = [
  'Ardmore',
  'Belvane',
  'Corsley',
  'Dunfell',
  'Eskwick',
  'Fallowby',
  'Grimsey',
  'Hartholm',
  'Ilverton',
  'Jarrowby',
];
const ZH_THINGS = ['水车', '灯塔', '粮仓', '茶园', '瓷窑', '书院', '铁桥', '药铺', '染坊', '码头'];
const ZH_PLACES = ['青岩', '白鹿', '松溪', '云汀', '石门', '梅岭', '竹山', '沙洲', '龙潭', '枫桥'];
const KINDS = ['md', 'txt', 'html', 'csv', 'pdf', 'docx', 'xlsx', 'ts', 'py', 'json'] as const;
type Kind = (typeof KINDS)[number];

const FILLER =
  'The record was kept by the parish for many years. Repairs were paid for by the council, and each winter the profileRegistry wrote down what the weather had done. Visitors came in summer, mostly on foot, and left again before dark.';
const ZH_FILLER =
  '当地的记录保存了很多年。修缮的费用由村里承担，每年冬天看守人都会写下天气的变化。夏天常有游客步行前来，天黑之前离开。';

/**
 * Writes `count` files of ten kinds below `folder`, the same ones each time: English ones and, in every kind
 * but PDF, Chinese ones (one of them in GB18030). Gives what each of them knows.
 */
export async function writeLibraryFolder(folder: string, count = 200): Promise<LibraryFact[]> {
  const facts: LibraryFact[] = [];
  for (let index = 0; index < count; index += 1) {
    const { fact, bytes } = libraryFile(index);
    const file = path.join(folder, fact.path);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
    facts.push(fact);
  }
  return facts;
}

/** The file of this number; up to 10,000 of them differ. */
export function libraryFile(index: number): { readonly fact: LibraryFact; readonly bytes: Buffer } {
  const kind = KINDS[index % KINDS.length] ?? 'md';
  const isChinese = kind !== 'pdf' && Math.floor(index / KINDS.length) % 3 === 2;
  const thing = Math.floor(index / 10) % 10;
  const place = (index + Math.floor(index / 100)) % 10;
  const figure = 1_000 + ((index * 7919) % 90_000);
  const code = `${String.fromCharCode(65 + (index % 26))}${10_000 + index}`;
  const query = isChinese
    ? `${ZH_PLACES[place]}${ZH_THINGS[thing]} ${code}`
    : `${THINGS[thing]} of ${PLACES[place]} ${code}`;
  const answer = isChinese
    ? `${ZH_PLACES[place]}的${ZH_THINGS[thing]}编号${code}，造价${figure}两白银`
    : `The ${THINGS[thing]} of ${PLACES[place]}, number ${code}, cost ${figure} silver crowns`;
  const stem = isChinese
    ? `${ZH_PLACES[place]}${ZH_THINGS[thing]}-${index}`
    : `${PLACES[place]?.toLowerCase()}-${THINGS[thing]}-${index}`;
  const fact: LibraryFact = {
    path: `${kind === 'md' || kind === 'txt' ? 'notes' : kind}/${stem}.${kind}`,
    language: isChinese ? 'zh' : 'en',
    query,
    answer,
  };
  const isGb = isChinese && kind === 'txt';
  return { fact, bytes: isGb ? gb18030(answer) : bytesOf(kind, answer, isChinese) };
}

function bytesOf(kind: Kind, answer: string, isChinese: boolean): Buffer {
  const filler = isChinese ? ZH_FILLER : FILLER;
  const end = isChinese ? '。' : '.';
  const text = [filler, `${answer}${end}`, filler].join('\n\n');
  switch (kind) {
    case 'md':
      return Buffer.from(`# ${isChinese ? '地方志' : 'Local records'}\n\n${text}\n`);
    case 'txt':
      return Buffer.from(`${text}\n`);
    case 'html':
      return Buffer.from(
        `<!doctype html><html><head><title>${isChinese ? '地方志' : 'Local records'}</title><script>var hidden = "not to be found";</script></head><body><p>${filler}</p><p>${answer}${end}</p></body></html>`,
      );
    case 'csv':
      return Buffer.from(`statement,source\n"${answer}",register\n`);
    case 'pdf':
      return pdf([FILLER.replaceAll('. ', '.\n'), `${answer}.`], 'Local records');
    case 'docx':
      return docx([filler, `${answer}${end}`, filler]);
    case 'xlsx':
      return xlsx({
        [isChinese ? '登记' : 'Register']: [
          ['statement', 'year'],
          [answer, 1850],
        ],
      });
    case 'ts':
      return Buffer.from(`/** ${filler} */\nexport const RECORD = ${JSON.stringify(answer)};\n`);
    case 'py':
      return Buffer.from(`# ${filler}\nRECORD = ${JSON.stringify(answer)}\n`);
    case 'json':
      return Buffer.from(`${JSON.stringify({ note: filler, record: answer }, null, 2)}\n`);
  }
}

/**
 * Node decodes GB18030 and does not encode it: the table is made by decoding every pair of bytes.
 */
export function gb18030(text: string): Buffer {
  table ??= gbTable();
  const known = table;
  return Buffer.concat(
    [...text].map((character) =>
      character < '\u0080' ? Buffer.from(character) : (known.get(character) ?? Buffer.from('?')),
    ),
  );
}

let table: ReadonlyMap<string, Buffer> | null = null;

function gbTable(): ReadonlyMap<string, Buffer> {
  const decoder = new TextDecoder('gb18030');
  const pairs = new Map<string, Buffer>();
  for (let first = 0x81; first <= 0xfe; first += 1) {
    for (let second = 0x40; second <= 0xfe; second += 1) {
      const bytes = Buffer.of(first, second);
      const character = decoder.decode(bytes);
      if ([...character].length === 1 && character !== '\ufffd') pairs.set(character, bytes);
    }
  }
  return pairs;
}
