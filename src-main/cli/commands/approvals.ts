import type { PolicyLevel } from '#contract/vocabulary.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';

export interface ApprovalFlags {
  readonly level?: PolicyLevel;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** What the user is asked about at each level. */
export const MEANINGS: Readonly<Record<PolicyLevel, string>> = {
  ask_every_time:
    'every program, every change to a file, and everything that reaches another computer',
  ask_on_exit:
    'only what leaves the sandbox; where its isolation is not verified, as ask_every_time',
  unattended: 'the same as ask_on_exit, but runs park instead of waiting for an answer',
};
const NOT_CHOSEN =
  'Level: not chosen. Calls of high risk ask. Choose with: hyperagent approvals --level';

/** `hyperagent approvals`: applies the flag, then shows when the user is asked. */
export async function showApprovals(
  { level, dataDir, json }: ApprovalFlags,
  environment: CliEnvironment,
): Promise<number> {
  const readOnly = level === undefined;
  await using app = await openApp(environment, { dataDir, attended: false, readOnly });
  if (!readOnly) app.api['settings.update']({ changes: { policyLevel: level } });
  const { policyLevel, approve } = app.api['settings.get']().settings;
  const described =
    policyLevel === null
      ? `${NOT_CHOSEN} LEVEL (${Object.keys(MEANINGS).join(', ')})`
      : `Level: ${policyLevel}. Asks about ${MEANINGS[policyLevel]}.`;
  print(json ? jsonLine({ level: policyLevel, approve }) : `${described}\nApprovals: ${approve}\n`);
  return EXIT.complete;
}
