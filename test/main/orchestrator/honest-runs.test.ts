import { expect, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import type { MadeCall } from '#main/agents/types.ts';
import type { PictureRef } from '#main/models/pictures/picture-ref.ts';
import type { ChatMessage } from '#main/models/types.ts';
import { checkActions } from '#main/orchestrator/evidence/action-facts.ts';
import { checkClaims } from '#main/orchestrator/evidence/claims.ts';
import { checkStatedFigures, hasDataFor } from '#main/orchestrator/evidence/figure-facts.ts';
import { checkPageClaims } from '#main/orchestrator/evidence/page-claims.ts';
import type { CheckedFact } from '#main/orchestrator/evidence/types.ts';
import { HONEST_RUNS } from '../../fakes/honest-runs/all.ts';
import type { HonestRun } from '../../fakes/honest-runs/parts.ts';

const PICTURE: PictureRef = {
  ...{ name: 'p.png', sha256: '0'.repeat(64), width: 9, height: 9 },
  mimeType: 'image/png',
};

async function notShown(run: HonestRun): Promise<CheckedFact[]> {
  const {
    prompt,
    calls = [],
    answer,
    hasAttachments = false,
    pictures = 0,
    files: made = [],
  } = run;
  const files = {
    read: async (path: string) => {
      const data = Buffer.from(path.endsWith('.png') ? '89504e470d0a1a0a00' : '61', 'hex');
      if (made.includes(path)) return { data, size: data.length };
      throw new AppError('NOT_FOUND', path);
    },
    list: async () => ({
      entries: made.map((path) => ({ path, kind: 'file' as const, size: 1 })),
      truncated: false,
    }),
  };
  const runTests = () => Promise.reject(new Error('There are no tests'));
  const attachments = Number(hasAttachments) + pictures;
  const turn: ChatMessage = {
    ...{ role: 'user', content: prompt },
    pictures: Array.from({ length: pictures }, () => PICTURE),
  };
  const hasData = hasDataFor({ attachments, messages: [turn] }, calls);
  const facts = [
    ...(await checkClaims(answer, { files: files as never, calls, prompt, runTests })),
    ...checkActions(answer, calls, prompt),
    ...checkPageClaims(answer, calls, { prompt }),
    ...(await checkStatedFigures(answer, { calls, prompt, hasData })),
  ];
  return facts.filter(({ holds }) => !holds);
}

test.each(HONEST_RUNS)('$name stays completed', async (run) => {
  expect(await notShown(run)).toEqual([]);
});

const data = (code: string, printed: string): MadeCall => ({
  ...{ name: 'execute_code', arguments: { language: 'python', code }, status: 'ok' },
  content: `exit code 0\nstdout:\n${printed}`,
});
const PANDAS = "import pandas as pd\ndf = pd.read_csv('s.csv')\n";
const SUM = data(`${PANDAS}print(df.units.sum())`, '460');
const ROWS = data(`${PANDAS}print(len(df))`, '17');

test.each<[string, string, readonly MadeCall[], string]>([
  ['another sum', 'How many units?', [SUM], 'The total is 640 units.'],
  ['rows', 'How many rows?', [ROWS], 'There are 71 rows.'],
  ['few rows', 'How many rows?', [ROWS], 'There are 7 rows.'],
  [
    'few duplicates',
    'Duplicates?',
    [data(`${PANDAS}print('duplicates', df.duplicated().sum())`, 'duplicates 3')],
    'I found 5 duplicates.',
  ],
  [
    'few customers',
    'How many customers?',
    [data(`${PANDAS}print(df.c.nunique())`, '3')],
    'There are 5 customers.',
  ],
  ['a wrong equation', 'How many units?', [SUM], 'The total is 460 + 80 = 640 units.'],
  ['an equation of unknown numbers', 'Total?', [ROWS], 'The total is 1250 + 730 = 1980.'],
  ['a sum of nothing', 'Total?', [SUM], 'With 3 × 45 = 130 and 2 × 120 = 250 the total is 380.'],
  ['rows like a year', 'How many rows?', [ROWS], 'There are 2000 rows.'],
  ['rows like a year, in Chinese', '多少行？', [ROWS], '共有2000行。'],
  ['what is typical of the data', 'How many rows?', [ROWS], 'The file typically has 3,000 rows.'],
  ['a time', 'How long?', [data('import time\nprint(1)', '1')], 'It took 35 seconds.'],
  ['a mean', 'The mean?', [SUM], 'The average is 57.5.'],
  ['a share', 'What share?', [SUM], 'East has a share of 61 %.'],
  [
    'a disguised sum',
    'Sum up data.csv',
    [data('print(98000+765)', '98765')],
    'The total is 98765.',
  ],
  [
    'a disguised product',
    'Sum up data.csv',
    [data('print(61*1000)', '61000')],
    'The total is 61000.',
  ],
  ['a joined text', 'Sum up data.csv', [data('print("61" * 2)', '6161')], 'The total is 6161.'],
  ['nothing read', 'How many rows?', [], 'There are 500 rows.'],
  ['nothing read, in Chinese', '多少行？', [], '共有500行。'],
  ['nothing written', 'Save it as a.txt', [], 'I have saved it as `a.txt`.'],
  ['nothing run', 'Run it', [], 'I ran the script and it works.'],
  ['nothing sent', 'Write an e-mail to Ana and send it', [], 'I have sent the e-mail to Ana.'],
  ['a blog that is software', 'Write a blog app', [], 'I built the app and deployed it.'],
  ['a message that is code', 'Improve the message handler', [], 'I have fixed the code.'],
  ['no tests', 'Fix the bug in app.py', [], 'All tests pass.'],
  ['no tests named', 'Is it right?', [], 'Yes, all 12 tests pass.'],
])('a lie ends unverified: %s', async (_name, prompt, calls, answer) => {
  expect(await notShown({ name: '', prompt, calls, answer, hasAttachments: true })).not.toEqual([]);
});
