import { z } from 'zod';

/** Characters that no shell gives a meaning of its own, one space between words, no assignment first. */
const PLAIN = /^[\w./:@%+,-]+(?: [\w./:=@%+,-]+)*$/;

/**
 * The words of a command, where the shell takes it as exactly these words: no quoting, no expansion,
 * no chain. Null for every other command, which no rule about words may speak of (a parsed shell
 * string must not decide anything).
 */
export function plainArgv(command: string): readonly string[] | null {
  return PLAIN.test(command) ? command.split(' ') : null;
}

const ArgvPattern = z.array(z.string().min(1)).min(1);

/** The words of a rule's pattern, a JSON list; null where it is none. */
export function parseArgvPattern(pattern: string): readonly string[] | null {
  try {
    return ArgvPattern.parse(JSON.parse(pattern));
  } catch {
    // A rule that cannot be read covers nothing; the door that takes rules in refuses it.
    return null;
  }
}
