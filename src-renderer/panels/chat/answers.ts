import type { Answer } from '../../store/run-view.ts';
import { strings } from '../../strings.ts';

/** The answer to a question, in words. */
export function describeAnswer({ response, by }: Answer): string {
  switch (response.action) {
    case 'approve':
      if (by === 'rule') return strings.chat.approvedByRule;
      if (by === 'policy') return strings.chat.approvedByPolicy;
      if (response.edited !== undefined) return strings.chat.edited;
      return response.always ? strings.chat.approvedAlways : strings.chat.approvedOnce;
    case 'deny':
      return withReason(
        by === 'rule'
          ? strings.chat.deniedByRule
          : by === 'policy'
            ? strings.chat.deniedByPolicy
            : strings.chat.deniedByYou,
        response.reason,
      );
    case 'select':
      return strings.chat.chose(response.value);
    case 'input':
      return strings.chat.wrote(response.text);
    case 'skip':
      return strings.chat.skipped;
    case 'confirm':
      return strings.chat.confirmed;
    case 'modify':
      return strings.chat.modified(Object.keys(response.overrides).join(', '));
  }
}

function withReason(text: string, reason: string): string {
  return reason.trim() === '' ? text : `${text}: ${reason}`;
}
