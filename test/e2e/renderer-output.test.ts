import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

const OUTPUT = `${Array.from({ length: 5_000 }, (_, i) => `line ${i + 1} of many`).join('\n')}\n`;
const call = { toolCallId: 'call-1', name: 'execute_code' };
const EVENTS: readonly RunEventDraft[] = [
  {
    ...{ type: 'tool_call', ...call, risk: 'high', effect: 'opaque', agent: 'executor', round: 1 },
    arguments: { language: 'bash', code: 'seq 5000' },
  },
  {
    ...{ type: 'terminal_command', commandId: 'c', toolCallId: 'call-1', command: 'seq 5000' },
    ...{ language: 'bash', cwd: '/workspace' },
  },
  { type: 'terminal_output', commandId: 'c', offset: 0, text: OUTPUT },
  {
    ...{ type: 'terminal_complete', commandId: 'c', outcome: 'completed', exitCode: 0 },
    durationMs: 5,
  },
  {
    ...{ type: 'code_result', toolCallId: 'call-1', language: 'bash', outcome: 'completed' },
    ...{ exitCode: 0, stdout: OUTPUT.slice(-4_000), stderr: '', durationMs: 5 },
  },
  { ...{ type: 'tool_result', ...call, status: 'ok', content: 'line 1 …', durationMs: 5 } },
  {
    ...{ type: 'complete', outcome: 'completed', answer: 'Done.', durationMs: 9, rounds: 1 },
    toolCalls: 1,
  },
];

describe.skipIf(chromiumPath === null)(`a long output${chromiumNote}`, () => {
  const window = useWindow();

  it('shows its beginning and its end, says what is hidden, and is there in full', async () => {
    const { page } = window;
    await window.goto('');
    await page.evaluate((drafts) => {
      const { fake } = globalThis;
      const [first] = fake.state.runs;
      if (first === undefined) throw new Error('The fake main has no runs.');
      fake.addLog({ ...first, id: 'long', threadId: 't-run', status: 'completed' }, drafts);
    }, EVENTS);
    await page.evaluate(`location.hash = '#/task/t-run'`);
    await page.getByRole('button', { name: /^Ran/ }).click();
    const output = page.locator('.tool-details .output');
    await output.getByText('4,920 lines hidden').waitFor();
    const shown = await output.innerText();
    expect(shown.startsWith('line 1 of many\n')).toBe(true);
    expect(shown.trimEnd().endsWith('line 5000 of many')).toBe(true);
    expect(shown).not.toContain('line 2500 of many');

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as a file' }).click(),
    ]);
    expect(await text(await file.createReadStream())).toBe(OUTPUT);

    await page.getByRole('button', { name: 'Show all 5,000 lines' }).click();
    expect(await output.innerText()).toContain('line 2500 of many');
    await page.getByRole('button', { name: 'Show the beginning and the end' }).click();
    await output.getByText('4,920 lines hidden').waitFor();
  });
});
