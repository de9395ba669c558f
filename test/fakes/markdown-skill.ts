import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from '#main/compose/app.ts';

/** Puts files below a folder, and gives that. */
export function putFiles(dir: string, files: Readonly<Record<string, string | Buffer>>): string {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(dir, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return dir;
}

/** A skill with steps of every kind: a checkpoint, a file, one that may be left out, one that ends with both. */
export const TEA: Readonly<Record<string, string>> = {
  'SKILL.md': `---
name: tea-maker
description: Makes tea by the rules of the house. Use for tea.
allowed-tools: Read Write
---
# Tea

## Steps

1. **Agree on the tea.** Ask, \`checkpoint: tea_params\`.
2. **Plan it.** Read [the plan](subskill/plan.md).
3. **Warm the pot.** (optional) call → warm
4. **Pour and report.** Read [the report](subskill/report.md), then \`checkpoint: what_next\`.
`,
  'subskill/plan.md': 'PLAN: three grams a cup.\n',
  'subskill/warm.md': 'WARM: with hot water.\n',
  'subskill/report.md': 'REPORT: say how it tastes.\n',
  'notes.md': 'NOTES: of no step.\n',
};

/** The same, whose first checkpoint comes after the work of its step: it holds no effects. */
export const REVIEWED_TEA: typeof TEA = {
  ...TEA,
  'SKILL.md': TEA['SKILL.md']?.replace('tea.** Ask', 'tea.** (review) Ask') ?? '',
};

/** Looks at a Markdown skill as the person would, and says yes to what is there. */
export async function approveSkill(app: App, skillId: string): Promise<void> {
  app.api['skills.refresh']();
  const { sha256 } = (await app.api['skills.review']({ skillId })).review;
  await app.api['skills.approve']({ skillId, sha256, capabilities: [] });
}
