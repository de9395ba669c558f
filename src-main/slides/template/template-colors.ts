import { childOf, type XmlElement } from '../../documents/office/read-xml.ts';
import type { Color } from '../types.ts';

/** The named colors of a theme: `dk1`, `lt1`, `accent1` and others. */
export type ColorScheme = ReadonlyMap<string, Color>;
/** Which of them `tx1`, `bg1` and others mean. */
export type ColorMap = ReadonlyMap<string, string>;

export interface Colors {
  readonly scheme: ColorScheme;
  readonly map: ColorMap;
  /** What `phClr` stands for. */
  readonly own?: Color;
}

/** The elements of colors, as fills and texts have them. */
const NAMES = new Set([
  'a:srgbClr',
  'a:schemeClr',
  'a:sysClr',
  'a:prstClr',
  'a:scrgbClr',
  'a:hslClr',
]);
/** The colors by name that templates use; ECMA-376 has 140 more. */
const PRESETS: Readonly<Record<string, Color>> = {
  ...{ black: '000000', white: 'FFFFFF', red: 'FF0000', green: '008000', blue: '0000FF' },
  ...{ gray: '808080', grey: '808080', yellow: 'FFFF00', orange: 'FFA500' },
};

export function schemeOf(theme: XmlElement): ColorScheme {
  const scheme = childOf(childOf(theme, 'a:themeElements'), 'a:clrScheme');
  const empty: Colors = { scheme: new Map(), map: new Map() };
  return new Map(
    (scheme?.children ?? []).map((entry) => [
      entry.name.slice('a:'.length),
      colorIn(entry, empty) ?? '808080',
    ]),
  );
}

/** The color that an element has as a child; null for none that is known. */
export function colorIn(element: XmlElement | undefined, colors: Colors): Color | null {
  const given = element?.children.find(({ name }) => NAMES.has(name));
  if (given === undefined) return null;
  const base = baseOf(given, colors);
  return base === null ? null : toHex(given.children.reduce(modified, fromHex(base)));
}

/** How much of an element's color is seen, 0 to 1. */
export function opacityIn(element: XmlElement | undefined): number {
  const given = element?.children.find(({ name }) => NAMES.has(name));
  const alpha = childOf(given, 'a:alpha')?.attributes.get('val');
  return alpha === undefined ? 1 : share(alpha);
}

/** The color of a fill, as one: of a gradient, the mean of its stops. Null for none, or a picture. */
export function fillColor(fill: XmlElement | undefined, colors: Colors): Color | null {
  if (fill?.name === 'a:solidFill') return colorIn(fill, colors);
  if (fill?.name === 'a:pattFill') return colorIn(childOf(fill, 'a:bgClr'), colors);
  if (fill?.name !== 'a:gradFill') return null;
  const stops = (childOf(fill, 'a:gsLst')?.children ?? []).flatMap(
    (stop) => colorIn(stop, colors) ?? [],
  );
  return stops.length === 0 ? null : meanColor(stops);
}

export function meanColor(colors: readonly Color[]): Color {
  const tones = colors.map(fromHex);
  return toHex(
    eachOf((at) => tones.reduce((sum, tone) => sum + tone[at], 0) / Math.max(1, tones.length)),
  );
}

/** So much of the other color in the first: 0 for none. */
export function mixed(one: Color, other: Color, part: number): Color {
  const [a, b] = [fromHex(one), fromHex(other)];
  return toHex(eachOf((at) => a[at] + (b[at] - a[at]) * part));
}

/** 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

const eachOf = (tone: (at: 0 | 1 | 2) => number): Rgb => [tone(0), tone(1), tone(2)];

function baseOf({ name, attributes }: XmlElement, { scheme, map, own }: Colors): Color | null {
  const value = attributes.get('val') ?? '';
  switch (name) {
    case 'a:srgbClr':
      return /^[\da-f]{6}$/i.test(value) ? value.toUpperCase() : null;
    case 'a:schemeClr':
      return value === 'phClr' ? (own ?? null) : (scheme.get(map.get(value) ?? value) ?? null);
    case 'a:sysClr': {
      const last = attributes.get('lastClr') ?? '';
      if (/^[\da-f]{6}$/i.test(last)) return last.toUpperCase();
      return value === 'window' ? 'FFFFFF' : '000000';
    }
    case 'a:prstClr':
      return PRESETS[value] ?? '808080';
    case 'a:scrgbClr': {
      const keys = ['r', 'g', 'b'] as const;
      return toHex(eachOf((at) => share(attributes.get(keys[at])) ** (1 / 2.2) * 255));
    }
    default: {
      const hue = (Number(attributes.get('hue')) || 0) / 60_000 / 360;
      return toHex(fromHsl([hue, share(attributes.get('sat')), share(attributes.get('lum'))]));
    }
  }
}

/** A modification of a color, as far as its tone changes by it. */
function modified(rgb: Rgb, { name, attributes }: XmlElement): Rgb {
  const value = share(attributes.get('val'));
  const byHsl = (change: (hsl: Rgb) => Rgb): Rgb => fromHsl(change(toHsl(rgb)));
  switch (name) {
    case 'a:lumMod':
      return byHsl(([h, s, l]) => [h, s, l * value]);
    case 'a:lumOff':
      return byHsl(([h, s, l]) => [h, s, l + value]);
    case 'a:satMod':
      return byHsl(([h, s, l]) => [h, s * value, l]);
    case 'a:tint':
      return eachOf((at) => rgb[at] * value + 255 * (1 - value));
    case 'a:shade':
      return eachOf((at) => rgb[at] * value);
    case 'a:inv':
      return eachOf((at) => 255 - rgb[at]);
    case 'a:gray':
      return eachOf(() => 0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2]);
    default:
      return rgb;
  }
}

/** Thousandths of a percent, or a percentage, as a share. */
function share(value: string | undefined): number {
  const number = Number.parseFloat(value ?? '');
  if (!Number.isFinite(number)) return 1;
  return value?.endsWith('%') === true ? number / 100 : number / 100_000;
}

function fromHex(color: Color): Rgb {
  return eachOf((at) => Number.parseInt(color.slice(at * 2, at * 2 + 2), 16));
}

function toHex(rgb: Rgb): Color {
  return rgb
    .map((value) =>
      Math.min(255, Math.max(0, Math.round(value)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')
    .toUpperCase();
}

/** Each 0 to 1. */
function toHsl([red, green, blue]: Rgb): Rgb {
  const [r, g, b] = [red / 255, green / 255, blue / 255];
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const light = (most + least) / 2;
  const range = most - least;
  if (range === 0) return [0, 0, light];
  const saturation = range / (1 - Math.abs(2 * light - 1));
  const sixth =
    most === r ? (g - b) / range : most === g ? (b - r) / range + 2 : (r - g) / range + 4;
  return [((sixth + 6) % 6) / 6, saturation, light];
}

function fromHsl([hue, saturation, light]: Rgb): Rgb {
  const within = (one: number): number => Math.min(1, Math.max(0, one));
  const l = within(light);
  const range = within(saturation) * Math.min(l, 1 - l);
  return eachOf((at) => {
    const turned = ([0, 8, 4][at] ?? 0) + hue * 12;
    const place = turned % 12;
    return (l - range * Math.max(-1, Math.min(place - 3, 9 - place, 1))) * 255;
  });
}
