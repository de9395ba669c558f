const LINES = [
  'The harbour was quiet in the morning, and the boats lay in a row.',
  'A letter came from the north with news of an early winter.',
  'The baker counted his loaves twice and wrote the number down.',
  'Two children carried a ladder through the lane behind the mill.',
  'The train was late again, and nobody on the platform minded.',
];

/** A text of plain sentences with `fact` in its middle, as long as `fits` allows. */
export function fillerAround(fact: string, fits: (text: string) => boolean): string {
  const write = (count: number): string => {
    const lines = Array.from({ length: count }, (_, i) => `${i + 1}. ${LINES[i % LINES.length]}`);
    lines.splice(Math.floor(count / 2), 0, fact);
    return lines.join('\n');
  };
  let least = 0;
  let most = 1;
  while (fits(write(most))) most *= 2;
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (fits(write(middle))) least = middle;
    else most = middle;
  }
  return write(least);
}
