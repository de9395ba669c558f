import { describe, expect, it } from 'vitest';
import { skill } from '#main/skills/builtin/slide-generation/skill.ts';
import type { JsonObject } from '#main/skills/types.ts';
import { openSkillLives } from '../../../fakes/skill-lives.ts';
import {
  openSlideHost,
  outlineOf,
  planned,
  type SlideHostOptions,
} from '../../../fakes/slide-skill-host.ts';

const BEES = outlineOf(planned('bullets', 'Bees dance'), planned('bullets', 'Bees sleep'));

async function run(params: JsonObject, options: SlideHostOptions = {}) {
  const opened = openSlideHost({
    answer: (request) => (request.kind === 'outline' ? BEES : undefined),
    ...options,
  });
  const lives = openSkillLives([skill]);
  const given = { request: 'Bees', research: 'none', ...params };
  const outcome = await lives.life({ host: opened.host }).execute('slide_generation', given);
  const output = (outcome.ok ? outcome.output : {}) as Record<string, string[]>;
  const turns = opened.asked.map(({ turn }) => turn);
  return { output, turns, made: opened.made(), decks: [...opened.decks.values()] };
}

const LEFT_OUT = 'A picture of the template is left out.';

describe('a presentation on a template', () => {
  it.each<[how: string, params: JsonObject]>([
    ['by its parameter', { template: 'own.pptx' }],
    [
      'among its files',
      { request: 'Bees, on the attached template', files: ['own.pptx', 'notes.txt'] },
    ],
    ['named in the request', { request: 'Bees, with the layouts of OWN.pptx' }],
    ['named in a request in Chinese', { request: '做蜜蜂的幻灯片，用 own.pptx 作模板' }],
  ])('has the look of a file %s, and says what of it is not in it', async (_how, params) => {
    const files = { 'own.pptx': 'P', 'notes.txt': 'Bees dance.' };
    const { made, output, decks } = await run(params, { files });
    expect(made[0]).toMatchObject({ template: 'own.pptx' });
    expect(decks[0]?.template?.name).toBe('own.pptx');
    expect(output.notes).toEqual([LEFT_OUT]);
  });

  it.each<[what: string, params: JsonObject]>([
    ['no file', {}],
    ['a presentation among its files', { files: ['own.pptx'] }],
    ['a presentation that it only names', { request: 'Bees, as told in own.pptx' }],
    ['one that is not there', { request: 'Bees, with the design of other.pptx' }],
  ])('has a theme with %s', async (_what, params) => {
    const { made, decks } = await run(params, { files: { 'own.pptx': 'P' } });
    expect(made[0]).not.toHaveProperty('template');
    expect(decks[0]?.template).toBeUndefined();
  });

  it('is not read as material, and other presentations and Word documents are', async () => {
    const files = { 'own.pptx': 'Lorem', 'talk.pptx': 'Bees sing.', 'bees.docx': 'Bees dance.' };
    const given = await run({ files: ['talk.pptx', 'bees.docx'], template: 'own.pptx' }, { files });
    const other = { files: ['own.pptx', 'bees.docx'], template: '/workspace/own.pptx' };
    expect((await run(other, { files })).turns.join('\n')).not.toContain('Lorem');
    const text = given.turns.join('\n');
    expect(text).toContain('Bees sing.');
    expect(text).toContain('Bees dance.');
    const request = 'Bees, as in talk.pptx, with own.pptx as the template';
    const named = await run({ request }, { files });
    expect(named.decks[0]?.template?.name).toBe('own.pptx');
    expect(named.turns.join('\n')).toContain('Bees sing.');
    expect([...given.turns, ...named.turns].join('\n')).not.toContain('Lorem');
  });

  it('keeps it when slides are fixed', async () => {
    const { made, decks } = await run(
      { template: 'own.pptx' },
      {
        files: { 'own.pptx': 'P' },
        check: (slide) =>
          JSON.stringify(slide).includes('Short') ? [] : [{ code: 'overflow', text: 'Too long.' }],
        answer: (request) => {
          if (request.kind === 'outline') return BEES;
          return request.turn.includes('Too long') ? { items: ['Short'] } : undefined;
        },
      },
    );
    expect(made.length).toBeGreaterThan(1);
    expect(made[1]).not.toHaveProperty('theme');
    expect(decks[0]?.template?.name).toBe('own.pptx');
  });

  it('is made with a theme where the file cannot be one, which is said', async () => {
    const { output, decks } = await run(
      { template: 'none.pptx' },
      { badTemplate: 'It has macros.' },
    );
    expect(decks[0]?.template).toBeUndefined();
    expect(decks[0]?.slides.length).toBeGreaterThan(2);
    expect(output.notes).toEqual(['none.pptx was not used as the template: It has macros.']);
  });
});
