import { z } from 'zod';

/**
 * An enum in a model's answer: the schema names all choices, and known variants ("Major", "bugs") are mapped
 * to one of them; anything else becomes `otherwise`.
 */
export function lenientChoice<const Choice extends string>(
  choices: readonly Choice[],
  {
    aliases = {},
    otherwise,
  }: { readonly aliases?: Readonly<Record<string, Choice>>; readonly otherwise: Choice },
): z.ZodType<Choice> {
  return z
    .string()
    .meta({ enum: [...choices] })
    .transform((answer) => {
      const word = answer.trim().toLowerCase();
      return choices.find((choice) => choice === word) ?? aliases[word] ?? otherwise;
    });
}
