import { inLanguage } from '../language.ts';

/** What an organisation manages. */
export const policyStrings = inLanguage('policyStrings', {
  /** `organization` is null where the policy does not name one. */
  managed: (organization: string | null) =>
    `${organization ?? 'Your organization'} manages some settings of HyperAgent.`,
  contact: (contact: string) => `Contact: ${contact}`,
  source: (source: string) => `Policy: ${source}`,
  locked: (organization: string | null, source: string) =>
    `Set by ${organization ?? 'your organization'} (${source})`,
  invalid:
    'The policy of this computer is invalid. You can read and export your tasks, but nothing can be started or changed until the people who manage this computer correct it.',
  problem: (source: string, line: number | null, text: string) =>
    `${source}${line === null ? '' : `, line ${line}`}: ${text}`,
});
