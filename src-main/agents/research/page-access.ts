import type { RunEgress } from '../../egress/app-egress.ts';
import { EgressDenied } from '../../egress/denied.ts';
import { type EgressTarget, targetOfUrl } from '../../egress/target.ts';
import type { ResearchSession } from './research-session.ts';
import type { Found } from './research-state.ts';

/** Hosts that the question lists; the rest is a count. */
const SHOWN_HOSTS = 12;

/**
 * Asks once for each research whether it may read found pages whose hosts are on no list. An approval also
 * covers pages found later. With the policy `never` it does not ask, and does not read them.
 */
export async function decideAccess(
  session: ResearchSession,
  found: readonly Found[],
): Promise<void> {
  const { state, context } = session;
  const { egress, approve } = context;
  // Repeated after a crash, because completed searches do not run again.
  egress.noteFound(found.map(({ url }) => url));
  const unlisted = found
    .filter(({ url }) => !isReachable(egress, url))
    .flatMap(({ url }) => webTarget(url) ?? []);
  if (unlisted.length === 0 || egress.policy === 'offline') return;
  if (state.access === null) {
    if (approve === 'ask') {
      const response = await context.broker.ask(
        {
          subject: `research ${context.branch || 'run'} pages`,
          kind: 'confirm',
          title: 'Allow this research to read the pages it finds?',
          message: `These sites are not on your network lists. A site sees the address that is requested and nothing else, and its text is treated as data. Found so far: ${shownHosts(unlisted)}. If you decline, the research uses only the snippets in the search results.`,
          reasons: [],
          options: [],
        },
        context,
      );
      state.access = response.action === 'confirm' ? 'granted' : 'refused';
    } else {
      state.access = approve === 'all' ? 'granted' : 'refused';
    }
    session.commit();
  }
  if (state.access === 'granted') egress.grant(unlisted);
}

/** Whether the run may read this address now. The user's own documents are always allowed. */
export function mayRead({ context: { egress } }: ResearchSession, address: string): boolean {
  return /^library:/i.test(address) || isReachable(egress, address);
}

function isReachable(egress: RunEgress, address: string): boolean {
  const url = URL.parse(address);
  return url !== null && webTarget(address) !== null && egress.allowsPage(url);
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
