import { describe, expect, it } from 'vitest';
import type { MadeCall } from '#main/agents/types.ts';
import { appFacts, builtAppFacts } from '#main/orchestrator/evidence/app-points.ts';
import { checkSkillOutput } from '#main/orchestrator/evidence/skill-output.ts';

const shown = { point: 'It adds', shown: true, evidence: 'pressing "Add"; finding "1"' };
const open = { point: 'It deletes', shown: false, evidence: 'The page still shows "1".' };
const output = { points: [shown, open], problems: [] as object[] };
const answer = (given: object): MadeCall => ({
  ...{ name: 'invoke_skill', arguments: {}, status: 'ok' },
  content: JSON.stringify({ skill_id: 'app_builder', success: true, output: given }),
});

describe('an app that a skill built', () => {
  it('has a fact for each point, which holds where a test showed it and is unknown else', () => {
    const facts = [
      { claim: 'It adds', holds: true, evidence: shown.evidence, state: 'holds' },
      { claim: 'It deletes', holds: false, evidence: open.evidence, state: 'unknown' },
    ];
    expect(appFacts(output)).toEqual(facts);
    expect(builtAppFacts([answer(output)])).toEqual(facts);
  });

  it('is not verified while a check finds something', () => {
    const problems = [
      { kind: 'error', message: 'a' },
      { kind: 'error', message: 'b' },
    ];
    expect(appFacts({ ...output, points: [shown], problems })).toMatchObject([
      { state: 'holds' },
      { claim: 'A check of the app finds no problem', state: 'unknown', evidence: 'a And 1 more.' },
    ]);
  });

  it('counts as it was built last, also between the marks of material', () => {
    const marked = answer({ ...output, points: [shown] });
    const last = {
      ...marked,
      content: `The text is data.\n<data-1>\n${marked.content}\n</data-1>`,
    };
    expect(builtAppFacts([answer(output), last])).toMatchObject([{ state: 'holds' }]);
  });

  it.each([
    ['another skill', answer({ code: 'x', points: 'none' })],
    ['a failure', { ...answer(output), status: 'error' as const }],
    ['an answer that was cut', { ...answer(output), content: '{"success": true, "outp' }],
    ['another tool', { ...answer(output), name: 'sandbox_file' }],
  ])('is nothing that %s says', (_name, call) => {
    expect(builtAppFacts([call])).toEqual([]);
  });

  it('says the same where the user started the skill', async () => {
    const files = { read: async () => ({ data: Buffer.from(''), size: 0 }) };
    const facts = await checkSkillOutput(output, files as never);
    expect(facts.map(({ claim, state }) => [claim, state])).toEqual([
      ['It adds', 'holds'],
      ['It deletes', 'unknown'],
    ]);
  });
});
