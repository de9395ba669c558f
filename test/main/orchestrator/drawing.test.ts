import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Orchestrator } from '#main/orchestrator/orchestrator.ts';
import type { OrchestratorParts } from '#main/orchestrator/types.ts';

it('draws the graph that docs/architecture.md shows', async () => {
  const drawing = await new Orchestrator({} as OrchestratorParts).draw();
  const edges = drawing
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => / -/.test(line));
  expect(edges).toHaveLength(10);
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/architecture.md'), 'utf8');
  const shown = docs.slice(docs.indexOf('## The orchestrator'));
  expect(edges.filter((edge) => !shown.includes(edge))).toEqual([]);
});
