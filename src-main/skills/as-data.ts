import { delimitAsData } from '../guardrails/delimit.ts';

/** Third-party text for a prompt, between marks that say that it is data and no instruction. */
export function asData(text: string, source: string): string {
  return delimitAsData(text, { toolCallId: 'skill', source });
}
