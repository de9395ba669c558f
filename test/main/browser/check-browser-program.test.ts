import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkBrowserProgram } from '#main/browser/check-browser-program.ts';

it.skipIf(process.platform === 'win32')(
  'a browser that is asked for its name gets no keys',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hyperagent-browser-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    process.env.OPENAI_API_KEY = 'sk-not-for-browsers';
    onTestFinished(() => void delete process.env.OPENAI_API_KEY);
    const program = join(folder, 'chromium');
    writeFileSync(program, `#!/bin/sh\nenv > ${folder}/seen\necho Chromium 1\n`, { mode: 0o755 });
    await checkBrowserProgram(program);
    const seen = readFileSync(join(folder, 'seen'), 'utf8');
    expect(seen).toMatch(/^PATH=/m);
    expect(seen).not.toContain('sk-not-for-browsers');
  },
);
