import { withoutSecretKinds } from '../base/secret-kinds.ts';

const MAX_TITLE = 80;
/** Characters of a prompt that its title may come from. */
const SEARCHED = 20_000;

/** The title of a new task: the first non-empty line of its prompt, without secrets, shortened at a word. */
export function titleOf(prompt: string): string {
  // Before the split, so that a key of several lines is removed as a whole.
  const line = withoutSecretKinds(prompt.slice(0, SEARCHED))
    .split('\n')
    .map((each) => each.replaceAll(/\s+/g, ' ').trim())
    .find((each) => each !== '');
  if (line === undefined) return 'New task';
  // By code points, so that no emoji is cut in half.
  const characters = Array.from(line);
  if (characters.length <= MAX_TITLE) return line;
  const cut = characters.slice(0, MAX_TITLE - 1).join('');
  const lastSpace = cut.lastIndexOf(' ');
  // Scripts without spaces are cut at the limit.
  return `${(lastSpace > MAX_TITLE / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`;
}
