import type { FittedText, WantedText } from '../fit-text.ts';
import { fitText } from '../fit-text.ts';
import type { Box, Element, ShapeElement } from '../types.ts';
import { fittedPicture } from './picture-layouts.ts';
import {
  bodyOf,
  card,
  columns,
  type Drawn,
  fitTogether,
  framed,
  inset,
  type Sheet,
  type SlideOf,
} from './sheet.ts';
import { continued, drawList } from './text-layouts.ts';

const MOST_STEPS = 5;
const FEWEST_STEPS = 2;
const MOST_PEOPLE = 8;
const CARD_GAP = 16;
const LEAST_CARD = 190;
const LABEL_SIZES = [20, 13] as const;
const TEXT_SIZES = [18, 13] as const;

/** Up to four large numbers with their labels, and a text below. */
export function drawBigNumber(slide: SlideOf<'big_number'>, sheet: Sheet): Drawn {
  const { theme, fonts } = sheet;
  const { numbers, text } = slide;
  const body = bodyOf(sheet);
  const hasText = text.trim() !== '';
  const area = hasText
    ? { ...body, height: Math.min(220, body.height - 90) }
    : { ...body, height: Math.min(260, body.height - 30), y: body.y + 30 };
  const boxes = columns(area, numbers.length, CARD_GAP);
  const inner = boxes.map((box) => inset(box, 18));
  const values = fitTogether(
    numbers.map(
      ({ value }, at): WantedText => ({
        ...{ paragraphs: [value], role: 'number', on: theme.card, sizes: [72, 30] },
        box: { ...(inner[at] ?? body), height: 90 },
        ...{ anchor: 'bottom', align: 'center' },
        style: { face: theme.headings, bold: true, color: theme.accent },
      }),
    ),
    fonts,
  );
  const labels = fitTogether(
    numbers.map(({ label }, at): WantedText => {
      const box = inner[at] ?? body;
      const y = box.y + 100;
      return {
        ...{ paragraphs: [label], role: 'label', on: theme.card, sizes: LABEL_SIZES },
        box: { ...box, y, height: box.y + box.height - y },
        align: 'center',
        style: { face: theme.body, bold: false, color: theme.text },
      };
    }),
    fonts,
  );
  const isOneLine = values?.every(({ element }) => element.paragraphs[0]?.lines.length === 1);
  if (values === null || labels === null || isOneLine !== true) {
    const items = numbers.map(({ value, label }) => `${value}: ${label}`);
    return asList(slide, [...items, ...(hasText ? [text] : [])], sheet);
  }
  const y = area.y + area.height + 18;
  const below = hasText
    ? fitText(
        {
          ...{ paragraphs: [text], role: 'body', on: theme.ground, sizes: [20, 16] },
          box: { ...body, y, height: body.y + body.height - y },
          style: { face: theme.body, bold: false, color: theme.text },
        },
        fonts,
      )
    : null;
  return framed(slide, sheet, {
    elements: [
      ...boxes.flatMap((box, at) => [card(box, theme.card), ...both(values[at], labels[at])]),
      ...both(below ?? undefined),
    ],
    rest: continued(slide, below?.rest ?? []),
  });
}

/** Events along a line. */
export function drawTimeline(slide: SlideOf<'timeline'>, sheet: Sheet): Drawn {
  const { theme } = sheet;
  const body = bodyOf(sheet);
  const lineY = body.y + 92;
  return drawSteps(slide, sheet, {
    name: (box) => ({ ...box, y: body.y, height: 76 }),
    nameAnchor: 'bottom',
    text: (box: Box) => ({ ...box, y: lineY + 22, height: body.y + body.height - lineY - 22 }),
    on: theme.ground,
    behind: (boxes) => [
      {
        ...{ kind: 'shape', shape: 'rectangle', fill: theme.line },
        box: { x: body.x, y: lineY - 1, width: body.width, height: 2 },
      },
      ...boxes.map(
        ({ x }): ShapeElement => ({
          ...{ kind: 'shape', shape: 'ellipse', fill: theme.accent },
          box: { x, y: lineY - 8, width: 16, height: 16 },
        }),
      ),
    ],
  });
}

/** Steps that follow each other, in cards with numbers. */
export function drawProcess(slide: SlideOf<'process'>, sheet: Sheet): Drawn {
  const { theme, fonts, firstNumber } = sheet;
  const badge = (box: Box): Box => ({ x: box.x + 16, y: box.y + 16, width: 32, height: 32 });
  return drawSteps(slide, sheet, {
    name: (box) => ({ ...inset(box, 16), y: box.y + 60, height: 72 }),
    nameAnchor: 'top',
    text: (box, nameHeight) => {
      const y = box.y + 60 + nameHeight + 8;
      return { ...inset(box, 16), y, height: box.y + box.height - 16 - y };
    },
    on: theme.card,
    behind: (boxes, bottom) =>
      boxes.flatMap((box, at): Element[] => [
        card({ ...box, height: Math.max(LEAST_CARD, bottom + 20 - box.y) }, theme.card),
        { kind: 'shape', shape: 'ellipse', box: badge(box), fill: theme.accent },
        fitText(
          {
            ...{ paragraphs: [String(firstNumber + at)], box: badge(box), role: 'label' },
            ...{ on: theme.accent, sizes: [16, 10], align: 'center', anchor: 'middle' },
            style: { face: theme.body, bold: true, color: theme.onAccent },
          },
          fonts,
        ).element,
      ]),
  });
}

interface StepPlaces {
  readonly name: (box: Box) => Box;
  readonly nameAnchor: 'top' | 'bottom';
  readonly text: (box: Box, nameHeight: number) => Box;
  readonly on: string;
  /** `bottom` is where the longest text ends. */
  readonly behind: (boxes: readonly Box[], bottom: number) => readonly Element[];
}

/** As many steps on a page as look good, all in one size; a list where their texts are too long for that. */
function drawSteps(
  slide: SlideOf<'timeline'> | SlideOf<'process'>,
  sheet: Sheet,
  places: StepPlaces,
): Drawn {
  const { theme, fonts, firstNumber } = sheet;
  const { steps } = slide;
  const body = bodyOf(sheet);
  const fewest = Math.min(FEWEST_STEPS, steps.length);
  for (let most = Math.min(steps.length, MOST_STEPS); most >= fewest; most -= 1) {
    const count = Math.ceil(steps.length / Math.ceil(steps.length / most));
    const shown = steps.slice(0, count);
    const boxes = columns(body, Math.max(count, FEWEST_STEPS), CARD_GAP).slice(0, count);
    const names = fitTogether(
      shown.map(
        ({ name }, at): WantedText => ({
          ...{ paragraphs: [name], box: places.name(boxes[at] ?? body), role: 'label' },
          ...{ on: places.on, sizes: LABEL_SIZES, anchor: places.nameAnchor },
          style: { face: theme.body, bold: true, color: theme.text },
        }),
      ),
      fonts,
    );
    const nameHeight = Math.max(...(names ?? []).map(({ height }) => height), 0);
    const texts = fitTogether(
      shown.map(
        ({ text }, at): WantedText => ({
          ...{ paragraphs: [text], box: places.text(boxes[at] ?? body, nameHeight), role: 'body' },
          ...{ on: places.on, sizes: TEXT_SIZES },
          style: { face: theme.body, bold: false, color: theme.text },
        }),
      ),
      fonts,
    );
    if (names === null || texts === null) continue;
    const bottom = Math.max(...texts.map(({ element: { box }, height }) => box.y + height));
    const rest = steps.slice(count);
    return framed(slide, sheet, {
      elements: [
        ...places.behind(boxes, bottom),
        ...shown.flatMap(({ text }, at) =>
          both(names[at], text.trim() === '' ? undefined : texts[at]),
        ),
      ],
      rest:
        rest.length === 0
          ? []
          : [{ slide: { ...slide, steps: rest }, firstNumber: firstNumber + count }],
    });
  }
  const items = steps.map(({ name, text }) => (text.trim() === '' ? name : `${name}: ${text}`));
  return asList(slide, items, sheet);
}

/** People in cards, with their pictures or initials. */
export function drawTeam(slide: SlideOf<'team'>, sheet: Sheet): Drawn {
  const { theme, fonts } = sheet;
  const { people } = slide;
  const body = bodyOf(sheet);
  const count = Math.ceil(people.length / Math.ceil(people.length / MOST_PEOPLE));
  const shown = people.slice(0, count);
  const rows = count > 4 ? 2 : 1;
  const across = Math.ceil(count / rows);
  const height = rows === 2 ? (body.height - CARD_GAP) / 2 : Math.min(240, body.height - 40);
  const top = rows === 2 ? body.y : body.y + 40;
  const boxes = shown.map((_, at): Box => {
    const row = Math.floor(at / across);
    const inRow = columns(
      { ...body, y: top + row * (height + CARD_GAP), height },
      Math.max(across, 2),
      CARD_GAP,
    );
    return inRow[at % across] ?? body;
  });
  const face = rows === 2 ? 56 : 96;
  const below = (box: Box, from: number, tall: number): Box => ({
    ...inset(box, 12),
    ...{ y: box.y + 14 + face + from, height: tall },
  });
  const names = fitTogether(
    shown.map(
      ({ name }, at): WantedText => ({
        ...{ paragraphs: [name], box: below(boxes[at] ?? body, 8, 42), role: 'label' },
        ...{ on: theme.card, sizes: [18, 12], align: 'center' },
        style: { face: theme.body, bold: true, color: theme.text },
      }),
    ),
    fonts,
  );
  const nameHeight = Math.max(...(names ?? []).map(({ height: own }) => own), 0);
  const roleTop = 12 + nameHeight;
  const roles = fitTogether(
    shown.map(({ role }, at): WantedText => {
      const box = below(boxes[at] ?? body, roleTop, height - 14 - face - roleTop - 10);
      return {
        ...{ paragraphs: [role], box, role: 'body', on: theme.card, sizes: [15, 11] },
        align: 'center',
        style: { face: theme.body, bold: false, color: theme.muted },
      };
    }),
    fonts,
  );
  if (names === null || roles === null) {
    const items = people.map(({ name, role }) => (role === '' ? name : `${name}, ${role}`));
    return asList(slide, items, sheet);
  }
  const elements = shown.flatMap(({ role, name, picture }, at): Element[] => {
    const box = boxes[at] ?? body;
    const place = { x: box.x + (box.width - face) / 2, y: box.y + 14, width: face, height: face };
    const drawn = picture === null ? null : fittedPicture(picture, place, sheet);
    return [
      card(box, theme.card),
      ...(drawn === null ? initials(name, place, sheet) : [drawn]),
      ...both(names[at], role.trim() === '' ? undefined : roles[at]),
    ];
  });
  const rest = people.slice(count);
  return framed(slide, sheet, {
    elements,
    rest: rest.length === 0 ? [] : [{ slide: { ...slide, people: rest } }],
  });
}

function initials(name: string, box: Box, { theme, fonts }: Sheet): Element[] {
  const words = name.split(/[\s,]+/).filter((word) => /^\p{L}/u.test(word));
  const isHan = /^\p{Script=Han}/u.test(name);
  const letters = isHan
    ? [...name].slice(0, 1)
    : [words.at(0), words.length > 1 ? words.at(-1) : undefined].map(
        (word) => [...(word ?? '')][0] ?? '',
      );
  const text = letters.join('').toUpperCase();
  const circle: ShapeElement = { kind: 'shape', shape: 'ellipse', box, fill: theme.accent };
  if (text === '') return [circle];
  const fitted = fitText(
    {
      ...{ paragraphs: [text], box, role: 'label', on: theme.accent, align: 'center' },
      ...{ anchor: 'middle', sizes: [Math.round(box.height * 0.36), 12] },
      style: { face: theme.body, bold: true, color: theme.onAccent },
    },
    fonts,
  );
  return [circle, fitted.element];
}

function both(...fitted: readonly (FittedText | undefined)[]): Element[] {
  return fitted.flatMap((one) => (one === undefined ? [] : [one.element]));
}

/** The same content as a list, where cards would be too small for it. */
function asList(
  { title, notes, sources }: { title: string; notes: string; sources: string[] },
  items: readonly string[],
  sheet: Sheet,
): Drawn {
  return drawList({ layout: 'bullets', title, notes, sources, items: [...items] }, sheet);
}
