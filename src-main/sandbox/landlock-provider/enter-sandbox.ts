import { openSync, readSync, statSync, writeSync } from 'node:fs';
import {
  allowPath,
  assertNoTcp,
  becomeUser,
  close,
  closeOnExec,
  createRuleset,
  dieWithParent,
  dropCapabilities,
  installFilter,
  ownMounts,
  replaceBy,
  restrictSelf,
  setNoNewPrivileges,
} from './kernel-calls.ts';
import { FILE_RIGHTS, type LandlockPlan } from './landlock-plan.ts';

/** Descriptor of the stream to the launcher. */
const LAUNCHER_FD = 3;
const O_PATH = 0o10000000;
const O_CLOEXEC = 0o2000000;

/**
 * Restricts this process as planned, step by step, and becomes the shell. A step that fails throws: nothing runs
 * with less.
 */
export function enterSandbox(plan: LandlockPlan): never {
  if (plan.ownMounts !== null) ownMounts(plan.ownMounts);
  // While root can still open them.
  const rules = openRules(plan);
  if (plan.user === null) dropCapabilities();
  else becomeUser(plan.user);
  dieWithParent();
  if (plan.noNewPrivileges) setNoNewPrivileges();
  if (Object.values(plan.handled).some((rights) => rights !== 0)) {
    const ruleset = createRuleset(plan.handled);
    for (const { descriptor, access } of rules) allowPath(ruleset, descriptor, access);
    restrictSelf(ruleset);
  }
  // What the filter is about to hide from the probes.
  assertNoTcp();
  for (const { descriptor } of rules) close(descriptor);
  process.chdir(plan.workingDir);
  const listener = installFilter(Buffer.from(plan.filter, 'base64'), plan.asks);
  if (plan.asks) handOver(listener);
  closeOnExec();
  replaceBy(plan.command, plan.environment);
}

function openRules({ rules, handled }: LandlockPlan): { descriptor: number; access: number }[] {
  if (handled.files === 0) return [];
  return rules.flatMap(({ path, access }) => {
    const status = statSync(path, { throwIfNoEntry: false });
    // Not every system has every folder.
    if (status === undefined) return [];
    const descriptor = openSync(path, O_PATH | O_CLOEXEC);
    const fitting = status.isDirectory() ? access : access & FILE_RIGHTS;
    return [{ descriptor, access: fitting & handled.files }];
  });
}

/** Tells the launcher where the questions of the filter are read, and waits until it has them. */
function handOver(listener: number): void {
  writeSync(LAUNCHER_FD, `${listener}\n`);
  if (readSync(LAUNCHER_FD, Buffer.alloc(1)) !== 1) throw new Error('the launcher has ended');
}
