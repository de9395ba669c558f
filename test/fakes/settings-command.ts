import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { CliEnvironment } from '#main/cli/environment.ts';

/** A data folder for one test of a settings command, and what the command prints. */
export function settingsCommand({ policy }: Pick<CliEnvironment, 'policy'> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-settings-command-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  onTestFinished(() => write.mockRestore());
  const environment = {
    version: '1.0.0',
    rendererDir: '/nowhere',
    ...(policy === undefined ? {} : { policy }),
    loadCompose: async () => (await import('#main/compose.ts')).compose,
  };
  /** What was printed since the last time. */
  const take = (): string => printed.splice(0).join('');
  return { dataDir, environment, take };
}
