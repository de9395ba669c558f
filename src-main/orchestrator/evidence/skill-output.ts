import { z } from 'zod';
import type { Workspace } from '../../sandbox/types.ts';
import { appFacts } from './app-points.ts';
import { checkFile } from './file-opens.ts';
import { type CheckedFact, fact } from './types.ts';

/** What skills say of their own checks, where they say it. */
const SelfChecked = z.object({
  tests: z.string().nullish().catch(null),
  tests_passed: z.boolean().nullish().catch(null),
  findings: z
    .array(z.object({ statement: z.string(), verified: z.boolean() }))
    .nullish()
    .catch(null),
  unverified_numbers: z
    .array(z.object({ number: z.string(), statement: z.string() }))
    .nullish()
    .catch(null),
  not_reviewed: z
    .array(z.object({ line: z.number(), end_line: z.number() }))
    .nullish()
    .catch(null),
});

const MAX_FACTS = 20;

/** What the output of a skill shows: files that it names, tests that it ran, and what it could not check itself. */
export async function checkSkillOutput(
  output: Readonly<Record<string, unknown>>,
  files: Pick<Workspace, 'read' | 'list'>,
): Promise<CheckedFact[]> {
  const facts: CheckedFact[] = [];
  const { tests, tests_passed, findings, unverified_numbers, not_reviewed } =
    SelfChecked.parse(output);
  if (tests_passed !== undefined && typeof tests === 'string' && tests !== '') {
    const state = tests_passed === null ? 'unknown' : tests_passed ? 'holds' : 'fails';
    const evidence = {
      unknown: 'They could not be run.',
      holds: 'The skill ran them.',
      fails: 'They failed.',
    };
    facts.push(fact('The tests of the code pass', state, evidence[state]));
  }
  const doubtful = new Set(
    (findings ?? []).filter((one) => !one.verified).map((one) => one.statement),
  );
  for (const statement of doubtful) {
    facts.push(fact(statement, 'unknown', 'No program of the skill showed all of its numbers.'));
  }
  for (const { number, statement } of unverified_numbers ?? []) {
    if (doubtful.has(statement)) continue;
    facts.push(fact(`The figure ${number}`, 'unknown', 'No program of the skill showed it.'));
  }
  for (const { line, end_line } of not_reviewed ?? []) {
    facts.push(fact(`Lines ${line} to ${end_line} were reviewed`, 'unknown', 'They were not.'));
  }
  facts.push(...appFacts(output));
  for (const path of pathsIn(output)) facts.push(await checkFile(files, path));
  return facts.slice(0, MAX_FACTS);
}

/** Values of fields that name a file: `path`, `chart_path`. */
function pathsIn(output: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(output).flatMap(([name, value]) => {
    if (!/(?:^|_)path$/.test(name) || typeof value !== 'string') return [];
    const path = value.replace(/^\/workspace\//, '');
    return path === '' || path.startsWith('/') ? [] : [path];
  });
}
