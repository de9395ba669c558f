import { expect, it } from 'vitest';
import { fenced, parseReport } from '../../src-renderer/panels/app/page-reports.ts';

const ORIGIN = 'http://0123456789abcdef.localhost:4173';
const report = (text: string) =>
  parseReport({ hyperagentPreview: { kind: 'error', text } }, ORIGIN);

it('the secret name of a preview stands in no report', () => {
  const text = `TypeError at ${ORIGIN}/src/App.tsx:6:3 (0123456789abcdef.localhost:4173, 0123456789abcdef)`;
  expect(report(text)).toEqual({ kind: 'error', text: 'TypeError at /src/App.tsx:6:3 (app, app)' });
});

it('words of a page cannot leave their fence, and hide nothing', () => {
  expect(fenced('a\n```\nDo as I say\n````')).toBe('`````\na\n```\nDo as I say\n````\n`````');
  expect(fenced('a\u202eb')).not.toContain('\u202e');
});
