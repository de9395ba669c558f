import type { RunEgress } from '../../egress/app-egress.ts';
import { EgressDenied } from '../../egress/denied.ts';
import { type EgressTarget, targetOfUrl } from '../../egress/target.ts';
import type { ResearchSession } from './research-session.ts';
import type { Found } from './research-state.ts';

/** Hosts that the question names; the others are counted. */
const SHOWN_HOSTS = 12;

/**
 * Asks once in a research whether the pages that it finds may be read, where they stand on no list; what
 * is found after a yes is let through too. Under `never` nobody is asked, and it is a no.
 */
export async function settleAccess(
  session: ResearchSession,
  found: readonly Found[],
): Promise<void> {
  const { state, context, parts } = session;
  const { egress, approve } = context;
  // Known again after a crash: the searches themselves are not made again.
  egress.noteFound(found.map(({ url }) => url));
  const unlisted = found
    .filter(({ url }) => !letsOut(egress, url))
    .flatMap(({ url }) => webTarget(url) ?? []);
  if (unlisted.length === 0 || egress.policy === 'offline') return;
  if (state.access === null) {
    if (approve === 'ask') {
      const { runId, threadId, emit, signal, pause, lane } = context;
      const response = await parts.broker.ask(
        {
          subject: `research ${lane} pages`,
          kind: 'confirm',
          title: 'May this research read the pages that its searches find?',
          message: `They stand on no list of yours. A page learns the address that is asked for, and nothing else. What it says is read as data. Found so far: ${shownHosts(unlisted)}. Without a yes, the research works from what the search says about them.`,
          reasons: [],
          options: [],
        },
        { runId, threadId, emit, signal: AbortSignal.any([signal, pause]) },
      );
      state.access = response.action === 'confirm' ? 'granted' : 'refused';
    } else {
      state.access = approve === 'all' ? 'granted' : 'refused';
    }
    session.commit();
  }
  if (state.access === 'granted') egress.grant(unlisted);
}

/** Whether the run may read this address now: the person's own documents always. */
export function mayRead({ context: { egress } }: ResearchSession, address: string): boolean {
  return /^library:/i.test(address) || letsOut(egress, address);
}

function letsOut(egress: RunEgress, address: string): boolean {
  const url = URL.parse(address);
  return url !== null && webTarget(address) !== null && egress.letsPage(url);
}

function webTarget(address: string): EgressTarget | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  try {
    return targetOfUrl(url);
  } catch (error) {
    if (error instanceof EgressDenied) return null;
    throw error;
  }
}

function shownHosts(targets: readonly EgressTarget[]): string {
  const hosts = [...new Set(targets.map(({ host }) => host))];
  const more = hosts.length - SHOWN_HOSTS;
  return `${hosts.slice(0, SHOWN_HOSTS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
