const MAX_TITLE = 80;

/** The name of a new task: the first line of its prompt that says something, shortened at a word. */
export function titleOf(prompt: string): string {
  const line = prompt
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
