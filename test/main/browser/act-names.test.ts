import { expect, it } from 'vitest';
import { messageActs, nameActs } from '#main/browser/act-names.ts';
import {
  ACTS,
  LATER_ACTS,
  LATER_NO_ACTS,
  type NamedElement,
  NO_ACTS,
} from '../../fixtures/browser/names.ts';

const judged = (names: readonly NamedElement[]): NamedElement[] =>
  names.filter(([role, name]) => nameActs(name, role));

it('knows by their names the controls and links that act', () => {
  const found = new Set(judged([...ACTS, ...LATER_ACTS]));
  // Opens a form.
  expect([...ACTS, ...LATER_ACTS].filter((one) => !found.has(one))).toEqual([
    ['button', 'Add card'],
  ]);
});

it('takes no name for an act that only has its letters, or speaks of it', () => {
  expect(judged([...NO_ACTS, ...LATER_NO_ACTS])).toEqual([
    ['button', 'Send button settings'],
    ['link', 'Send My Regards'],
  ]);
});

it.each([
  ['.fa.fa-trash', 'button', true],
  ['.icon-deleteItem', 'clickable', true],
  ['.fa.fa-trash', 'link', true],
  ['.paper-plane', 'button', true],
  ['#submitButton', 'button', true],
  ['.icon-login', 'link', false],
  ['.fa.fa-plus', 'button', false],
  ['.btn.btn-default rgb(255, 0, 0)', 'button', false],
  ['.sender-name', 'clickable', false],
  ['#1 in sales', 'link', false],
  // A page may give such names to evade it.
  ['.Order now', 'button', true],
  ['#Checkout', 'button', true],
  ['.fa Send it', 'link', false],
])('reads what the code of a page calls a control without a name: %s, %s', (name, role, acts) => {
  expect(nameActs(name, role)).toBe(acts);
});

it.each([
  ['Are you sure you want to remove this?', true],
  ['Permanently delete 3 items?', true],
  ['Please sign in again', true],
  ['This cannot be undone.', true],
  ['确定要删除这条评论吗？', true],
  ['Welcome to our site!', false],
  ['Your session has 5 minutes left', false],
  ['欢迎光临', false],
])('reads what a page asks: %s', (message, acts) => {
  expect(messageActs(message)).toBe(acts);
});

it('judges names of any length and make in time that grows with them', () => {
  const long = (part: string): string => part.repeat(100_000 / part.length);
  const names = ['send and ', 'to ', '发', 'a-', '(', '\u200b', '\n', 'cancel my my my '].map(long);
  expect(names.map((name) => nameActs(`Send ${name}`, 'button'))).toEqual(names.map(() => true));
  expect(nameActs('x'.repeat(10_000), 'button')).toBe(false);
});
