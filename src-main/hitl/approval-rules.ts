import { posix } from 'node:path';
import type { ApprovalRule, RuleDraft } from '#contract/entities.ts';
import type { ApprovalPolicy, PolicyLevel, RiskLevel } from '#contract/vocabulary.ts';
import { MOST_PATH_CHARS, matchesGlob } from '../base/path-glob.ts';
import { parseArgvPattern } from './argv.ts';
import { isDangerousWord } from './dangerous-words.ts';
import { matchesPattern } from './rule-pattern.ts';

/** What rules match in a call, besides its arguments as text. */
export interface CallSubjects {
  /** The files that it touches, as written, relative to the workspace. */
  readonly paths?: readonly string[];
  /** How it treats a link at the end of a path; follows it unless given. */
  readonly lastLink?: 'follow' | 'keep';
  /** Where these paths lead, links resolved, in the same order; absent if not checked. */
  readonly opened?: readonly string[];
  /** Files below these, if the call affects them too. */
  readonly below?: readonly string[];
  readonly hosts?: readonly string[];
  /** The words of a plain command, which the shell reads exactly as we do. */
  readonly argv?: readonly string[] | null;
}

export interface JudgedCall {
  readonly toolName: string;
  /** Canonical JSON. */
  readonly argumentsText: string;
  readonly subjects: CallSubjects;
  /** How it would leave the sandbox, where the user has not allowed that yet: one sentence each. */
  readonly exits?: readonly string[];
  /** It reaches other computers, or hands a whole job over, though its risk is low. */
  readonly isReaching?: boolean;
}

export interface Standing {
  readonly rules: readonly ApprovalRule[];
  readonly threadId: string;
  /** The approval policy that the run was started with. */
  readonly approve: ApprovalPolicy;
  /** The level in effect; null where nobody has chosen. */
  readonly level: PolicyLevel | null;
  /** Sources of other people's words in the task. */
  readonly taint: readonly string[];
}

/** The decision about a call before the user is asked. */
export type Verdict =
  | { readonly kind: 'run'; readonly by: 'risk' | 'rule' | 'policy' }
  | { readonly kind: 'deny'; readonly by: 'rule' | 'policy'; readonly reason: string }
  /** `why` says in one line why the call needs the user, where `reasons` do not. */
  | { readonly kind: 'ask'; readonly reasons: readonly string[]; readonly why?: string };

const EVERY_TIME = 'You chose to be asked every time.';
const HIGH_RISK = 'Calls of high risk ask, as long as you have chosen no approval level.';
const NOBODY = 'This run may not do anything that needs approval.';

/**
 * Whether a call runs, is denied, or the user is asked. Rules decide first, deny over ask over approve;
 * then the approval level; then the approval policy of the run. An approving rule does not cover a high-risk call
 * once other people's words are in the task.
 */
export function judge(call: JudgedCall, risk: RiskLevel, standing: Standing): Verdict {
  const { approve, level, taint } = standing;
  const rule = strongestRule(call, standing);
  if (rule?.decision === 'deny') {
    return { kind: 'deny', by: 'rule', reason: 'A rule of the user denies this.' };
  }
  if (rule?.decision === 'ask') {
    if (approve === 'never') return { kind: 'deny', by: 'policy', reason: NOBODY };
    return { kind: 'ask', reasons: ['One of your rules says to ask every time.'] };
  }
  const why = whyAsked(call, risk, level);
  if (why === null) return { kind: 'run', by: 'risk' };
  if (approve === 'all') return { kind: 'run', by: 'policy' };
  const isTainted = risk === 'high' && taint.length > 0;
  if (rule !== null && !isTainted) return { kind: 'run', by: 'rule' };
  if (approve === 'never') return { kind: 'deny', by: 'policy', reason: NOBODY };
  return rule === null
    ? { kind: 'ask', reasons: [], why }
    : { kind: 'ask', reasons: [taintedReason(taint)] };
}

/** Why a call needs the user under a level; null where it does not. */
export function whyAsked(
  { exits = [], isReaching = false }: Pick<JudgedCall, 'exits' | 'isReaching'>,
  risk: RiskLevel,
  level: PolicyLevel | null,
): string | null {
  const [exit = null] = exits;
  switch (level) {
    case 'ask_every_time':
      return risk === 'low' && !isReaching ? null : (exit ?? EVERY_TIME);
    case 'ask_on_exit':
    case 'unattended':
      return exit;
    case null:
      return risk === 'high' ? (exit ?? HIGH_RISK) : null;
  }
}

function taintedReason(taint: readonly string[]): string {
  return `One of your rules would allow this, but the task holds what others wrote (${shownSources(taint)}), which may have caused this call.`;
}

/** The first sources of other people's words, to show in a reason. */
export function shownSources(taint: readonly string[]): string {
  const more = taint.length > 3 ? ` and ${taint.length - 3} more` : '';
  return `${taint.slice(0, 3).join(', ')}${more}`;
}

function strongestRule(call: JudgedCall, { rules, threadId }: Standing): ApprovalRule | null {
  const covering = rules.filter(
    (rule) => (rule.threadId === null || rule.threadId === threadId) && covers(rule, call),
  );
  for (const decision of ['deny', 'ask', 'approve'] as const) {
    const found = covering.find((rule) => rule.decision === decision);
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * Whether a rule applies to this call. To approve, it must cover everything that the call touches; to
 * deny or ask, one thing is enough.
 */
export function covers(rule: Omit<RuleDraft, 'threadId'>, call: JudgedCall): boolean {
  if (rule.toolName !== call.toolName) return false;
  const { pattern } = rule;
  const { paths = [], opened = [], below = [], hosts = [], argv = null } = call.subjects;
  const reaches = (things: readonly string[], isCovered: (thing: string) => boolean): boolean => {
    if (things.length === 0) return false;
    return rule.decision === 'approve' ? things.every(isCovered) : things.some(isCovered);
  };
  switch (rule.match) {
    case 'arguments':
      return matchesPattern(pattern, call.argumentsText);
    case 'path': {
      const plain = (path: string): string => (isTooLong(path) ? path : posix.join(path, '.'));
      const files = [...paths.map(plain), ...opened, ...below];
      return reaches(files, (path) => reachesPath(rule, path));
    }
    case 'host':
      return reaches(hosts, (host) => matchesHost(pattern, host));
    case 'argv': {
      const prefix = parseArgvPattern(pattern);
      if (prefix === null || argv === null || !prefix.every((word, i) => argv[i] === word)) {
        return false;
      }
      const [program = '', ...rest] = argv;
      // Approving a program does not approve options that run others or delete: the rule must name those.
      const extra = rest.slice(prefix.length - 1);
      return rule.decision !== 'approve' || !extra.some((word) => isDangerousWord(program, word));
    }
  }
}

/** No system opens such a path; matching a glob with it is slow, and walking up its folders is quadratic. */
const isTooLong = (path: string): boolean => path.length > MOST_PATH_CHARS;

/** A rule that denies or asks ignores case, as many file systems do, and covers paths that are too long. */
function reachesPath({ pattern, decision }: Pick<RuleDraft, 'pattern' | 'decision'>, path: string) {
  if (isTooLong(path)) return decision !== 'approve';
  if (decision === 'approve') return matchesGlob(pattern, path);
  const plain = (text: string): string => text.normalize('NFC').toLowerCase();
  return matchesGlob(plain(pattern), plain(path));
}

/** `example.org` is that host; `*.example.org` is its subdomains. */
function matchesHost(pattern: string, host: string): boolean {
  const [wanted, given] = [pattern.toLowerCase().replace(/\.$/, ''), host.toLowerCase()];
  if (!wanted.startsWith('*.')) return wanted === given;
  return given.endsWith(wanted.slice(1)) && given.length > wanted.length - 1;
}
