import { withoutSecretKinds } from '../base/secret-kinds.ts';

const MAX_TITLE = 80;
/** Characters of a prompt that its title may come from. */
const SEARCHED = 20_000;

/** The name of a new task: the first line of its prompt that says something, shortened at a word, without secrets. */
export function titleOf(prompt: string): string {
  // A key of many lines is no line of its own.
  const line = withoutSecretKinds(prompt.slice(0, SEARCHED))
    .split('\n')
    .map((each) => each.replaceAll(/\s+/g, ' ').trim())
    .find((each) => each !== '');
  if (line === undefined) return 'New task';
  // By characters as people see most of them: half of an emoji is none.
  const characters = Array.from(line);
  if (characters.length <= MAX_TITLE) return line;
  const cut = characters.slice(0, MAX_TITLE - 1).join('');
  const lastSpace = cut.lastIndexOf(' ');
  // Scripts without spaces are cut where the room ends.
  return `${(lastSpace > MAX_TITLE / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`;
}
