import type { SlideTheme } from '#contract/slides.ts';
import type { Color, FontFace } from './types.ts';

/** Colors that are read together: text on each ground has a contrast of 4.5 or more (WCAG 2.2 AA). */
export interface PageTheme {
  readonly headings: FontFace;
  readonly body: FontFace;
  readonly ground: Color;
  readonly text: Color;
  /** Labels, sources, page numbers. */
  readonly muted: Color;
  /** Headings of parts, large numbers, marks. */
  readonly accent: Color;
  /** Cards, stripes of tables. */
  readonly card: Color;
  readonly line: Color;
  /** Text on the accent. */
  readonly onAccent: Color;
  /** Of charts, in order. */
  readonly series: readonly Color[];
}

/** One of the looks that come with the app. */
export interface Theme extends PageTheme {
  /** Title, section and closing pages. */
  readonly cover: {
    readonly ground: Color;
    readonly text: Color;
    readonly muted: Color;
    readonly mark: Color;
  };
  /** What covers and titles are decorated with. */
  readonly style: 'bar' | 'rule' | 'corner';
}

export const THEMES: Readonly<Record<SlideTheme, Theme>> = {
  plain: {
    ...{ headings: 'Calibri', body: 'Calibri', style: 'rule' },
    ...{ ground: 'FFFFFF', text: '1F2430', muted: '5B6475', accent: '1D5FD1' },
    ...{ card: 'F1F4F9', line: 'D5DBE6', onAccent: 'FFFFFF' },
    cover: { ground: 'FFFFFF', text: '1F2430', muted: '5B6475', mark: '1D5FD1' },
    series: ['1D5FD1', 'E07A1F', '2E9E6B', 'B3419A', '7A869C', 'C9A227', '1FA3B5', '8C4A2F'],
  },
  paper: {
    ...{ headings: 'Georgia', body: 'Georgia', style: 'rule' },
    ...{ ground: 'FBF7EF', text: '2B2620', muted: '6A6155', accent: '9C3B2A' },
    ...{ card: 'F3EBDC', line: 'DDD1BC', onAccent: 'FFFFFF' },
    cover: { ground: 'F3EBDC', text: '2B2620', muted: '635A4D', mark: '9C3B2A' },
    series: ['9C3B2A', '3F6C7A', 'C48A2C', '5D7A45', '7B5A86', '8A7A63', 'B8624F', '2F4858'],
  },
  ocean: {
    ...{ headings: 'Calibri', body: 'Calibri', style: 'bar' },
    ...{ ground: 'FFFFFF', text: '12303B', muted: '4C6873', accent: '0B7285' },
    ...{ card: 'E9F5F7', line: 'C5DFE4', onAccent: 'FFFFFF' },
    cover: { ground: '0B4F5E', text: 'FFFFFF', muted: 'CBE8ED', mark: '4FD1D9' },
    series: ['0B7285', 'F08C2E', '37A3B0', '6A5ACD', '7FB069', 'C2486B', '5E7C88', 'D9B310'],
  },
  forest: {
    ...{ headings: 'Cambria', body: 'Calibri', style: 'corner' },
    ...{ ground: 'FBFCF8', text: '1F2D22', muted: '536156', accent: '2F6B3F' },
    ...{ card: 'EDF3E8', line: 'CFDCC8', onAccent: 'FFFFFF' },
    cover: { ground: '23472E', text: 'FFFFFF', muted: 'D5E5D3', mark: 'A6CF6F' },
    series: ['2F6B3F', 'C77B30', '7DA453', '3E7C9A', '9A5B8F', 'B6A33A', '6B7C6E', '8F3B36'],
  },
  ember: {
    ...{ headings: 'Arial', body: 'Arial', style: 'bar' },
    ...{ ground: 'FFFFFF', text: '2A1D1A', muted: '6B5A55', accent: 'B83A14' },
    ...{ card: 'FCF1EC', line: 'F0D6CB', onAccent: 'FFFFFF' },
    cover: { ground: 'A8330F', text: 'FFFFFF', muted: 'FFE3D8', mark: 'FFC38A' },
    series: ['B83A14', '2F6690', 'E8A33D', '6B8F3B', '8C4A8C', '5C5C5C', 'DD7250', '1F8A8A'],
  },
  slate: {
    ...{ headings: 'Calibri', body: 'Calibri', style: 'rule' },
    ...{ ground: '262C36', text: 'F2F4F8', muted: 'B4BDCB', accent: '7FB2FF' },
    ...{ card: '333B48', line: '4A5464', onAccent: '14181F' },
    cover: { ground: '1C2129', text: 'FFFFFF', muted: 'C3CBD8', mark: '7FB2FF' },
    series: ['7FB2FF', 'FFB86B', '7BD8A0', 'E59AD6', 'C4CCD8', 'E8D36B', '6FD6E0', 'F29A8B'],
  },
  midnight: {
    ...{ headings: 'Georgia', body: 'Calibri', style: 'corner' },
    ...{ ground: '111B3A', text: 'F1F4FF', muted: 'AEBADF', accent: 'F0C15A' },
    ...{ card: '1C2A55', line: '35457A', onAccent: '151C33' },
    cover: { ground: '0B1229', text: 'FFFFFF', muted: 'C2CCEE', mark: 'F0C15A' },
    series: ['F0C15A', '7AA8FF', '6FD8B8', 'F08FA8', 'B7A2F2', 'C9D1E8', '8FD0F5', 'E89B62'],
  },
  carbon: {
    ...{ headings: 'Arial', body: 'Arial', style: 'bar' },
    ...{ ground: '141414', text: 'F5F5F5', muted: 'B3B3B3', accent: 'A8E05F' },
    ...{ card: '232323', line: '3D3D3D', onAccent: '121A08' },
    cover: { ground: '0A0A0A', text: 'FFFFFF', muted: 'C7C7C7', mark: 'A8E05F' },
    series: ['A8E05F', '5FC8E0', 'F0A35E', 'D78CF0', 'D0D0D0', 'F0E05E', 'F07F7F', '7F9CF0'],
  },
};

/** The contrast of two colors by WCAG 2.2: 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
