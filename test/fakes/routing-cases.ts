import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Route, RunMode } from '#contract/vocabulary.ts';

/** What a task takes, in the eyes of a sensible person. */
export const ExpectedRoute = Route.exclude(['uncertain']);
export type ExpectedRoute = z.infer<typeof ExpectedRoute>;

/** A query and the route that a sensible person would send it. */
export const RoutingCase = z.strictObject({
  query: z.string(),
  mode: RunMode.optional(),
  expect: ExpectedRoute,
  lang: z.enum(['en', 'zh', 'mixed']).optional(),
  /** Whether the words themselves ask for this route. */
  explicit: z.boolean().optional(),
});
export type RoutingCase = z.infer<typeof RoutingCase>;

/** The cases of a file, one JSON object a line. Throws an `Error` that names file and line. */
export function readRoutingCases(file: string): RoutingCase[] {
  return readText(file)
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      const where = `${file}:${index + 1}`;
      const parsed = RoutingCase.safeParse(parseLine(line, where));
      if (parsed.success) return [parsed.data];
      const [issue] = parsed.error.issues;
      const field = issue?.path.join('.') ?? '';
      throw new Error(`${where}: ${field === '' ? '' : `${field}: `}${issue?.message}`);
    });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file}: this file cannot be read`, { cause: error });
  }
}

function parseLine(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new Error(`${where}: this is no JSON (${(error as Error).message})`, { cause: error });
  }
}
