import { defined } from '#contract/defined.ts';
import type { EgressConnection } from '#contract/egress.ts';
import { EGRESS_PAGE_SIZE } from '#contract/egress.ts';
import type { Api } from '../../api/create-api.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
import { showControls } from '../visible-text.ts';

export interface EgressFlags {
  readonly run?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** Every requested connection, oldest first; as JSON, one object per line. */
export async function listEgress(flags: EgressFlags, environment: CliEnvironment): Promise<number> {
  const options = { dataDir: flags.dataDir, attended: false, readOnly: true };
  await using app = await openApp(environment, options);
  const lines = readAll(app.api, flags.run);
  // Throws for an unknown run instead of listing nothing. Only here: connections outlive a deleted run.
  if (flags.run !== undefined && lines.length === 0) app.runs.get(flags.run);
  if (flags.json) for (const line of lines) print(jsonLine(line));
  else if (lines.length === 0) print('No connections.\n');
  else for (const line of lines) print(`${describe(line)}\n`);
  return EXIT.complete;
}

function readAll(api: Api, runId: string | undefined): EgressConnection[] {
  const lines: EgressConnection[] = [];
  for (let beforeId: number | undefined; ; beforeId = lines.at(-1)?.id) {
    const { connections: page } = api['egress.list'](defined({ runId, beforeId }));
    lines.push(...page);
    if (page.length < EGRESS_PAGE_SIZE) return lines.reverse();
  }
}

function describe(line: EgressConnection): string {
  const { at, verdict, reason, actor, host, port, address, sentBytes, receivedBytes } = line;
  const when = new Date(at).toISOString().replace('T', ' ').slice(0, 19);
  const where = `${showControls(host)}:${port}${address === null || address === host ? '' : ` (${address})`}`;
  const outcome = reason === null ? verdict : `${verdict} (${reason.replaceAll('_', ' ')})`;
  const bytes = verdict === 'allowed' ? `  ${sentBytes} bytes sent, ${receivedBytes} received` : '';
  const run = line.runId === null ? '' : `  ${line.runId}`;
  return `${when}  ${actor.padEnd(8)}${outcome.padEnd(26)}${where}${bytes}${run}`;
}
