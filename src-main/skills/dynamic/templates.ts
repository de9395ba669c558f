import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SkillTemplate } from '#contract/skills.ts';

const NAMES: readonly Omit<SkillTemplate, 'source'>[] = [
  {
    id: 'summarise-page',
    name: 'Summarise a page',
    description: 'Reads a page and gives its main points.',
    language: 'typescript',
  },
  {
    id: 'convert-table',
    name: 'Convert a table',
    description: 'Turns a CSV file of the workspace into Markdown or JSON.',
    language: 'typescript',
  },
  {
    id: 'compare-opinions',
    name: 'Compare opinions',
    description: 'Asks models of several tiers the same question and compares their answers.',
    language: 'typescript',
  },
  {
    id: 'extract-facts',
    name: 'Extract facts by a schema',
    description: 'Reads pages and extracts the same fields from each.',
    language: 'javascript',
  },
];

/** Starter skills, and the types of the API that a skill gets. `root` is the app's folder. */
export function readTemplates(root: string): {
  readonly templates: SkillTemplate[];
  readonly types: string;
} {
  const read = (file: string): string =>
    readFileSync(path.join(root, 'resources', 'skill-templates', file), 'utf8');
  return {
    templates: NAMES.map((template) => ({
      ...template,
      source: read(`${template.id}.${template.language === 'typescript' ? 'ts' : 'js'}`),
    })),
    types: read('hyperagent.d.ts'),
  };
}
