import { findSecretsByKind } from '../base/secret-kinds.ts';
import { type Finding, type FindingWeight, withArticle } from './scanner.ts';

const RULE = 'secret_';

/**
 * Secrets in what a call is given, by their form. They stay where they are, for a program of the user may
 * need them, and what is shown is what runs: it is for the user to say whether they go out.
 */
export function scanSecrets(text: string, weight: FindingWeight): Finding[] {
  const kinds = new Set(findSecretsByKind(text).map(({ kind }) => kind));
  return [...kinds].map((kind) => ({
    rule: RULE + kind.toLowerCase().replaceAll(' ', '_'),
    message: `Holds ${withArticle(kind)}.`,
    weight,
  }));
}

/** Whether a finding is a secret that may leave this computer. */
export function isSecretGoingOut({ rule, weight }: Finding): boolean {
  return rule.startsWith(RULE) && weight !== 'note';
}
