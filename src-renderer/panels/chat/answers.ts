import { listOf } from '../../format.ts';
import type { Answer } from '../../store/run-view.ts';
import { chatStrings } from '../../strings/chat.ts';

/** The answer to a question, in words. */
export function describeAnswer({ response, by }: Answer): string {
  switch (response.action) {
    case 'approve':
      if (by === 'rule') return chatStrings.approvedByRule;
      if (by === 'policy') return chatStrings.approvedByPolicy;
      if (response.edited !== undefined) return chatStrings.edited;
      return response.always ? chatStrings.approvedAlways : chatStrings.approvedOnce;
    case 'deny':
      return withReason(
        by === 'rule'
          ? chatStrings.deniedByRule
          : by === 'policy'
            ? chatStrings.deniedByPolicy
            : chatStrings.deniedByYou,
        response.reason,
      );
    case 'select':
      return chatStrings.chose(response.value);
    case 'input':
      return chatStrings.wrote(response.text);
    case 'skip':
      return chatStrings.skipped;
    case 'confirm':
      return chatStrings.confirmed;
    case 'modify':
      return chatStrings.modified(listOf(Object.keys(response.overrides)));
  }
}

function withReason(text: string, reason: string): string {
  return reason.trim() === '' ? text : `${text}: ${reason}`;
}
