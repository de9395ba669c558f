import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A statement beside a source, and whether a careful reader finds it there. */
export const CitationCase = z.strictObject({
  source: z.string().min(1),
  statement: z.string().min(1),
  supported: z.boolean(),
  /** How it was altered: `negated`, `swapped-figure`, `swapped-subject`, …; or a kind of true one. */
  kind: z.string(),
  /** Where the source is from. */
  origin: z.string().optional(),
  /** Statement and source are in different languages. */
  cross: z.boolean().optional(),
});
export type CitationCase = z.infer<typeof CitationCase>;

/** The cases of a file, one JSON object a line. Throws an `Error` that names file and line. */
export function readCitationCases(file: string): CitationCase[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file}: this file cannot be read`, { cause: error });
  }
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const where = `${file}:${index + 1}`;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      throw new Error(`${where}: this is no JSON (${(error as Error).message})`, { cause: error });
    }
    const parsed = CitationCase.safeParse(value);
    if (parsed.success) return [parsed.data];
    const [issue] = parsed.error.issues;
    throw new Error(`${where}: ${issue?.path.join('.') ?? ''}: ${issue?.message}`);
  });
}
