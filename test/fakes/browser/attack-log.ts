import { appendFileSync } from 'node:fs';

/** Writes a line for each case to the file that `HYPERAGENT_ATTACK_LOG` names; nothing without it. */
export function logAttack(line: string): void {
  const file = process.env.HYPERAGENT_ATTACK_LOG ?? '';
  if (file !== '') appendFileSync(file, `${line}\n`);
}
