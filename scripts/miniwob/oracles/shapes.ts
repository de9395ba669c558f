import { asked, matches, type TaskPage, ViewLacks } from '../task-page.ts';
import { type Oracles, within } from './oracle.ts';

/** Tasks that are drawn: done where the view describes what is drawn, with color, size and place. */
export const SHAPES: Oracles = {
  'ascending-numbers': async (page) => {
    for (let number = 1; number <= 5; number += 1) await page.clickNamed(String(number));
  },
  'circle-center': async (page) => {
    const [circle] = await shapes(page, 'circle');
    await clickAt(page, circle ?? missing('circle'));
    await page.submit();
  },
  'find-midpoint': async (page) => {
    const [a, b] = await shapes(page, 'circle');
    if (a === undefined || b === undefined) return missing('two points');
    await clickAt(page, { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
    await page.submit();
  },
  'right-angle': async (page) => {
    const points = await shapes(page, 'circle');
    const vertex = points.find(({ color }) => color === 'blue') ?? missing('blue point');
    const other = points.find(({ color }) => color === 'black') ?? missing('black point');
    const [dx, dy] = [other.x - vertex.x, other.y - vertex.y];
    const sides = [towards(vertex, { x: -dy, y: dx }), towards(vertex, { x: dy, y: -dx })];
    const far = sides.toSorted((a, b) => distance(vertex, b) - distance(vertex, a))[0] ?? null;
    await clickAt(page, far);
    await page.submit();
  },
  'bisect-angle': async (page) => {
    const points = await shapes(page, 'circle');
    const vertex = points.find(({ color }) => color === 'blue') ?? missing('blue point');
    const [a, b] = points.filter(({ color }) => color === 'black').map((one) => unit(vertex, one));
    if (a === undefined || b === undefined) return missing('two black points');
    await clickAt(page, towards(vertex, { x: a.x + b.x, y: a.y + b.y }));
    await page.submit();
  },
  'draw-line': async (page) => {
    const [direction = ''] = asked(page.query, /Draw a (\w+) line/);
    const [dot] = await shapes(page, 'circle');
    const { x, y } = dot ?? missing('dot');
    const [dx, dy] = direction === 'vertical' ? [0, 25] : [25, 0];
    await page.act({
      ...{ kind: 'drag', from: { x: x - dx, y: y - dy }, to: { x: x + dx, y: y + dy } },
    });
    await page.submit();
  },
  'drag-circle': dragOne,
  'drag-single-shape': dragOne,
  'drag-shapes': async (page) => {
    const [kind = ''] = asked(page.query, /all (\w+?)s into/);
    const all = await shapes(page);
    const box = all.find(({ color }) => color === 'none') ?? missing('box');
    for (const shape of all) {
      if (shape === box) continue;
      const isIn = Math.abs(shape.x - box.x) < box.width && Math.abs(shape.y - box.y) < box.height;
      if (shape.kind === KINDS[kind]) await moveTo(page, shape, box);
      else if (isIn) await moveTo(page, shape, { x: 10, y: box.y > 120 ? 62 : 190 });
    }
    await page.submit();
  },
  'drag-shapes-2': async (page) => {
    const [what = ''] = asked(page.query, /all (.+) into the left box/);
    const all = await shapes(page);
    const [left, right] = all.filter(({ color }) => color === 'none').toSorted((a, b) => a.x - b.x);
    if (left === undefined || right === undefined) return missing('two boxes');
    for (const shape of all) {
      if (shape !== left && shape !== right) {
        await moveTo(page, shape, isDescribed(shape, what) ? left : right);
      }
    }
    await page.submit();
  },
  'click-shape': async (page) => {
    const [what = ''] = asked(page.query, /Click on an? (.+)/);
    const shape = (await shapes(page)).find((one) => isDescribed(one, what));
    if (shape === undefined) return missing(what);
    await page.act({ kind: 'click', at: { ref: shape.ref } });
  },
  'count-shape': async (page) => {
    const [what = ''] = asked(page.query, /How many (.+?) are there/);
    const count = (await shapes(page)).filter((shape) => isDescribed(shape, what)).length;
    await page.button(String(count));
  },
  'identify-shape': async (page) => {
    const [shape] = await shapes(page);
    if (shape === undefined) return missing('shape');
    const name = Object.entries(NAMES).find(([, is]) => is(shape))?.[0] ?? '';
    await page.button(name);
  },
  'click-shades': async (page) => {
    const [color = ''] = asked(page.query, /shades of (\w+) and/);
    const at = ['red', 'green', 'blue'].indexOf(color);
    const patches = (await page.body()).filter(({ ref, name }) => ref !== null && RGB.test(name));
    if (at === -1 || patches.length === 0) return missing('patch of a color');
    for (const patch of patches) {
      const parts = RGB.exec(patch.name)?.slice(1).map(Number) ?? [];
      if (parts[at] === Math.max(...parts)) await page.click(patch);
    }
    await page.submit();
  },
  'grid-coordinate': async (page) => {
    const [across = '', up = ''] = asked(page.query, /\((-?\d),(-?\d)\)/);
    const dots = await shapes(page, 'circle');
    const columns = [...new Set(dots.map(({ x }) => x))].toSorted((a, b) => a - b);
    const rows = [...new Set(dots.map(({ y }) => y))].toSorted((a, b) => b - a);
    const middle = (columns.length - 1) / 2;
    const [x, y] = [columns[middle + Number(across)], rows[middle + Number(up)]];
    const dot = dots.find((one) => one.x === x && one.y === y) ?? missing('dot');
    await page.act({ kind: 'click', at: { ref: dot.ref } });
  },
};

const RGB = /rgb\((\d+), (\d+), (\d+)\)/;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** What is drawn, by its middle. Of a letter, the color and the size may be unknown. */
interface Shape extends Point {
  readonly ref: string;
  readonly kind: string;
  readonly color: string;
  readonly width: number;
  readonly height: number;
  readonly text: string;
}

const KINDS: Readonly<Record<string, string>> = {
  ...{ circle: 'circle', rectangle: 'rect', triangle: 'polygon' },
};

const NAMES: Readonly<Record<string, (shape: Shape) => boolean>> = {
  Rectangle: ({ kind }) => kind === 'rect',
  Circle: ({ kind }) => kind === 'circle',
  Triangle: ({ kind }) => kind === 'polygon',
  Letter: ({ text }) => /^[a-z]$/i.test(text),
  Number: ({ text }) => /^\d$/.test(text),
};

async function shapes(page: TaskPage, only?: string): Promise<readonly Shape[]> {
  const all = (await page.body()).flatMap(({ ref, role, name }): Shape[] => {
    if (ref === null) return [];
    const place = /^(?:"?(.*?)"? )?(\S+|rgba?\([^)]*\)) (\d+)x(\d+) at (-?\d+),(-?\d+)$/.exec(name);
    const isText = role === 'text';
    const nowhere = { ref, kind: role, color: '', width: 0, height: 0, x: 0, y: 0, text: name };
    if (place === null) return isText && matches(name, /^\S$/) ? [nowhere] : [];
    const [, text = '', color = '', ...sizes] = place;
    const [width = 0, height = 0, left = 0, top = 0] = sizes.map(Number);
    const middle = { x: left + width / 2, y: top + height / 2 };
    return [{ ref, kind: role, color, width, height, ...middle, text }];
  });
  return only === undefined ? all : all.filter(({ kind }) => kind === only);
}

const COLOR_NAMES = /\b(red|green|blue|yellow|black|magenta|aqua|cyan|orange|purple)\b/;

/** Whether a shape is a `small red circle`. */
function isDescribed(shape: Shape, what: string): boolean {
  const color = COLOR_NAMES.exec(what)?.[1];
  const kind = /(rectangle|circle|triangle|letter|number|digit)/.exec(what)?.[1];
  const name = kind === 'digit' ? 'Number' : `${kind?.[0]?.toUpperCase()}${kind?.slice(1)}`;
  if (kind !== undefined && NAMES[name]?.(shape) !== true) return false;
  if (color !== undefined && shape.color !== color) return false;
  if (/\bsmall\b/.test(what)) return shape.width > 0 && shape.width < 15;
  return !/\b(large|big)\b/.test(what) || shape.width >= 15;
}

async function clickAt(page: TaskPage, point: Point | null): Promise<void> {
  const { x, y } = point ?? missing('place in the drawing');
  await page.act({ kind: 'click', at: { x: Math.round(x), y: Math.round(y) } });
}

async function moveTo(page: TaskPage, { x, y }: Point, to: Point): Promise<void> {
  const target = { x: Math.round(to.x), y: Math.round(to.y) };
  await page.act({ kind: 'drag', from: { x: Math.round(x), y: Math.round(y) }, to: target });
}

const DIRECTIONS: Readonly<Record<string, Point>> = {
  ...{ up: { x: 0, y: -25 }, down: { x: 0, y: 25 } },
  ...{ left: { x: -25, y: 0 }, right: { x: 25, y: 0 } },
};

async function dragOne(page: TaskPage): Promise<void> {
  const [direction = ''] = asked(page.query, /Drag the \w+ (\w+) then/);
  const shape = (await shapes(page))[0] ?? missing('shape');
  const { x, y } = DIRECTIONS[direction] ?? missing(`direction ${direction}`);
  await moveTo(page, shape, { x: shape.x + x, y: shape.y + y });
  await page.submit();
}

/** Where the drawings of the tasks are, in pixels. */
const AREA = { left: 6, right: 150, top: 56, bottom: 178 };

function unit(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

const distance = (from: Point, to: Point | null): number =>
  to === null ? 0 : Math.hypot(to.x - from.x, to.y - from.y);

/** The farthest point in a direction that is in the drawing; null where the nearest is too near. */
function towards(from: Point, direction: Point): Point | null {
  const { x, y } = unit({ x: 0, y: 0 }, direction);
  for (let length = 80; length >= 12; length -= 2) {
    const point = { x: from.x + x * length, y: from.y + y * length };
    if (within(point.x, AREA.left, AREA.right) && within(point.y, AREA.top, AREA.bottom))
      return point;
  }
  return null;
}

function missing(what: string): never {
  throw new ViewLacks(`no ${what} in the drawing`);
}
