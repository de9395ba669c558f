import type { ConnectorDraft } from '#contract/connectors.ts';
import { defined } from '#contract/defined.ts';
import { linesOf, pairsOf, wordsOf } from './parse-form.ts';

/** What the user typed, as text. */
export interface ConnectorForm {
  readonly kind: 'program' | 'remote' | 'paste';
  readonly name: string;
  readonly command: string;
  readonly variables: string;
  readonly reads: string;
  readonly writes: string;
  readonly hosts: string;
  readonly url: string;
  readonly headers: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly text: string;
}

export const EMPTY_FORM: ConnectorForm = {
  ...{ kind: 'program', name: '', command: '', variables: '', reads: '', writes: '', hosts: '' },
  ...{ url: '', headers: '', clientId: '', clientSecret: '', text: '' },
};

/** What the fields describe. Throws an error with a message for the user. */
export function draftOf(form: ConnectorForm): ConnectorDraft {
  if (form.kind === 'remote') {
    const oauth = defined({
      clientId: form.clientId.trim() || undefined,
      clientSecret: form.clientSecret.trim() || undefined,
    });
    return {
      ...{ kind: 'remote', url: form.url.trim(), headers: pairsOf(form.headers) },
      ...(Object.keys(oauth).length > 0 ? { oauth } : {}),
    };
  }
  const [command = '', ...args] = wordsOf(form.command);
  const folders = (text: string, access: 'read' | 'write') =>
    linesOf(text).map((path) => ({ path, access }));
  return {
    ...{ kind: 'program', command, args, env: pairsOf(form.variables) },
    folders: [...folders(form.reads, 'read'), ...folders(form.writes, 'write')],
    hosts: linesOf(form.hosts),
  };
}
