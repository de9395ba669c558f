import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SlideLayout } from '#contract/slides.ts';
import { metadata } from '#main/skills/builtin/slide-generation/metadata.ts';
import { skill } from '#main/skills/builtin/slide-generation/skill.ts';
import { describeOutput } from '#main/skills/describe-output.ts';
import { promptParameter } from '#main/skills/skill-input.ts';
import { SlideService } from '#main/slides/slide-service.ts';
import { noPictures } from '../../../fakes/no-pictures.ts';
import type { SkillExample } from '../../../fakes/skill-bench.ts';
import { Killed, openSkillLives } from '../../../fakes/skill-lives.ts';
import {
  LINES,
  makeSlides,
  openSlideHost,
  outlineOf,
  planned,
  SLOTS,
  type SlideHostOptions,
  type SlideRequest,
} from '../../../fakes/slide-skill-host.ts';
import { sample } from '../../../setup/sampling.ts';

const LONG = { code: 'too_much_text' as const, text: 'Long words: say it shorter.' };

const slideTurns = (asked: readonly SlideRequest[]): string[] =>
  asked.filter(({ kind }) => kind === 'slide').map(({ number, layout }) => `${number} ${layout}`);

describe('the example in its folder', () => {
  const example = JSON.parse(
    readFileSync('src-main/skills/builtin/slide-generation/example.json', 'utf8'),
  ) as SkillExample;

  it('comes out as it says, and the notes of a slide name the figure that is not known', async () => {
    const answers = [...example.answers];
    const { output, deck, asked } = await makeSlides(
      { files: example.files ?? {}, answer: () => answers.shift() },
      example.params,
    );
    expect(output).toMatchObject(example.expected);
    expect(asked).toHaveLength(example.answers.length);
    expect(deck.map(({ notes }) => notes)).toEqual([
      ...['', 'Each month beat the one before.', ''],
      ...['Graz is our second town.\n\nNot verified: 300', ''],
    ]);
    expect(deck[1]).toMatchObject({
      chart: { type: 'column', categories: ['April', 'May', 'June'], xTitle: 'Month' },
      sources: ['orders.csv'],
    });
    expect(describeOutput(output)).toMatch(
      /^"Our second quarter": 5 slides, 6 pages, in second-quarter\.pptx\.[\s\S]*Unverified figures[\s\S]*- Slide 4: 300/,
    );
  });

  it('comes out the same as a real presentation, laid out and checked', async () => {
    await using maker = new SlideService(process.cwd(), { ...noPictures, load: async () => null });
    const answers = [...example.answers];
    const { output, error } = await makeSlides(
      { files: example.files ?? {}, answer: () => answers.shift(), maker },
      example.params,
    );
    expect(error).toBeNull();
    expect(output).toMatchObject({ ...example.expected, page_count: 5 });
    expect(output.download_url).toContain('second-quarter.pptx');
  });

  it('starts from a prompt alone, as the mode Slides does', () => {
    expect(promptParameter(metadata)?.name).toBe('request');
    expect(metadata.parameters.filter(({ required }) => required)).toHaveLength(1);
  });
});

describe('a presentation', () => {
  it('is outlined, written slide by slide in every layout, and shown as it goes', async () => {
    const middle = SlideLayout.options.filter((one) => one !== 'title' && one !== 'closing');
    const outline = outlineOf(...middle.map((layout) => planned(layout, `About ${layout}`)));
    const { output, deck, asked, stages, events } = await makeSlides({
      files: { 'bee.png': 'x' },
      answer: ({ kind }) => (kind === 'outline' ? outline : undefined),
    });
    expect(output).toMatchObject({
      findings: [],
      notes: [],
      file: 'slides/on-bees.pptx',
      slide_count: 15,
    });
    expect(stages).toEqual(['research', 'outline', 'slides', 'generate', 'done']);
    expect(deck.map(({ layout }) => layout)).toEqual(['title', ...middle, 'closing']);
    // The agenda follows from the outline; every other slide is one request.
    expect(slideTurns(asked)).toHaveLength(14);
    expect(deck[1]).toMatchObject({ items: middle.slice(1).map((layout) => `About ${layout}`) });
    expect(deck[3]).toMatchObject({ layout: 'bullets', title: 'About bullets', items: LINES });
    const steps = events.filter((event) => event.type === 'plan_step');
    expect(steps.slice(0, 15).map(({ status }) => status)).toEqual(Array(15).fill('pending'));
    expect(steps.slice(15).map(({ title, status }) => `${title} ${status}`)).toContain(
      '2. About agenda completed',
    );
  });

  it('begins with a title, ends with its closing, has each title once and as many slides as asked for', async () => {
    const drafted = {
      ...{ title: 'On Bees', theme: 'loud' },
      slides: [
        ...['Bees', 'Bees', 'Hives', 'Honey'].map((title) => planned('bullets', title, ['x'])),
        ...[planned('image_text', 'Wax', ['x']), planned('title', 'More')],
        ...[planned('closing', 'Bye'), planned('closing', 'Bye')],
      ],
    };
    const { output, made } = await makeSlides(
      { answer: ({ kind }) => (kind === 'outline' ? drafted : undefined) },
      { slide_count: 9, theme: 'ember' },
    );
    expect(made()[0]).toMatchObject({ title: 'On Bees', theme: 'ember' });
    expect(output.outline).toEqual([
      { layout: 'title', title: 'On Bees' },
      { layout: 'bullets', title: 'Bees' },
      { layout: 'bullets', title: 'Bees (2)' },
      ...['Hives', 'Honey', 'Wax'].map((title) => ({ layout: 'bullets', title })),
      { layout: 'section', title: 'More' },
      { layout: 'bullets', title: 'Bye' },
      { layout: 'closing', title: 'Bye (2)' },
    ]);
    const few = await makeSlides({}, { slide_count: 9 });
    expect(few.output.notes).toEqual(['9 slides were asked for; the outline has 3.']);
    // What the request says of it is for the model, so nothing beside it may say another number.
    const counts = (asked: typeof few.asked): string[] =>
      asked.find(({ kind }) => kind === 'outline')?.turn.match(/\b\d+ slides/g) ?? [];
    expect(counts(few.asked)).toEqual(['9 slides']);
    expect(counts((await makeSlides({}, { request: '4 slides on bees' })).asked)).toEqual([
      '4 slides',
    ]);
    const none = await makeSlides({}, { slide_count: 99 });
    expect(none.error).toMatchObject({ code: 'SKILL_INPUT_INVALID' });
  });

  it('is made of files that the request names or that are there, data and PDFs among them', async () => {
    const { output, deck, asked, calls } = await makeSlides(
      {
        files: { 'data/hives.csv': 'year,hives\n2023,428\n2024,480\n', 'bees.pdf': 'Bees fly.' },
        answer: ({ kind, layout }) => {
          if (kind === 'outline') return outlineOf(planned('chart', 'Hives', ['More hives']));
          if (layout !== 'chart') return undefined;
          return {
            type: 'line',
            file: '/workspace/data/hives.csv',
            x: 'year',
            y: ['hives'],
            text: '480 now',
          };
        },
      },
      { request: 'Slides on HIVES.csv and bees.pdf.' },
    );
    expect(output).toMatchObject({ notes: [], unverified_figures: [] });
    expect(deck[1]).toMatchObject({
      chart: { type: 'line', categories: ['2023', '2024'], series: [{ values: [428, 480] }] },
      sources: ['data/hives.csv'],
    });
    expect(asked[0]?.turn).toContain('Text of bees.pdf: Bees fly.');
    expect(calls.map(({ name }) => name)).toEqual(['sandbox_file', 'generate_slides']);
  });

  it('leaves a presentation that is there as it is, and is written beside it', async () => {
    const options = { files: { 'talks/bees.pptx': 'mine' } };
    const { output } = await makeSlides(options, { file: '/workspace/talks/bees' });
    expect(output.file).toBe('talks/bees-2.pptx');
  });

  it('fits a window of 4,096 tokens request by request, with what matters of its material in each', async () => {
    const topics = ['Honey', 'Wax', 'Winter', 'Queens', 'Drones', 'Swarms', 'Smoke', 'Pollen'];
    const filler = 'The beekeeper writes down what happens in the garden on that day. ';
    const text = topics
      .map((topic) => `${filler.repeat(40)}\n\n${topic} is counted as ${topic}-fact.`)
      .join('\n\n');
    const { model, output, asked } = await makeSlides(
      {
        files: { 'diary.txt': text, 'data.csv': `day,hives\n${'1,2\n'.repeat(4_000)}` },
        answer: ({ kind }) =>
          kind === 'outline'
            ? outlineOf(...topics.map((topic) => planned('bullets', topic, [`${topic} facts`])))
            : undefined,
        contextWindow: 4_096,
      },
      { request: `Bees. ${filler.repeat(150)}`, files: ['diary.txt', 'data.csv'] },
    );
    expect(output.notes).toEqual([]);
    // Six tenths for the request: the rest is for the answer.
    expect(model.largest).toBeLessThanOrEqual(4_096 * 0.6);
    expect(model.largest).toBeGreaterThan(1_500);
    const slides = asked.filter(({ kind, layout }) => kind === 'slide' && layout === 'bullets');
    expect(slides).toHaveLength(topics.length);
    for (const [at, { turn }] of slides.entries()) {
      expect(turn).toContain(`${topics[at]}-fact`);
      expect(turn).toContain('day,hives');
    }
  });

  it('goes on after a kill at every write to the same result, and asks for nothing that was stored', async () => {
    const options = (): SlideHostOptions => ({
      pages: { 'https://bees.example/1': `${'Bees dance in the hive. '.repeat(4)}` },
      answer: ({ kind, turn }) => {
        if (kind === 'queries') return { queries: ['bees'] };
        if (kind === 'slide' && turn.includes('Long words')) return { items: ['Short'] };
        return undefined;
      },
      check: (slide) => (slide.layout === 'bullets' && slide.items[0] !== 'Short' ? [LONG] : []),
    });
    const params = { request: 'Bees.' };
    const whole = openSlideHost(options());
    const first = openSkillLives([skill]).life({ host: whole.host });
    const result = await first.execute('slide_generation', params);
    expect(result).toMatchObject({ ok: true, output: { findings: [], sources: [{ index: 1 }] } });
    const writes = Array.from({ length: first.writes() }, (_none, index) => index + 1);
    expect(writes.length).toBeGreaterThan(30);
    for (const killAt of sample(writes, { name: 'kills of slide_generation', size: 20 })) {
      const { host, asked, decks } = openSlideHost(options());
      const lives = openSkillLives([skill]);
      const dying = lives.life({ host, killAt });
      await expect(dying.execute('slide_generation', params)).rejects.toBeInstanceOf(Killed);
      const before = asked.length;
      const unsettled = lives.unsettled(['once']);
      const later = lives.life({ host });
      const next = await later.execute('slide_generation', params);
      expect([killAt, next]).toEqual([killAt, result]);
      // The outline is shown once.
      if (killAt > writes.length * 0.8) {
        const shown = later.events.filter((event) => event.type === 'plan_step');
        expect(shown.map(({ status }) => status)).not.toContain('pending');
      }
      const turns = asked.map(({ turn }) => turn);
      const repeated = turns.slice(before).filter((one) => turns.slice(0, before).includes(one));
      expect(repeated.length).toBeLessThanOrEqual(unsettled);
      expect([...decks]).toEqual([...whole.decks]);
    }
  });
});

describe('a slide whose answer cannot be used', () => {
  it.each(['I am not sure what you mean.', '{"thoughts": "none"}'])(
    'becomes the points of the outline, and the rest is made: %s',
    async (said) => {
      const { output, deck, asked } = await makeSlides({
        answer: ({ number }) => (number === 2 ? said : undefined),
      });
      expect(deck[1]).toMatchObject({
        ...{ layout: 'bullets', title: 'Bees dance', items: ['They show the way'] },
      });
      expect(output.notes).toEqual([
        'Slide 2 was simplified to the points of the outline: the model gave no usable answer.',
      ]);
      // It is asked once more, and then no longer.
      expect(slideTurns(asked)).toEqual(['1 title', '2 bullets', '2 bullets', '3 closing']);
    },
  );

  it('with too few slots is asked for again, with what is missing', async () => {
    const outline = outlineOf(planned('comparison', 'Bees or wasps', ['Bees are busy']));
    const half = { left_title: 'Bees', left: LINES };
    const answer =
      (later: unknown): NonNullable<SlideHostOptions['answer']> =>
      ({ kind, number, isRepair }) => {
        if (kind === 'outline') return outline;
        return number === 2 ? (isRepair ? later : half) : undefined;
      };
    const repaired = await makeSlides({ answer: answer(SLOTS.comparison) });
    expect(repaired.deck[1]).toMatchObject({
      ...{ layout: 'comparison', title: 'Bees or wasps' },
      left: { heading: 'Bees', items: LINES },
      right: { heading: 'Wasps', items: LINES },
    });
    expect(repaired.output.notes).toEqual([]);
    const simplified = await makeSlides({ answer: answer(half) });
    expect(simplified.deck[1]).toMatchObject({ layout: 'bullets', items: ['Bees are busy'] });
    expect(simplified.output.notes).toHaveLength(1);
  });

  it('shows no picture and no data file that is not there', async () => {
    const outline = outlineOf(
      planned('chart', 'Hives', ['Two hives']),
      planned('image_text', 'Bee', ['x']),
    );
    const { deck } = await makeSlides({
      files: { 'a.png': 'x', 'b.png': 'x' },
      answer: ({ kind, layout }) => {
        if (kind === 'outline') return outline;
        if (layout === 'chart') return { type: 'bar', file: '/etc/passwd', x: 'a', y: ['b'] };
        return layout === 'image_text' ? { image: '../secret.png', items: [] } : undefined;
      },
    });
    expect(deck.slice(1, 3).map(({ layout }) => layout)).toEqual(['bullets', 'bullets']);
    expect(JSON.stringify(deck)).not.toMatch(/passwd|secret/);
  });

  it('is a failure only where there is no outline', async () => {
    const { error, made } = await makeSlides({
      answer: ({ kind }) => (kind === 'outline' ? 'Bees, probably.' : undefined),
    });
    expect(error).toMatchObject({ code: 'SKILL_MODEL_ANSWER' });
    expect(error?.message).toContain('Bees, probably.');
    expect(made()).toEqual([]);
  });
});
