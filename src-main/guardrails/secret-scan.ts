import { findSecretsByKind } from '../base/secret-kinds.ts';
import { type Finding, type FindingWeight, withArticle } from './scanner.ts';

const RULE = 'secret_';

/**
 * Finds secrets in the arguments of a call by their form. They stay in place: a program of the user may need
 * them, and what is shown must be what runs. The user decides whether they leave.
 */
export function scanSecrets(text: string, weight: FindingWeight): Finding[] {
  const kinds = new Set(findSecretsByKind(text).map(({ kind }) => kind));
  return [...kinds].map((kind) => ({
    rule: RULE + kind.toLowerCase().replaceAll(' ', '_'),
    message: `Contains ${withArticle(kind)}.`,
    weight,
  }));
}

/** Whether a finding is a secret that may leave this computer. */
export function isSecretGoingOut({ rule, weight }: Finding): boolean {
  return rule.startsWith(RULE) && weight !== 'note';
}
