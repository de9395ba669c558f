import { defineSkill } from 'hyperagent';

interface Params {
  readonly file: string;
  readonly to: 'markdown' | 'json';
}

export default defineSkill<Params>({
  metadata: {
    id: 'convert_table',
    name: 'Convert a table',
    description: 'Turns a CSV file of the workspace into Markdown or JSON.',
    category: 'data',
    parameters: [
      { name: 'file', type: 'string', description: 'A CSV file, its first line the names.' },
      {
        name: 'to',
        type: 'string',
        description: 'What it becomes.',
        required: false,
        default: 'markdown',
        options: ['markdown', 'json'],
      },
    ],
    outputSchema: {
      type: 'object',
      properties: { file: { type: 'string' }, rows: { type: 'number' } },
      required: ['file', 'rows'],
    },
    capabilities: ['sandbox'],
    author: 'you',
    tags: ['csv', 'table'],
  },

  async run({ file, to }, app) {
    const [names = [], ...rows] = readCsv(await app.sandbox.readFile(file));
    const target = file.replace(/\.[^./]*$/, '') + (to === 'json' ? '.json' : '.md');
    await app.sandbox.writeFile(target, to === 'json' ? asJson(names, rows) : asMarkdown(names, rows));
    return { file: target, rows: rows.length };
  },
});

/** Rows of cells; quotes may hold commas, line breaks and doubled quotes. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = () => {
    row.push(cell);
    if (row.length > 1 || cell !== '') rows.push(row);
    row = [];
    cell = '';
  };
  const clean = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  for (let at = 0; at < clean.length; at += 1) {
    const char = clean[at];
    if (isQuoted && char === '"' && clean[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (char === '"') isQuoted = !isQuoted;
    else if (char === ',' && !isQuoted) {
      row.push(cell);
      cell = '';
    } else if (char === '\n' && !isQuoted) endRow();
    else cell += char;
  }
  endRow();
  return rows;
}

function asMarkdown(names: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', '<br>')).join(' | ')} |`;
  return `${[line(names), line(names.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

function asJson(names: string[], rows: string[][]): string {
  const objects = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
  return `${JSON.stringify(objects, null, 2)}\n`;
}
