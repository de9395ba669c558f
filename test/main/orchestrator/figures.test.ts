import { expect, test } from 'vitest';
import type { MadeCall } from '#main/agents/types.ts';
import { ShownFigures } from '#main/orchestrator/evidence/figures.ts';

const program = (language: string, code: string, printed: string): MadeCall => ({
  name: 'execute_code',
  arguments: { language, code },
  status: 'ok',
  content: `exit code 0\nstdout:\n${printed}`,
});
const py = (code: string, printed: string): MadeCall => program('python', code, printed);
const sh = (code: string, printed: string): MadeCall => program('bash', code, printed);
const js = (code: string, printed: string): MadeCall => program('javascript', code, printed);
const wrote = (path: string, content: string): MadeCall => ({
  name: 'sandbox_file',
  arguments: { operation: 'write', path, content },
  status: 'ok',
  content: 'Wrote it.',
});
const read = (path: string, content: string): MadeCall => ({
  ...{ name: 'sandbox_file', arguments: { operation: 'read', path }, status: 'ok', content },
});

const ROWS = 'import csv\nrows = list(csv.reader(open("data.csv")))\n';
const PROMPT = 'Sum up data.csv';

test.each<[string, MadeCall[], string]>([
  ['a literal', [py('print("total", 61)', 'total 61')], '61'],
  ['literal arithmetic', [py('print(98000+765)', '98765')], '98765'],
  ['joined texts', [py('print("6" + "1")', '61')], '61'],
  ['an f-string', [py('a = 6\nprint(f"total {a}{1}")', 'total 61')], '61'],
  ['codes of characters', [py('print(chr(54) + chr(49))', '61')], '61'],
  ['codes in a loop', [py('for c in [54, 49]:\n  print(chr(c), end="")', '61')], '61'],
  ['base64', [py('import base64\nprint(base64.b64decode("OTg3NjU=").decode())', '98765')], '98765'],
  ['a reversed text', [py('print("56789"[::-1])', '98765')], '98765'],
  ['another base', [py('print(int("3d", 16))', '61')], '61'],
  ['a sum of constants', [py('print(sum([30, 31]))', '61')], '61'],
  ['a rounded constant', [py('print(round(61.004))', '61')], '61'],
  ['JavaScript', [js('console.log(`${98000 + 765}`)', '98765')], '98765'],
  ['echo', [sh('echo 61', '61')], '61'],
  ['printf', [sh('printf "%d%d\\n" 6 1', '61')], '61'],
  ['shell variables', [sh('A=6; B=1; echo $A$B', '61')], '61'],
  ['shell arithmetic', [sh('echo $((98000+765))', '98765')], '98765'],
  ['a program in a shell', [sh('python3 -c "print(98000+765)"', '98765')], '98765'],
  ['a here-document', [sh("python3 - <<'E'\nprint(98000+765)\nE", '98765')], '98765'],
  ['awk without a file', [sh("awk 'BEGIN{print 98000+765}'", '98765')], '98765'],
  ['bc', [sh('echo "98000+765" | bc', '98765')], '98765'],
  ['a file that the run wrote', [wrote('r.txt', 'total 61'), sh('cat r.txt', 'total 61')], '61'],
  ['a file by echo', [sh('echo 61 > r.txt', ''), sh('cat r.txt', '61')], '61'],
  ['a script of the run', [wrote('t.py', 'print(61)'), sh('python3 t.py', '61')], '61'],
  ['a module of the run', [wrote('r.py', 'V=98765'), py('import r\nprint(r.V)', '98765')], '98765'],
  ['a read as decoy', [py(`${ROWS}print("total", 61)`, 'total 61')], '61'],
  ['a sum beside a decoy', [py(`${ROWS}print("total", 60 + 1)`, 'total 61')], '61'],
  [
    'the size of a file',
    [
      {
        ...py(ROWS, ''),
        content: 'exit code 0\nIt printed nothing.\nfiles changed:\n- o (create, 61 bytes)',
      },
    ],
    '61',
  ],
  ['a failed program', [{ ...py(`${ROWS}print(len(rows))`, '61'), status: 'error' }], '61'],
  ['reading its own file', [wrote('r.txt', 'total 61'), read('r.txt', 'total 61')], '61'],
])('%s shows no figure', (_name, calls, figure) => {
  expect(new ShownFigures(PROMPT, calls).unshown(`It is ${figure}.`)).toEqual([figure]);
});

test.each<[string, MadeCall[], string, string?]>([
  ['a sum over data', [py(`${ROWS}print(sum(int(r[1]) for r in rows))`, '61')], '61'],
  [
    'formats and limits',
    [
      py(
        `${ROWS}t = sum(float(r[1]) for r in rows[1:])\nprint(f"{t:.2f}", round(t, 1), len(rows[:5]))`,
        '61.00 61.0 5',
      ),
    ],
    '5',
  ],
  [
    'a share as per cent',
    [py(`${ROWS}print(len([r for r in rows if r[0]]) / len(rows))`, '0.3333')],
    '33 %',
  ],
  ['wc', [sh('wc -l data.csv', '17 data.csv')], '17'],
  ['awk over a file', [sh("awk -F, '{s+=$2} END{print s}' data.csv", '98765')], '98765'],
  [
    'a script over data',
    [wrote('t.py', `${ROWS}print(len(rows))`), sh('python3 t.py', '61')],
    '61',
  ],
  [
    'a computed file',
    [py(`${ROWS}open("o.txt", "w").write(str(len(rows)))`, ''), sh('cat o.txt', '98765')],
    '98765',
  ],
  ['figures of the user', [py('print(12 + 49)', '61')], '61', 'What is the sum of 12 and 49?'],
  ['a formula', [py('print((98 - 32) * 5 / 9)', '36.67')], '36.67', 'What is 98 °F in °C?'],
  [
    'data of the user',
    [
      wrote('d.csv', 'a,12\nb,49\n'),
      py('import csv\nprint(sum(int(r[1]) for r in csv.reader(open("d.csv"))))', '61'),
    ],
    '61',
    'Sum up 12 and 49 in d.csv',
  ],
  ['a computation', [py('print(sum(range(1, 101)))', '5050')], '5050', 'Sum up 1 to 100'],
  ['a file of the user', [read('data.csv', 'a,61\n')], '61'],
])('%s shows a figure', (_name, calls, figure, prompt = PROMPT) => {
  expect(new ShownFigures(prompt, calls).unshown(`It is ${figure}.`)).toEqual([]);
});
