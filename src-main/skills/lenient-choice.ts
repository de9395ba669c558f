import { z } from 'zod';

/**
 * One of some words in an answer of a model: the schema that it is given names them all, and what it says
 * instead ("Major", "bugs") is taken for what it means; `otherwise` stands for all that means nothing.
 */
export function lenientChoice<const Choice extends string>(
  choices: readonly Choice[],
  {
    spoken = {},
    otherwise,
  }: { readonly spoken?: Readonly<Record<string, Choice>>; readonly otherwise: Choice },
): z.ZodType<Choice> {
  return z
    .string()
    .meta({ enum: [...choices] })
    .transform((said) => {
      const word = said.trim().toLowerCase();
      return choices.find((choice) => choice === word) ?? spoken[word] ?? otherwise;
    });
}
