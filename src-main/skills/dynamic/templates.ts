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
    description: 'Makes Markdown or JSON of a CSV file of the workspace.',
    language: 'typescript',
  },
  {
    id: 'compare-opinions',
    name: 'Compare opinions',
    description: 'Asks the models of several tiers the same and compares what they say.',
    language: 'typescript',
  },
  {
    id: 'extract-facts',
    name: 'Extract facts by a schema',
    description: 'Reads pages and takes the same fields out of each.',
    language: 'javascript',
  },
];

/** Skills to begin with, and the types of what a skill is given. `root` is the app's folder. */
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
