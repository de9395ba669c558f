import { REQUESTS } from '#contract/requests.ts';
import type { Requests } from '#main/api/types.ts';
import { silentLogger } from '#main/base/logger.ts';
import { classify } from '#main/orchestrator/classify.ts';
import { markdownToDocx } from '#main/reports/markdown-docx.ts';
import { reportToHtml } from '#main/reports/report-html.ts';
import { titleOf } from '#main/run/run-title.ts';
import { RequestRouter } from '#main/transport/request-router.ts';
import { parseFrame } from '#main/web/socket-frames.ts';
import { type FuzzTarget, HOLE } from '../types.ts';

const router = new RequestRouter(
  Object.fromEntries(
    Object.keys(REQUESTS).map((name) => [name, () => ({})]),
  ) as unknown as Requests,
  silentLogger,
);
const MARKDOWN = `# Title\n\nText **bold** \`code\` [1] <https://a.example/> ${HOLE}\n\n- item\n> quote\n\n## Sources\n\n1. x\n`;
const MARKDOWN_TOKENS = [
  '**',
  '`',
  '[1]',
  '[^1]',
  '[^1]: x\n',
  '\\',
  '<https://',
  '## ',
  '- ',
  '> ',
  '\n\n',
  '| a | b |\n|---|---|\n',
  '1. ',
  '![',
  '](',
  '*a ',
  '_',
  '~~',
  '<b>',
  '&#',
];

export const WINDOW_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'window-frame',
    faces: 'window',
    seeds: [
      '{"id":1,"name":"app.info","input":{}}',
      `{"id":2,"name":"settings.update","input":{"theme":${HOLE}}}`,
      `{"id":3,"name":"runs.respond","input":{"runId":"r","interruptId":"i","response":{"action":"modify","overrides":${HOLE}}}}`,
      `{"id":4,"name":"runs.start","input":{"prompt":"${HOLE}","options":{}}}`,
    ],
    tokens: ['{', '}', '"', '"id":', '"name":"', '"input":', '__proto__', 'runs.start', ',', '['],
    maxBytes: 4 * 1024 * 1024,
    run: async ({ text }) => {
      const parsed = parseFrame(Buffer.from(text), false);
      if (!parsed.ok) return;
      const { name, input } = parsed.frame;
      const answer = await router.handle(name, input, {} as never);
      if (!answer.ok && answer.error.code === 'INTERNAL') throw new Error(answer.error.message);
      JSON.stringify(answer);
    },
  },
  {
    name: 'prompt',
    faces: 'window',
    seeds: [
      'Read the file, then write a summary and send it to me.',
      '1. read a\n2. write b\n3. test it\n',
      `Research the history of tea: ${HOLE}. Compare sources!`,
      '先读文件，然后写一个总结。',
    ],
    tokens: [
      '\n',
      '1. ',
      ' then ',
      ' and ',
      ', ',
      '. ',
      '```\n',
      '"',
      '先',
      '然后',
      '？',
      'try ',
      ' best ',
      '- ',
      ':',
    ],
    // What a window may send as a task: `prompt` of `runs.start`.
    maxBytes: 1_000_000,
    run: ({ text }) => {
      classify({ prompt: text, skills: ['tea'] } as never);
      titleOf(text);
    },
  },
  {
    name: 'report-html',
    faces: 'model',
    seeds: [MARKDOWN],
    tokens: MARKDOWN_TOKENS,
    run: async ({ text }) => {
      const report = { title: text.slice(0, 100), markdown: text, citations: [] };
      await reportToHtml({
        report,
        sources: [{ index: 1, url: text.slice(0, 300), title: 'x', excerpts: [] }],
      } as never);
    },
  },
  {
    name: 'markdown-docx',
    faces: 'model',
    seeds: [MARKDOWN],
    tokens: MARKDOWN_TOKENS,
    run: async ({ text }) => void (await markdownToDocx(text, { title: 'x' })),
  },
];
