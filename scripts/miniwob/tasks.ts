import { CLICKS } from './oracles/clicks.ts';
import { DATES } from './oracles/dates.ts';
import { DOING } from './oracles/doing.ts';
import { FORMS } from './oracles/forms.ts';
import { MESSAGES } from './oracles/messages.ts';
import type { Oracle, Oracles } from './oracles/oracle.ts';
import { READING } from './oracles/reading.ts';
import { SHAPES } from './oracles/shapes.ts';

/** The oracles of all tasks that have one, by the task's name. */
export const ORACLES: Oracles = {
  ...CLICKS,
  ...FORMS,
  ...DATES,
  ...READING,
  ...DOING,
  ...MESSAGES,
  ...SHAPES,
};

/**
 * `drawn`: the task is drawn in svg or on a canvas. `bare`: its page gives nothing that can be acted on to an
 * accessibility tree (five more of these are drawn). All else is `accessible`, and what the share counts.
 */
export type TaskGroup = 'accessible' | 'drawn' | 'bare';

const DRAWN = new Set(
  (
    'ascending-numbers bisect-angle chase-circle circle-center click-pie click-pie-nodelay click-shape count-shape ' +
    'count-sides drag-circle drag-shapes drag-shapes-2 drag-single-shape draw-circle draw-line find-midpoint ' +
    'grid-coordinate hover-shape identify-shape moving-items right-angle stock-market text-editor'
  ).split(' '),
);

const BARE = new Set(
  'click-color click-link daily-calendar drag-items drag-items-grid hot-cold social-media tic-tac-toe'.split(
    ' ',
  ),
);

/** Why no oracle can be written: what the task asks about is not in any text. */
const UNREADABLE: Readonly<Record<string, string>> = {
  'click-color': 'only its color tells the target from the others',
  'simon-says': 'the order to repeat is shown by blinking',
  'hot-cold': 'the place to find is shown by color and motion',
  'tic-tac-toe': 'the marks are pictures',
  'drag-cube': 'the cube turns with the distance in pixels',
  'count-sides': 'drawn on a canvas',
  'draw-circle': 'a drag goes straight',
  'hover-shape': 'what to hover over changes every two seconds',
  'chase-circle': 'what to hover over moves',
  'moving-items': 'what to click moves',
};

export interface Task {
  readonly name: string;
  readonly group: TaskGroup;
  readonly oracle: Oracle | null;
  /** Why there is no oracle; null where there is one. */
  readonly why: string | null;
}

export function taskOf(name: string): Task {
  const oracle = ORACLES[name] ?? null;
  const group = DRAWN.has(name) ? 'drawn' : BARE.has(name) ? 'bare' : 'accessible';
  const why =
    UNREADABLE[name] ?? (group === 'drawn' ? 'drawn in svg or on a canvas' : 'oracle missing');
  return { name, group, oracle, why: oracle === null ? why : null };
}
