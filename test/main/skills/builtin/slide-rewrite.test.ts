import { describe, expect, it } from 'vitest';
import { skill } from '#main/skills/builtin/slide-generation/skill.ts';
import type { JsonObject } from '#main/skills/types.ts';
import { openSkillLives } from '../../../fakes/skill-lives.ts';
import {
  openSlideHost,
  outlineOf,
  planned,
  type SlideHostOptions,
  type SlideRequest,
  stagesOf,
} from '../../../fakes/slide-skill-host.ts';

const FILE = 'slides/on-bees.pptx';
const BEES = outlineOf(planned('bullets', 'Bees dance'), planned('bullets', 'Bees sleep'));
const AGAIN = { request: 'Write slide 2 again.', file: FILE, slide: 2 };

/** A presentation on bees that is there, and its slide 2 written again. */
async function rewrite(
  again: (request: SlideRequest) => unknown,
  { params = AGAIN, ...options }: SlideHostOptions & { readonly params?: JsonObject } = {},
) {
  let isFirst = true;
  const opened = openSlideHost({
    ...options,
    answer: (request) => {
      if (!isFirst) return again(request);
      if (request.kind === 'outline') return BEES;
      const { number } = request;
      if (number === 2) {
        const items = ['They show 12 ways', 'They waggle'];
        return { items, notes: 'In the dark,\nthey dance.', sources: [] };
      }
      return number === 3 ? { items: ['8 hours a day'], notes: '', sources: [] } : undefined;
    },
  });
  const lives = openSkillLives([skill]);
  const request = 'Bees: they show 12 ways.';
  const first = await lives.life({ host: opened.host }).execute('slide_generation', { request });
  expect(first.ok).toBe(true);
  isFirst = false;
  const before = opened.decks.get(FILE);
  const asked = opened.asked.length;
  const life = lives.life({ host: opened.host, call: 'call_2' });
  const outcome = await life.execute('slide_generation', params);
  const output = (outcome.ok ? outcome.output : {}) as Record<string, string[]> & JsonObject;
  return {
    ...{ output, before, error: outcome.ok ? null : outcome.error },
    deck: opened.decks.get(FILE),
    turns: opened.asked.slice(asked).map(({ turn }) => turn),
    made: opened.made(),
    stages: stagesOf(life),
  };
}

describe('one slide of a presentation, written again', () => {
  it('has new words, and the others are as before', async () => {
    const { output, before, deck, turns, made, stages } = await rewrite(() => ({
      ...{ title: 'Dances of bees', items: ['12 ways are shown'], notes: 'So.', sources: [1] },
    }));
    expect(deck?.slides[1]).toMatchObject({
      title: 'Dances of bees',
      items: ['12 ways are shown'],
    });
    expect(deck?.slides.toSpliced(1, 1)).toEqual(before?.slides.toSpliced(1, 1));
    expect(made.at(-1)).toMatchObject({ file: FILE, slides: [{ number: 2 }] });
    // The presentation is no source of itself.
    expect(deck?.slides[1]?.sources).toEqual([]);
    expect(turns).toHaveLength(1);
    expect(stages).toEqual(['rewrite', 'done']);
    expect(turns[0]).toContain('They waggle');
    expect(turns[0]).toContain('Language: that of the slide as it is');
    expect(output).toMatchObject({ file: FILE, slide_count: 4, notes: [], findings: [] });
    expect(output.summary).toMatch(/^Slide 2 was written again\./);
  });

  it('may say figures of the presentation, and no others, nor those that it marks itself', async () => {
    const { output, deck, before } = await rewrite(() => ({
      ...{ title: '', items: ['12 ways', '8 hours', '77 bees'], notes: 'So.', sources: [] },
    }));
    expect(before?.slides[2]?.notes).toBe('Not verified: 8');
    expect(deck?.slides[1]?.notes).toBe('So.\n\nNot verified: 8, 77');
    expect(output.unverified_figures).toEqual(['Slide 2: 8', 'Slide 2: 77', 'Slide 3: 8']);
  });

  it('is as before where the model gives nothing usable, writes the same, or makes it worse', async () => {
    const nothing = await rewrite(() => 'No.');
    expect(nothing.error).toMatchObject({ code: 'SKILL_MODEL_ANSWER' });
    expect(nothing.deck).toEqual(nothing.before);

    const same = await rewrite(() => ({
      title: 'Bees dance',
      items: ['They show 12 ways', 'They waggle'],
      notes: 'In the dark,\nthey dance.',
      sources: [],
    }));
    expect(same.output.notes).toEqual(['The model wrote slide 2 as it was.']);
    expect(same.deck).toEqual(same.before);

    const worse = await rewrite(() => ({ title: '', items: ['Long'], notes: '', sources: [] }), {
      check: (slide) =>
        'items' in slide && slide.items[0] === 'Long'
          ? [{ code: 'too_much_text', text: 'Say it shorter.' }]
          : [],
    });
    expect(worse.output.notes).toEqual([
      'Slide 2 is as before: the check found more on the new one. Say it shorter.',
    ]);
    expect(worse.deck).toEqual(worse.before);
  });

  it.each([
    ['a slide that is not there', { ...AGAIN, slide: 9 }, 'slide: must be from 1 to 4'],
    ['slide 0', { ...AGAIN, slide: 0 }, 'slide: must be from 1 to 4'],
    ['no file', { request: 'Again.', slide: 2 }, 'file: is missing'],
    ['a file that is not there', { ...AGAIN, file: 'none.pptx' }, 'none.pptx'],
  ])('is refused for %s', async (_what, params, problem) => {
    const { error, deck, before, turns } = await rewrite(() => undefined, { params });
    expect(error?.code).toBe('SKILL_INPUT_INVALID');
    expect(error?.message).toContain(problem);
    expect(turns).toEqual([]);
    expect(deck).toEqual(before);
  });
});
