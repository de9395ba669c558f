/** Words and sections of a text of each length. */
export const LENGTHS = {
  short: { words: 250, sections: 3 },
  medium: { words: 700, sections: 5 },
  long: { words: 1_800, sections: 8 },
} as const;
export type Length = keyof typeof LENGTHS;
