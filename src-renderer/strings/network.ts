import type { EgressActor, EgressReason } from '#contract/egress.ts';
import { formatCount } from '../format.ts';
import { inLanguage } from '../language.ts';

/** The network: its switch, the list of connections, its settings. */
export const networkStrings = inLanguage('networkStrings', {
  online: 'Network is on. Go offline',
  offline: 'Network is off. Go online',
  offlineLabel: 'Offline',
  tab: 'Network',
  list: 'Connections',
  none: 'No connections yet. Everything this task sends or tries to send appears here.',
  noneAtAll: 'Nothing has left this computer.',
  count: (all: number, denied: number, hasMore: boolean) => {
    const total = `${hasMore ? 'Newest ' : ''}${formatCount(all)} ${all === 1 ? 'connection' : 'connections'}`;
    return denied === 0 ? total : `${total}, ${formatCount(denied)} denied`;
  },
  earlier: 'Show earlier',
  allow: 'Allow',
  allowHost: (host: string) => `Allow ${host}`,
  isAllowed: 'Allowed',
  hostIsAllowed: (host: string) => `Allowed: ${host}`,
  allowed: (host: string) => `${host} is now allowed.`,
  current: (what: string) => `Network access: ${what}`,
  mayReach: 'Network access of this task',
  short: { offline: 'none', allowlist: 'allowed hosts', open: 'all public hosts' },
  bytes: (sent: string, received: string) => `${sent} out, ${received} in`,
  open: 'open',
  times: (count: number) => `${formatCount(count)} times`,
  actors: {
    sandbox: 'Sandbox program',
    fetch: 'Page',
    search: 'Search',
    browser: 'Browser',
    skill: 'Skill',
    preview: 'Preview',
    connector: 'Connector',
    model: 'Model server',
    app: 'App',
  } satisfies Record<EgressActor, string>,
  verdicts: { allowed: 'Connected', denied: 'Denied', failed: 'Failed' },
  reasons: {
    offline: 'the network is off',
    not_listed: 'not on the list of allowed hosts',
    denied_by_rule: 'denied by one of your rules',
    denied_by_policy: 'denied by the policy of this computer',
    private_address: 'private network address',
    unresolved: 'host not found',
    bad_target: 'invalid address',
    unreachable: 'no response',
    no_run: 'no run in progress',
  } satisfies Record<EgressReason, string>,
  settings: {
    egress: 'App-wide network limit',
    egressChoices: {
      offline: 'Offline, including the app itself',
      allowlist: 'Only allowed hosts and the model servers you configured',
      open: 'All public hosts',
    },
    network: 'Network access of new tasks',
    networkChoices: {
      offline: 'None',
      allowlist: 'Allowed hosts. You are asked about any other page',
      open: 'All public hosts. Once a task contains untrusted content, you are asked about new hosts',
    },
    hosts: 'Allowed hosts',
    hostsHint:
      'One per line: example.com, *.example.com, example.com:8080. Without a port, the standard web ports are allowed.',
    privateHosts: 'Allowed hosts on your own network',
    privateHostsHint:
      'Private addresses are denied unless you list them here: nas.local:8080, 192.168.1.5:*.',
    recent: 'Recent connections',
  },
});
