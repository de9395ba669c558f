import { expect, it } from 'vitest';
import { janesCleaner } from './support.ts';

const cleaner = janesCleaner();
const DATA = '/home/jane doe/.local/share/hyperagent';

it.each([
  "open '/home/jane doe/Divorce/plan.pdf'",
  "open '/home/jane doe/it's: a \"Divorce\" | plan.pdf'",
  'open "/home/jane doe/a "Divorce" plan.pdf"',
  'cannot read /home/jane doe/My Divorce plan.pdf',
  'cannot read /home/jane doe/a: Divorce',
  'cannot read /home/jane doe/a|Divorce',
  "scandir '/mnt/daten/Divorce 2026/plan.xlsx'",
  "scandir '/media/jane/Divorce'",
  "open '/home/bob/Divorce/x'",
  'open /home/bob smith/Divorce/x',
  '-I/home/bob/Divorce/x',
  'cp host:/home/bob/Divorce/x',
  "rename 'C:\\Users\\Bob Divorce\\Steuer.pdf'",
  JSON.stringify({ path: 'C:\\Users\\Bob Divorce\\Steuer.pdf' }),
  JSON.stringify(JSON.stringify({ path: 'C:\\Users\\Bob Divorce\\Steuer.pdf' })),
  "open '\\\\server\\Divorce$\\bob\\x.docx'",
  JSON.stringify('\\\\server\\Divorce$\\bob\\x.docx'),
  "open '\\\\?\\C:\\Divorce\\x.docx'",
  "open '//server/Divorce/x.docx'",
  "open '/Users/Divorce/Library/Application Support/x'",
  "open '/mnt/c/Users/Divorce/Desktop/x'",
  "open '/var/home/Divorce/x'",
  "open '/export/home/Divorce/x'",
  "open '/usr/home/Divorce/x'",
  "open '/run/media/bob/Divorce/x'",
  "open '/Volumes/Divorce/x'",
  'ENOENT file:///Users/J%C3%B6rg/Divorce%20plan.pdf',
  'ENOENT file:///home/bob/Divorce plan.pdf',
  'open %2Fmnt%2Fdaten%2FDivorce',
  'open \\u002fmnt\\u002fdaten\\u002fDivorce',
  `open '${DATA}/workspaces/thr_1/Divorce.pdf'`,
  `open ${DATA}/workspaces/thr_1/a: Divorce.pdf`,
  `open '${DATA}/Divorce/plan.pdf'`,
  `open '${DATA}-Divorce/plan.pdf'`,
  `open '${DATA}/logs/../../../Divorce/plan.pdf'`,
  "open '/usr/../mnt/Divorce/plan.pdf'",
  "open '/home/jane doe/apps/hyperagent/../Divorce/plan.pdf'",
  "open '/home/jane doe/apps/hyperagent-Divorce/plan.pdf'",
  '../Divorce/plan.pdf',
  './Divorce/plan.pdf',
  '~bob/Divorce/x',
  '$HOME/Divorce',
  '%USERPROFILE%\\Divorce',
  "'http://h/a Divorce'",
  'GET https://clinic.example/Divorce?q=1',
  'GET https://clinic.example?Divorce',
  'GET https://clinic.example#Divorce',
  'GET https:\\\\clinic.example\\Divorce',
  'GET http://127.0.0.1:11434/Divorce',
  'GET http://localhost/api/Divorce?x=Divorce',
  'wss://clinic.example/Divorce',
  'ws://127.0.0.1:9222/Divorce',
  'ftp://clinic.example/Divorce',
  'app://page/Divorce',
  '{"url":"https://clinic.example/Divorce","x":1}',
  'Unexpected token \'D\', "Divorce now" is not valid JSON',
  'Unexpected token \'D\', ..."a "Divorce" "... is not valid JSON',
  'Command failed: rm -rf Divorce',
])('names of files and pages are not in the log: %s', (text) => {
  const shown = cleaner.logLine(text);
  expect(shown).not.toMatch(/Divorce|plan|Steuer/);
  // Cleaning again changes nothing.
  expect(cleaner.logLine(shown)).toBe(shown);
});

it.each([
  ['at run (/home/jane doe/apps/hyperagent/out/a.js:1:2)', 'at run ([app]/out/a.js:1:2)'],
  ['at file:///home/jane doe/apps/hyperagent/out/a.js:1:2', 'at file:[app]/out/a.js:1:2'],
  ['at node:internal/process/task_queues:105:5'],
  ['at x (node:internal/modules/cjs/loader:1554:14)'],
  [
    'at x (/home/bob/b c/node_modules/undici/lib/core/request.js:12:3)',
    'at x ([path]/node_modules/undici/lib/core/request.js:12:3)',
  ],
  ['at C:\\Program Files\\HyperAgent Desktop\\resources\\app.asar\\out\\main\\index.js:1:2'],
  ['at x (/home/bob/dev/x.js:12:3)', 'at x ([path]:12:3)'],
  ['open /home/jane doe/x: EACCES', 'open ~/…: EACCES'],
  ["spawn '/usr/bin/bwrap' ENOENT"],
  ['POST /api/chat failed: 404'],
  ['POST http://10.0.0.5:8080/v1/chat/completions', 'POST http://10.0.0.5:8080/v1/…'],
  ['(http://127.0.0.1:11434).'],
  ['http://[::1]:11434/, and/or text/event-stream'],
  [`open '${DATA}/hyperagent.db'`, "open '~/.local/share/hyperagent/hyperagent.db'"],
  [`open '${DATA}/workspaces/thr_1/a b'`, "open '~/.local/share/hyperagent/workspaces/thr_1/…'"],
  [`open '${DATA}/my file'`, "open '~/.local/share/hyperagent/…'"],
])('what the app named stays: %s', (text, shown = text) => {
  expect(cleaner.logLine(text)).toBe(shown);
});

it('shows nothing below a data folder that is a home folder, or contains one', () => {
  for (const dataDir of ['/home/jane doe', '/home', '/']) {
    const shown = janesCleaner({ dataDir }).logLine("open '/home/jane doe/logs/thr_1/x'");
    expect(shown).toBe("open '~/…'");
  }
});
