import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { wishForOutline } from '#main/skills/builtin/slide-generation/outline-words.ts';
import { wishForPictures } from '#main/skills/builtin/slide-generation/picture-words.ts';
import { templateIn } from '#main/skills/builtin/slide-generation/template-words.ts';

/** Requests that somebody wrote who did not know the rules, in seven languages; half of those that matter are near misses. */
const Wish = z.strictObject({
  request: z.string(),
  pictures: z.enum(['draw', 'none']).nullable(),
  outline: z.boolean(),
  template: z
    .string()
    .transform((path) => path.slice(path.lastIndexOf('/') + 1))
    .nullable(),
});
const wishes = readFileSync('test/fixtures/slides/wishes.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => Wish.parse(JSON.parse(line)));
const PRESENTATION = /[\p{L}\p{N}_.-]+\.(?:pptx|potx)/giu;

/** How many wishes of a kind are found, and how many are found where there is another, or none. */
function measure<Kind extends 'pictures' | 'outline' | 'template'>(
  kind: Kind,
  read: (request: string) => z.infer<typeof Wish>[Kind],
  /** The rules were made with the lines of odd places; those of even places were not looked at. */
  place: 'seen' | 'unseen',
) {
  const half = wishes.filter((_, at) => (at % 2 === 1) === (place === 'seen'));
  const wished = half.filter((one) => one[kind] !== null && one[kind] !== false);
  const found = wished.filter((one) => read(one.request) === one[kind]);
  const other = half.filter((one) => {
    const said = read(one.request);
    return said !== null && said !== false && said !== one[kind];
  });
  return `${found.length} of ${wished.length} found, ${other.length} wrong of ${half.length}`;
}

const template = (request: string): string | null =>
  templateIn(request, request.match(PRESENTATION) ?? []);

it('finds what requests ask for, and little else', () => {
  expect({
    pictures: measure('pictures', wishForPictures, 'unseen'),
    outline: measure('outline', wishForOutline, 'unseen'),
    template: measure('template', template, 'unseen'),
  }).toEqual({
    pictures: '27 of 36 found, 2 wrong of 120',
    outline: '12 of 19 found, 2 wrong of 120',
    template: '15 of 18 found, 5 wrong of 120',
  });
  expect({
    pictures: measure('pictures', wishForPictures, 'seen'),
    outline: measure('outline', wishForOutline, 'seen'),
    template: measure('template', template, 'seen'),
  }).toEqual({
    pictures: '32 of 32 found, 0 wrong of 120',
    outline: '23 of 25 found, 0 wrong of 120',
    template: '21 of 21 found, 0 wrong of 120',
  });
});

it('takes no name for another that ends with it', () => {
  const request = 'Slides on bees in the style of data.pptx';
  expect(templateIn(request, ['a.pptx'])).toBeNull();
  expect(templateIn(request, ['a.pptx', 'data.pptx'])).toBe('data.pptx');
  expect(templateIn('用brand.pptx的样式做幻灯片', ['brand.pptx'])).toBe('brand.pptx');
});
