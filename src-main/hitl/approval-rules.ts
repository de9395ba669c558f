import { posix } from 'node:path';
import type { ApprovalRule, RuleDraft } from '#contract/entities.ts';
import type { ApprovalPolicy, PolicyLevel, RiskLevel } from '#contract/vocabulary.ts';
import { MOST_PATH_CHARS, matchesGlob } from '../base/path-glob.ts';
import { parseArgvPattern } from './argv.ts';
import { isDangerousWord } from './dangerous-words.ts';
import { matchesPattern } from './rule-pattern.ts';

/** What of a call rules look at, beside its arguments as text. */
export interface CallSubjects {
  /** Files that it touches as they are written, relative to the workspace. */
  readonly paths?: readonly string[];
  /** What it does with a link at the end of a path: goes where it leads, unless given. */
  readonly lastLink?: 'follow' | 'keep';
  /** Where these paths lead, over no link, in their order; absent where nobody looked. */
  readonly opened?: readonly string[];
  /** Files below these, where the call takes them along. */
  readonly below?: readonly string[];
  readonly hosts?: readonly string[];
  /** The words of a command that is plain, so that the shell takes it as it is read here. */
  readonly argv?: readonly string[] | null;
}

export interface JudgedCall {
  readonly toolName: string;
  /** Canonical JSON. */
  readonly argumentsText: string;
  readonly subjects: CallSubjects;
}

export interface Standing {
  readonly rules: readonly ApprovalRule[];
  readonly threadId: string;
  /** What the run was started with. */
  readonly approve: ApprovalPolicy;
  readonly level: PolicyLevel;
  /** What of other parties came into the task. */
  readonly taint: readonly string[];
}

/** What stands for a call before anybody is asked. */
export type Verdict =
  | { readonly kind: 'run'; readonly by: 'risk' | 'rule' | 'policy' }
  | { readonly kind: 'deny'; readonly by: 'rule' | 'policy'; readonly reason: string }
  | { readonly kind: 'ask'; readonly reasons: readonly string[] };

const NOBODY = 'This run may not do anything that needs approval.';

/**
 * Whether a call runs, is denied, or is put to the person. Rules first, deny over ask over approve;
 * then its risk; then what the run was started with. An approving rule does not reach a call of high
 * risk once something of another party came into the task.
 */
export function judge(call: JudgedCall, risk: RiskLevel, standing: Standing): Verdict {
  const { approve, level, taint } = standing;
  const rule = strongestRule(call, standing);
  if (rule?.decision === 'deny') {
    return { kind: 'deny', by: 'rule', reason: 'A rule of the person denies this.' };
  }
  if (rule?.decision === 'ask') {
    if (approve === 'never') return { kind: 'deny', by: 'policy', reason: NOBODY };
    return { kind: 'ask', reasons: ['A rule of yours says to ask every time.'] };
  }
  if (!isRisky(risk, level)) return { kind: 'run', by: 'risk' };
  if (approve === 'all') return { kind: 'run', by: 'policy' };
  const isTainted = risk === 'high' && taint.length > 0;
  if (rule !== null && !isTainted) return { kind: 'run', by: 'rule' };
  if (approve === 'never') return { kind: 'deny', by: 'policy', reason: NOBODY };
  return { kind: 'ask', reasons: rule === null ? [] : [taintedReason(taint)] };
}

function isRisky(risk: RiskLevel, level: PolicyLevel): boolean {
  return risk === 'high' || (risk === 'medium' && level === 'ask_risky');
}

function taintedReason(taint: readonly string[]): string {
  return `A rule of yours would allow this, but the task holds what others wrote (${shownSources(taint)}), which may have put it there.`;
}

/** The first of what others brought into a task, for a reason. */
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
 * Whether a rule speaks of this call. To approve, it must cover everything that the call touches; to
 * deny or to ask, one thing is enough.
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
      // A yes to a program is none to what lets it run others or delete: that needs words of its own.
      const extra = rest.slice(prefix.length - 1);
      return rule.decision !== 'approve' || !extra.some((word) => isDangerousWord(program, word));
    }
  }
}

/** No system opens such a path; globs take time with it, and to go up in it step by step takes the square of that. */
const isTooLong = (path: string): boolean => path.length > MOST_PATH_CHARS;

/** A rule that denies or asks means a file in any case of its letters, for many file systems do too, and what is too long for one. */
function reachesPath({ pattern, decision }: Pick<RuleDraft, 'pattern' | 'decision'>, path: string) {
  if (isTooLong(path)) return decision !== 'approve';
  if (decision === 'approve') return matchesGlob(pattern, path);
  const plain = (text: string): string => text.normalize('NFC').toLowerCase();
  return matchesGlob(plain(pattern), plain(path));
}

/** `example.org` is that host; `*.example.org` is what lies below it. */
function matchesHost(pattern: string, host: string): boolean {
  const [wanted, given] = [pattern.toLowerCase().replace(/\.$/, ''), host.toLowerCase()];
  if (!wanted.startsWith('*.')) return wanted === given;
  return given.endsWith(wanted.slice(1)) && given.length > wanted.length - 1;
}
