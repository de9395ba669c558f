import type { EgressActor, EgressReason } from '#contract/egress.ts';
import { formatCount } from './format.ts';

/** Words of the network: the switch, the list of connections, their settings. */
export const networkStrings = {
  online: 'The network is on. Switch everything offline',
  offline: 'Everything is offline. Switch the network on',
  offlineLabel: 'Offline',
  tab: 'Network',
  list: 'Connections',
  none: 'Nothing was asked for. What this task sends or wants to send appears here.',
  noneAtAll: 'Nothing has left this computer.',
  count: (all: number, denied: number, hasMore: boolean) => {
    const total = `${hasMore ? 'The newest ' : ''}${formatCount(all)} ${all === 1 ? 'connection' : 'connections'}`;
    return denied === 0 ? total : `${total}, ${formatCount(denied)} denied`;
  },
  earlier: 'Show earlier ones',
  allow: 'Allow',
  allowHost: (host: string) => `Allow ${host}`,
  isAllowed: 'Allowed',
  hostIsAllowed: (host: string) => `Allowed: ${host}`,
  allowed: (host: string) => `${host} may be reached from now on.`,
  current: (what: string) => `This task may reach: ${what}`,
  mayReach: 'What this task may reach',
  short: { offline: 'nothing', allowlist: 'the hosts of the list', open: 'everything public' },
  bytes: (sent: string, received: string) => `${sent} out, ${received} in`,
  open: 'open',
  times: (count: number) => `${formatCount(count)} times`,
  actors: {
    sandbox: 'Program in the sandbox',
    fetch: 'Page',
    search: 'Search',
    browser: 'Browser',
    skill: 'Skill',
    preview: 'Preview',
    model: 'Model server',
    app: 'App',
  } satisfies Record<EgressActor, string>,
  verdicts: { allowed: 'Connected', denied: 'Denied', failed: 'Not connected' },
  reasons: {
    offline: 'the network is switched off',
    not_listed: 'on no list',
    denied_by_rule: 'denied by a rule of yours',
    private_address: 'not on the public internet',
    unresolved: 'the name has no address',
    bad_target: 'no host',
    unreachable: 'nobody answered',
    no_run: 'no run was going on',
  } satisfies Record<EgressReason, string>,
  settings: {
    egress: 'The most that anything here may reach',
    egressChoices: {
      offline: 'Nothing: everything is offline, the app itself included',
      allowlist: 'Only the hosts of the list below, and model servers that you configured',
      open: 'Everything public',
    },
    network: 'What new tasks may reach',
    networkChoices: {
      offline: 'Nothing',
      allowlist: 'The hosts of the list; for any other page you are asked',
      open: "Everything public. Once a task holds other people's words, you are asked about new hosts",
    },
    hosts: 'Hosts that may be reached',
    hostsHint:
      'One a line: example.com, *.example.com, example.com:8080. Without a port, those of the web.',
    privateHosts: 'Hosts of your own network that may be reached',
    privateHostsHint:
      'Addresses that are not public are denied unless they stand here by name: nas.local:8080, 192.168.1.5:*.',
    recent: 'Last connections',
  },
} as const;
