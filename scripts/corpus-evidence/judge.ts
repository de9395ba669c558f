import type { MadeCall } from '#main/agents/types.ts';
import { checkActions } from '#main/orchestrator/evidence/action-facts.ts';
import { readClaims } from '#main/orchestrator/evidence/claims.ts';
import { checkStatedCommands } from '#main/orchestrator/evidence/command-facts.ts';
import { checkStatedFigures } from '#main/orchestrator/evidence/figure-facts.ts';
import { readRecordedTests } from '#main/orchestrator/evidence/recorded-tests.ts';
import type { CheckedFact } from '#main/orchestrator/evidence/types.ts';
import type { EvidenceCase, EvidenceVerdict } from '../../test/fakes/evidence-cases.ts';
import { recordedFile } from './recorded-file.ts';

type RecordedCall = EvidenceCase['calls'][number];

/** A recorded call as the app has it. */
export function toMadeCall({
  tool,
  arguments: given,
  exit_code: code,
  output,
}: RecordedCall): MadeCall {
  const status = code === 0 ? 'ok' : 'error';
  const content = `exit code ${code}\nstdout:\n${output}`;
  switch (tool) {
    case 'run_command':
      return { name: 'shell_command', arguments: given, status, content };
    case 'execute_python':
      return { name: 'execute_code', arguments: { ...given, language: 'python' }, status, content };
    case 'execute_script':
      return { name: 'execute_script', arguments: { script: given.code }, status, content };
    case 'write_file':
      return {
        name: 'sandbox_file',
        arguments: { ...given, operation: 'write' },
        status,
        content: output,
      };
    case 'fetch_page':
      return { name: 'fetch_page', arguments: given, status, content: output };
  }
}

/**
 * What the rules of the app make of a claim by its recorded calls. Two things are not here that the app has: it opens
 * files itself, and runs tests itself; here the record stands for both.
 */
export async function judgeCase({
  calls: recorded,
  claim,
}: EvidenceCase): Promise<EvidenceVerdict> {
  const calls = recorded.map(toMadeCall);
  const verdicts: EvidenceVerdict[] = [];
  const { files, tests } = readClaims(claim);
  if (tests !== null) {
    const { verdict } = readRecordedTests(tests, calls);
    verdicts.push(
      verdict === 'shown' ? 'verified' : verdict === 'contradicted' ? verdict : 'unverified',
    );
  }
  for (const path of files) verdicts.push(recordedFile(path, calls));
  const facts: CheckedFact[] = [
    ...checkStatedCommands(claim, calls),
    ...(await checkStatedFigures(claim, { calls, prompt: '', hasData: true, isStatement: true })),
  ];
  if (verdicts.length === 0 && facts.length === 0) facts.push(...checkActions(claim, calls));
  verdicts.push(...facts.map(verdictOf));
  if (verdicts.includes('contradicted')) return 'contradicted';
  return verdicts.length > 0 && verdicts.every((one) => one === 'verified')
    ? 'verified'
    : 'unverified';
}

function verdictOf({ state, isMissing }: CheckedFact): EvidenceVerdict {
  if (state === 'holds') return 'verified';
  return state === 'fails' && isMissing !== true ? 'contradicted' : 'unverified';
}
