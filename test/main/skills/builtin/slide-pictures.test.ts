import { describe, expect, it } from 'vitest';
import type { JsonObject, ToolAnswer } from '#main/skills/types.ts';
import { answerOf } from '../../../fakes/skill-lives.ts';
import {
  LINES,
  makeSlides,
  outlineOf,
  planned,
  type SlideHostOptions,
} from '../../../fakes/slide-skill-host.ts';

const TWO = outlineOf(
  planned('image_text', 'Bees dance', ['They show the way']),
  planned('image_text', 'Bees sleep'),
);
const HERE = { where: 'here' } as const;
const ELSEWHERE = { where: 'elsewhere' } as const;
const NOWHERE = { where: 'nowhere', why: 'Install one of ComfyUI.' } as const;
const FAILED: ToolAnswer = {
  ...{ ok: false, status: 'error', data: null },
  content: 'ComfyUI stopped\n before it was done.',
};
const made = (path: string): ToolAnswer => answerOf({ images: [{ path, alt: 'x' }], problems: [] });

/** A host with an outline of two slides with pictures; the second one has no points. */
function host(options: SlideHostOptions = {}): SlideHostOptions {
  let count = 0;
  return {
    answer: ({ kind, layout, number }) => {
      if (kind === 'outline') return TWO;
      if (layout !== 'image_text') return undefined;
      const items = number === 2 ? LINES : [];
      return { image: '', picture: `Bees on a hive, photo ${number}`, alt: 'Bees', items };
    },
    draw: {
      place: HERE,
      answer: () => {
        count += 1;
        return made(`images/bees-${count}.png`);
      },
    },
    ...options,
  };
}
const imagesOf = (slides: readonly unknown[]) =>
  slides.map((slide) => {
    const { layout, picture = null } = slide as {
      readonly layout: string;
      readonly picture?: unknown;
    };
    return { layout, picture };
  });
const drawn = (calls: readonly { readonly name: string; readonly given: JsonObject }[]) =>
  calls.filter(({ name }) => name === 'generate_image').map(({ given }) => given);

describe('pictures of slides', () => {
  it('are drawn after the words, in the shape of their place, and shown on their slides', async () => {
    const { output, deck, calls, stages } = await makeSlides(host());
    expect(stages).toEqual(['research', 'outline', 'slides', 'pictures', 'generate', 'done']);
    expect(drawn(calls)).toEqual([
      { prompt: 'Bees on a hive, photo 2', alt: 'Bees', width: 1_152, height: 960 },
      { prompt: 'Bees on a hive, photo 3', alt: 'Bees', width: 1_344, height: 768 },
    ]);
    expect(imagesOf(deck).slice(1, 3)).toEqual([
      { layout: 'image_text', picture: { path: 'images/bees-1.png', alt: 'Bees' } },
      { layout: 'image_text', picture: { path: 'images/bees-2.png', alt: 'Bees' } },
    ]);
    expect(output).toMatchObject({
      pictures: ['images/bees-1.png', 'images/bees-2.png'],
      notes: [],
    });
  });

  it('are offered to the outline, and asked for in the slide', async () => {
    const { asked } = await makeSlides(host());
    const [outline, slide] = ['outline', 'slide'].map((kind) =>
      asked.find((one) => one.kind === kind && one.number !== 1),
    );
    expect(outline?.turn).toContain('up to 4 slides may be image_text');
    expect(outline?.turn).not.toContain('no image_text');
    expect(slide?.turn).toContain('Slots: picture: what the drawn picture shows');
  });

  it.each([
    ['nothing answers', {}, NOWHERE],
    ['a service would make them, and the request asks for none', {}, ELSEWHERE],
    ['the user wants none', { pictures: 'none' }, HERE],
  ])('are not drawn where %s', async (_when, params, place) => {
    const answer = () => made('images/never.png');
    const { deck, calls, asked, output } = await makeSlides(
      host({ draw: { place, answer } }),
      params,
    );
    expect(drawn(calls)).toEqual([]);
    expect(asked.find(({ kind }) => kind === 'outline')?.turn).toContain('no image_text');
    expect(deck.map(({ layout }) => layout)).not.toContain('image_text');
    expect(output).toMatchObject({ pictures: [], notes: [] });
  });

  it('that are wanted where nothing answers are not planned, and what to install is said', async () => {
    const answer = () => made('images/never.png');
    for (const params of [{ request: 'Bees, with pictures.' }, { pictures: 'draw' }]) {
      const { calls, asked, output } = await makeSlides(
        host({ draw: { place: NOWHERE, answer } }),
        params,
      );
      expect(drawn(calls)).toEqual([]);
      expect(asked.find(({ kind }) => kind === 'outline')?.turn).toContain('no image_text');
      expect(output.notes).toEqual(['No pictures were drawn. Install one of ComfyUI.']);
    }
  });

  it('are drawn by whatever the settings name, where the user wants them', async () => {
    const answer = () => made('images/far.png');
    const { output } = await makeSlides(host({ draw: { place: ELSEWHERE, answer } }), {
      pictures: 'draw',
    });
    expect(output.pictures).toEqual(['images/far.png', 'images/far.png']);
  });

  it.each([
    ['Bees, with illustrations.', true],
    ['Folien über Bienen, mit Bildern', true],
    ['关于蜜蜂的幻灯片，要有插图', true],
    ['Bees, and add a few simple drawings.', true],
    ['Bees in the imagery of poets.', false],
    ['The public image of beekeepers.', false],
    ['Add slides on medical images.', false],
    ['Bees, without any pictures.', false],
    ['关于蜜蜂，不要图片', false],
  ])('are drawn, wherever that is, if the request asks for them: %s', async (request, isSo) => {
    const answer = () => made('images/far.png');
    const { calls } = await makeSlides(host({ draw: { place: ELSEWHERE, answer } }), { request });
    expect(drawn(calls).length > 0).toBe(isSo);
  });

  it('that the request does not want are not drawn on this computer either', async () => {
    const { calls } = await makeSlides(host(), { request: 'Bees. No pictures.' });
    expect(drawn(calls)).toEqual([]);
  });

  it('that are wanted where the tool is off are said to be missing', async () => {
    const { draw: _draw, ...without } = host();
    const { output, deck } = await makeSlides(without, { pictures: 'draw' });
    expect(output.notes).toEqual(['No pictures were drawn. The tool generate_image is off.']);
    expect(deck.map(({ layout }) => layout)).not.toContain('image_text');
  });

  it('that fail leave their words, and the next ones are not tried', async () => {
    const { output, deck, calls, error } = await makeSlides(
      host({ draw: { place: HERE, answer: () => FAILED } }),
    );
    expect(error).toBeNull();
    expect(drawn(calls)).toHaveLength(1);
    expect(deck[1]).toMatchObject({ layout: 'bullets', title: 'Bees dance', items: LINES });
    expect(deck[2]).toMatchObject({ layout: 'section', title: 'Bees sleep' });
    expect(output).toMatchObject({
      pictures: [],
      notes: ['Slides 2, 3 have no picture: ComfyUI stopped before it was done.'],
    });
  });

  it('keep what was drawn before one failed', async () => {
    let count = 0;
    const answer = () => {
      count += 1;
      return count === 1 ? made('images/one.png') : FAILED;
    };
    const { output, deck } = await makeSlides(host({ draw: { place: HERE, answer } }));
    expect(deck[1]).toMatchObject({ picture: { path: 'images/one.png' } });
    expect(output.notes).toEqual(['Slide 3 has no picture: ComfyUI stopped before it was done.']);
  });

  it.each([
    ['nothing', {}],
    ['no pictures', { images: [] }],
    ['a path that is no text', { images: [{ path: 7 }] }],
  ])('of an answer with %s are none', async (_what, data) => {
    const answer = () => answerOf(data);
    const { deck, error } = await makeSlides(host({ draw: { place: HERE, answer } }));
    expect(error).toBeNull();
    expect(deck.map(({ layout }) => layout)).not.toContain('image_text');
  });

  it('are four at most', async () => {
    const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
    const many = outlineOf(...names.map((name) => planned('image_text', name, ['Point'])));
    const usual = host();
    const { calls, deck } = await makeSlides({
      ...usual,
      answer: (request) => (request.kind === 'outline' ? many : usual.answer?.(request)),
    });
    expect(drawn(calls)).toHaveLength(4);
    expect(deck.filter(({ layout }) => layout === 'bullets')).toHaveLength(2);
  });

  it('of the workspace are taken where the model names one', async () => {
    const { calls, deck } = await makeSlides(
      host({
        files: { 'bee.png': 'x', 'hive.png': 'x' },
        answer: ({ kind, layout, number }) => {
          if (kind === 'outline') return TWO;
          if (layout !== 'image_text') return undefined;
          const image = number === 2 ? '/workspace/bee.png' : '';
          return { image, picture: 'A hive', alt: 'Hive', items: LINES };
        },
      }),
    );
    expect(drawn(calls)).toHaveLength(1);
    expect(deck[1]).toMatchObject({ picture: { path: 'bee.png' } });
    expect(deck[2]).toMatchObject({ picture: { path: 'images/bees-1.png', alt: 'Hive' } });
  });

  it('stay on a slide that is written again', async () => {
    const long = { code: 'too_much_text' as const, text: 'Say it shorter.' };
    const usual = host();
    const { deck, calls, asked } = await makeSlides({
      ...usual,
      answer: (request) => {
        const isAgain = request.turn.includes('what is wrong with it');
        if (!isAgain) return usual.answer?.(request);
        return { image: 'images/other.png', alt: 'Bees', items: ['Shorter'] };
      },
      check: (slide) => (slide.layout === 'image_text' && slide.items.length > 1 ? [long] : []),
    });
    expect(drawn(calls)).toHaveLength(2);
    expect(deck[1]).toMatchObject({
      picture: { path: 'images/bees-1.png' },
      items: ['Shorter'],
    });
    const again = asked.find(({ turn }) => turn.includes('what is wrong with it'));
    expect(again?.turn).toContain('Slots: image: the path of a picture that is there');
  });
});
