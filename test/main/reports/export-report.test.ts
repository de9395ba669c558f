import { expect, it } from 'vitest';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import { collectReport } from '#main/reports/collect-report.ts';
import { exportReport } from '#main/reports/export-report.ts';
import { reportFonts, shippedFonts } from '#main/reports/report-fonts.ts';
import { reportToHtml } from '#main/reports/report-html.ts';
import { reportToPdf } from '#main/reports/report-pdf.ts';

const HOSTILE = '<script>alert(1)</script> & "quoted" \u0007bell';

function events(title: string, drafts: readonly RunEventDraft[] = []): RunEvent[] {
  const said = 'The station has 320 MW \\<b\\> and costs 5 \\* 3.';
  const report: RunEventDraft = {
    ...{ type: 'report', reportId: 'r1', title, path: 'research/station.md' },
    markdown: `# ${title}\n\n## Summary\n\n${said} [1][7]\n\n- **Cost**: 青岚湖的总磷浓度 ⚠ [2] \`a<b\`\n\n## Sources\n\n**[1]** A — <https://a.test/>\n\n> old quotation\n\n## Pages not used\n\n- \`https://b.test/\`: dead\n`,
    citations: [
      { claim: said, sourceIndex: 1, excerptNumber: 1, supported: true },
      { claim: 'Cost', sourceIndex: 2, excerptNumber: 1, supported: false },
    ],
    ...{ agreements: [], contradictions: [], gaps: [] },
  };
  const source = (index: number, url: string, text: string): RunEventDraft => ({
    ...{ type: 'source', index, url, title: `Source ${index} ${HOSTILE}` },
    excerpts: [
      { number: 1, text },
      { number: 2, text: 'an excerpt that nothing cites' },
    ],
  });
  const all: RunEventDraft[] = [
    source(1, 'https://a.test/?q=1&r=<2>', 'A capacity of 320 MW, “as built”.'),
    source(2, 'javascript:alert(1)', '青岚湖的总磷浓度在2022年降至每升0.04毫克。'),
    source(3, 'https://c.test/', 'Not cited.'),
    report,
    ...drafts,
  ];
  return all.map((draft, at) => ({ runId: 'run_1', seq: at + 1, at: 1, ...draft }) as RunEvent);
}

it('makes one well-formed page without scripts, whose references link to its notes', async () => {
  const { fileName, mimeType, data } = await exportReport(events('Station'), { format: 'html' });
  const html = data.toString('utf8');
  expect([fileName, mimeType]).toEqual(['station.html', 'text/html; charset=utf-8']);
  expect(html).not.toMatch(/<script|javascript:[^<]*"|\son\w+=|href="javascript/i);
  expect(html.includes('\u0007')).toBe(false);
  expect(html).toContain('has 320 MW &lt;b&gt; and costs 5 * 3.');
  expect(html).toContain('<code>javascript:alert(1)</code>');
  expect(html).toContain('href="https://a.test/?q=1&amp;r=&lt;2&gt;"');
  // The notes have the cited excerpts only, and replace the list of the Markdown.
  expect(html).toContain('A capacity of 320 MW, “as built”.');
  expect(html).not.toMatch(/nothing cites|Not cited|old quotation/);
  expect(html).toMatch(/prefers-color-scheme:dark.*@media print/s);
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(targets.length).toBe(4);
  expect(targets.filter((id) => !ids.has(id))).toEqual([]);
  // A reference without a source is text.
  expect(html).toContain('</a>[7]');
  expect(openTags(html)).toEqual([]);
});

/** Tags that are not closed, or closed in the wrong order. */
function openTags(html: string): string[] {
  const open: string[] = [];
  for (const [, slash, name = '', inner = ''] of html.matchAll(
    /<(\/?)([a-z][a-z0-9]*)([^<>]*)>/g,
  )) {
    if (inner.endsWith('/')) continue;
    if (slash === '') open.push(name);
    else if (open.at(-1) === name) open.pop();
    else return [`${name} closes ${open.at(-1)}`];
  }
  return open;
}

const RICH = `# Plan

1. first
   - below *that*
2. second <img src=x onerror=alert(1)>

| Part | Price |
|---|--:|
| Wheel | 5 &lt; 6 [1] |

\`\`\`
a < b [1]
\`\`\`

[a page](https://p.test/?a=1&b=2 "t"), [none](javascript:alert(1)), ![a picture](https://p.test/p.png), [see [1]](https://q.test/)

<script>alert(2)</script>
`;

function withMarkdown(markdown: string): ReturnType<typeof collectReport> {
  const collected = collectReport(events('Plan'));
  return { ...collected, report: { ...collected.report, markdown } };
}

it('renders lists, tables, code and links, and nothing that runs or loads', async () => {
  const html = await reportToHtml(withMarkdown(RICH));
  for (const piece of [
    '<ol>\n<li>first<ul>\n<li>below <em>that</em></li>\n</ul>\n</li>',
    '<td align="right">5 &lt; 6 <a class="ref" id="ref-1" href="#source-1">[1]</a></td>',
    '<pre><code>a &lt; b [1]</code></pre>',
    '<a href="https://p.test/?a=1&amp;b=2" rel="noreferrer noopener">a page</a>, none, a picture',
    // No link within a link.
    '<a href="https://q.test/" rel="noreferrer noopener">see [1]</a>',
    'second &lt;img src=x onerror=alert(1)&gt;',
    '<p>&lt;script&gt;alert(2)&lt;/script&gt;',
  ]) {
    expect(html).toContain(piece);
  }
  expect(html).not.toMatch(/<(?:script|img)|href="javascript/);
  expect(openTags(html)).toEqual([]);
});

it('lays out lists, tables and code in a PDF', async () => {
  const plain = await textOf(await reportToPdf(withMarkdown(RICH)));
  expect(plain).toContain(
    'Plan 1. first • below that 2. second <img src=x onerror=alert(1)> Part | Price Wheel | 5 < 6 [1] a < b [1] a page, none, a picture, see [1] <script>alert(2)</script>',
  );
});

it.each([
  ['nested too deeply', '> '.repeat(4_000)],
  ['slow to parse', '1. '.repeat(50_000)],
  ['larger than any report', 'a\n\n'.repeat(3_500)],
])('writes a text line by line that is %s', async (_, text) => {
  const html = await reportToHtml(withMarkdown(`# Title <b>\n${text}`));
  expect(html).toContain('<pre><code># Title &lt;b&gt;</code></pre>');
  expect(openTags(html)).toEqual([]);
});

async function textOf(pdf: Buffer): Promise<string> {
  const { extractText, getDocumentProxy } = await import('unpdf');
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const { text } = await extractText(document, { mergePages: true });
  return text.replace(/\s+/g, ' ');
}

it('makes a PDF with extractable text, also Chinese', async () => {
  const { data, mimeType } = await exportReport(events('Station 青岚湖'), { format: 'pdf' });
  expect([mimeType, data.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-']);
  const plain = await textOf(data);
  expect(plain).toContain('The station has 320 MW <b> and costs 5 * 3. [1][7]');
  expect(plain).toContain('青岚湖的总磷浓度在2022年降至每升0.04毫克。');
  expect(plain).toContain('https://a.test/');
  expect(plain).not.toMatch(/nothing cites|old quotation/);
});

it('needs no system font, even for rare characters and symbols', async () => {
  const title = 'Ångström – Москва, “繁體字” 龘 ⚠ → ≤ ①';
  const pdf = await reportToPdf(collectReport(events(title)), reportFonts([]));
  expect(await textOf(pdf)).toContain(title);
});

it('names the letters that no font has, and reports missing fonts', async () => {
  const collected = collectReport(events('Station'));
  const latin = shippedFonts().filter(({ file }) => /sc-latin-400-normal\.woff$/.test(file));
  await expect(reportToPdf(collected, latin)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/has these letters of the report: .*青.*Noto Sans CJK SC/),
  });
  await expect(reportToPdf(collected, [])).rejects.toMatchObject({
    message: expect.stringContaining('No usable font'),
  });
});

it('exports the newest report, or the one with the given id, unchanged', async () => {
  const second = {
    ...events('x').find(({ type }) => type === 'report'),
    reportId: 'r2',
    markdown: '# Second\n',
    title: 'Second',
    path: undefined,
  };
  const { runId: _run, seq: _seq, at: _at, ...draft } = second as RunEvent;
  const log = events('Station', [draft as RunEventDraft]);
  const newest = await exportReport(log, { format: 'md' });
  expect([newest.fileName, newest.data.toString()]).toEqual(['Second.md', '# Second\n']);
  const first = await exportReport(log, { format: 'md', reportId: 'r1' });
  expect(first.data.toString()).toContain('# Station');
  await expect(exportReport([], { format: 'md' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
