import { z } from 'zod';

/** Characters without special meaning in any shell, single spaces between words, no leading assignment. */
const PLAIN = /^[\w./:@%+,-]+(?: [\w./:=@%+,-]+)*$/;

/**
 * The words of a command, if the shell reads it as exactly these words: no quoting, no expansion, no
 * chaining. Null for every other command; rules about words never apply to those (our own parsing of a
 * shell string must not decide anything).
 */
export function plainArgv(command: string): readonly string[] | null {
  return PLAIN.test(command) ? command.split(' ') : null;
}

const ArgvPattern = z.array(z.string().min(1)).min(1);

/** The words of a rule's pattern, a JSON list; null if it is not one. */
export function parseArgvPattern(pattern: string): readonly string[] | null {
  try {
    return ArgvPattern.parse(JSON.parse(pattern));
  } catch {
    // A rule that cannot be parsed covers nothing; `createRuleApi` refuses to store one.
    return null;
  }
}
