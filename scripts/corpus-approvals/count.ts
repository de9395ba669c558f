import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  ApprovalCall,
  type AskedLevel,
  type Outcome,
  outcomeOf,
} from '../../test/fakes/approval-bench.ts';

const DayCall = ApprovalCall.extend({ task: z.string(), tainted: z.boolean() });
export type DayCall = z.infer<typeof DayCall>;

export function readDay(file: string): DayCall[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => DayCall.parse(JSON.parse(line)));
}

/** What becomes of the calls of a day under a level; `asked` names the questions. */
export async function countDay(
  day: readonly DayCall[],
  level: AskedLevel,
): Promise<Record<Outcome, number> & { readonly asked: readonly string[] }> {
  const count = { run: 0, ask: 0, park: 0, deny: 0, block: 0 };
  const asked: string[] = [];
  for (const { task, tainted, ...call } of day) {
    const outcome = await outcomeOf(call, level, { isTainted: tainted });
    count[outcome] += 1;
    if (outcome === 'run') continue;
    asked.push(`${outcome}: ${call.tool} ${JSON.stringify(call.arguments).slice(0, 90)} (${task})`);
  }
  return { ...count, asked };
}
