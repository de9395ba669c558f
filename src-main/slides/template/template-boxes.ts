import type { Box, Size } from '../types.ts';

const EDGE = 40;
/** What the layouts need. */
const LEAST_BODY = { width: 420, height: 250 } as const;
/** Where a title must end to leave that, as a share of the page. */
const HIGHEST_BODY = 0.4;
const FOOTER_HEIGHT = 16;
const NUMBER_WIDTH = 60;

/** What a box has around it, as far as the page goes. */
export function panelOf(box: Box, size: Size): Box {
  return clipped(
    { x: box.x - 12, y: box.y - 8, width: box.width + 24, height: box.height + 16 },
    size,
  );
}

interface Wanted {
  readonly title: Box | null;
  readonly body: Box | null;
  readonly number: Box;
  readonly size: Size;
}

interface Boxes {
  readonly titleBox: Box;
  readonly bodyBox: Box;
}

export function coverBoxes({ title, body, size }: Wanted): Boxes {
  const titleBox = usable(title, { width: 240, height: 40 }, size) ?? {
    ...{ x: 88, y: size.height * 0.2, width: size.width - 176, height: size.height * 0.33 },
  };
  const given = usable(body, { width: 200, height: 40 }, size);
  const top = titleBox.y + titleBox.height + 16;
  const below = { ...titleBox, y: top, height: size.height - EDGE - top };
  if (given !== undefined && !meet(given, titleBox)) return { titleBox, bodyBox: given };
  if (below.height >= 60) return { titleBox, bodyBox: below };
  return {
    titleBox: { ...titleBox, height: titleBox.height - 80 },
    bodyBox: { ...titleBox, y: top - 80, height: 64 },
  };
}

/** Title above, body below: where the template has it so, as it has it. */
export function contentBoxes({ title, body, number, size }: Wanted): Boxes {
  const bottom = number.y > size.height * 0.75 ? number.y - 6 : size.height - EDGE;
  const given = usable(title, { width: 300, height: 30 }, size);
  const x = Math.min(56, given?.x ?? 56);
  const plain = { x, y: 30, width: size.width - 2 * x, height: 76 };
  const titleBox =
    given !== undefined && given.y + given.height < size.height * HIGHEST_BODY ? given : plain;
  const top = titleBox.y + titleBox.height + 10;
  const place = usable(body, { width: LEAST_BODY.width, height: 60 }, size);
  if (place === undefined) return { titleBox, bodyBox: { ...plain, y: top, height: bottom - top } };
  const end = Math.min(place.y + place.height, bottom);
  const isAsGiven = titleBox === given && end - Math.max(top, place.y) >= LEAST_BODY.height;
  const y = isAsGiven ? Math.max(top, place.y) : top;
  return { titleBox, bodyBox: { ...place, y, height: (isAsGiven ? end : bottom) - y } };
}

function meet(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** A box as far as it is on the page; undefined where that is too little. */
function usable(
  box: Box | null,
  least: { readonly width: number; readonly height: number },
  size: Size,
): Box | undefined {
  if (box === null) return;
  const on = clipped(box, size);
  return on.width < least.width || on.height < least.height ? undefined : on;
}

function clipped(box: Box, size: Size): Box {
  const [x, y] = [Math.max(0, box.x), Math.max(0, box.y)];
  const width = Math.min(size.width, box.x + box.width) - x;
  const height = Math.min(size.height, box.y + box.height) - y;
  return { x, y, width, height };
}

export function numberBox(given: Box | null, size: Size): Box {
  const box = usable(given, { width: 20, height: 12 }, size);
  if (box !== undefined) return box;
  const y = size.height - EDGE + 2;
  return { x: size.width - 56 - NUMBER_WIDTH, y, width: NUMBER_WIDTH, height: FOOTER_HEIGHT };
}

/** On the line of the number of the page, beside it. */
export function sourcesBox(body: Box, number: Box): Box {
  const { y, height } = number;
  const isRight = number.x > body.x + body.width / 2;
  const x = isRight ? body.x : Math.max(body.x, number.x + number.width + 20);
  const end = isRight ? Math.min(body.x + body.width, number.x - 20) : body.x + body.width;
  return { x, y, width: Math.max(0, end - x), height };
}
