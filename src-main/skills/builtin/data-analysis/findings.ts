import { z } from 'zod';
import type { LoopCall } from '../../types.ts';
import type { DataProfile } from './data-profile.ts';
import { describeProfile } from './describe-profile.ts';
import { NumberEvidence, typedFigures } from './number-evidence.ts';
import { numbersIn } from './numbers.ts';

/** A model's report on an analysis. */
export const Summary = z.object({
  summary: z.string().min(1),
  findings: z
    .array(z.object({ statement: z.string().min(1) }))
    .min(1)
    .max(12),
});
export type Summary = z.infer<typeof Summary>;

export interface CheckedFinding {
  readonly statement: string;
  /** As the statement writes them. */
  readonly numbers: readonly string[];
  /** Whether all of them are figures of the data. */
  readonly verified: boolean;
}

export interface UnverifiedNumber {
  readonly number: string;
  /** `summary`, or the statement that contains it. */
  readonly statement: string;
}

export interface CheckedSummary {
  readonly summary: string;
  readonly findings: readonly CheckedFinding[];
  readonly unverified: readonly UnverifiedNumber[];
}

/** Characters of a profile that count as evidence: far more than the model sees. */
const EVIDENCE_CHARS = 2_000_000;

/**
 * The figures of an analysis: those of the profile, and those that programs printed. Files that the model
 * itself wrote prove nothing, nor do figures in a program's source that it only prints. A number from the
 * user's request, such as a limit, counts where a program used it.
 */
export function collectEvidence(parts: {
  readonly request: string;
  readonly profile: DataProfile;
  readonly calls: readonly LoopCall[];
}): NumberEvidence {
  const { request, profile, calls } = parts;
  const evidence = new NumberEvidence();
  evidence.add(describeProfile(profile, EVIDENCE_CHARS));
  evidence.add(`${profile.files.length} files`);
  const written = new Set(
    calls.flatMap(({ name, arguments: given }) =>
      name === 'sandbox_file' && given.operation !== 'read' ? [pathOf(given)] : [],
    ),
  );
  const code = new NumberEvidence();
  for (const { name, arguments: given, status, content } of calls) {
    if (status !== 'ok') continue;
    if (name === 'sandbox_file' && (given.operation !== 'read' || written.has(pathOf(given)))) {
      continue;
    }
    if (name === 'execute_code') {
      const program = String(given.code ?? '');
      code.add(program);
      evidence.add(printed(content), typedFigures(program));
    } else {
      evidence.add(content);
    }
  }
  for (const number of numbersIn(request)) {
    if (code.unsupported(number.text).length === 0) evidence.addNumber(number);
  }
  return evidence;
}

/** What a program printed, without what the app adds: the exit code, sizes of files. */
function printed(content: string): string {
  const start = content.indexOf('stdout:\n');
  if (start < 0) return '';
  const end = content.lastIndexOf('\nfiles changed:\n');
  return content.slice(start, end < start ? undefined : end);
}

function pathOf({ path, destination }: LoopCall['arguments']): string {
  return String(destination ?? path ?? '').replace(/^\/workspace\/+/, '');
}

/** Checks each number of a summary against the evidence. */
export function checkSummary(
  { summary, findings }: Summary,
  evidence: NumberEvidence,
): CheckedSummary {
  const unverified: UnverifiedNumber[] = evidence
    .unsupported(summary)
    .map((number) => ({ number, statement: 'summary' }));
  const checked = findings.map(({ statement }): CheckedFinding => {
    const missing = evidence.unsupported(statement);
    unverified.push(...missing.map((number) => ({ number, statement })));
    const numbers = [...new Set(numbersIn(statement).map(({ text }) => text))];
    return { statement, numbers, verified: missing.length === 0 };
  });
  return { summary, findings: checked, unverified };
}

/** A request to the model to correct numbers without evidence. */
export function describeUnverified({ unverified }: CheckedSummary): string {
  const lines = unverified.map(({ number, statement }) => `- ${number} in: ${statement}`);
  return [
    'These numbers are in your report, but neither in the profile nor in what the programs printed:',
    ...lines,
    'Correct them to figures from there, or leave the statements out. Give the whole report again.',
  ].join('\n');
}
