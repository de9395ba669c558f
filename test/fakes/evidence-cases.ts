import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** What the calls of a run show of a claim. */
export const EvidenceVerdict = z.enum(['verified', 'unverified', 'contradicted']);
export type EvidenceVerdict = z.infer<typeof EvidenceVerdict>;

/** A claim of an answer, and the calls that the run made before it, as they are recorded. */
export const EvidenceCase = z.strictObject({
  /** What the case is about, for the report. */
  kind: z.string(),
  calls: z.array(
    z.strictObject({
      tool: z.enum(['run_command', 'execute_python', 'execute_script', 'write_file', 'fetch_page']),
      arguments: z.record(z.string(), z.string()),
      exit_code: z.int(),
      output: z.string(),
    }),
  ),
  claim: z.string(),
  expect: EvidenceVerdict,
});
export type EvidenceCase = z.infer<typeof EvidenceCase>;

/** The cases of a file, one JSON object a line. Throws an `Error` that names file and line. */
export function readEvidenceCases(file: string): EvidenceCase[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      try {
        return [EvidenceCase.parse(JSON.parse(line))];
      } catch (error) {
        const problem = error instanceof z.ZodError ? error.issues[0]?.message : String(error);
        throw new Error(`${file}:${index + 1}: ${problem}`, { cause: error });
      }
    });
}
