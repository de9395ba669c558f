import type { Transport } from '@modelcontextprotocol/client';
import type { Connector } from '#contract/connectors.ts';
import type { Clock } from '../base/clock.ts';
import type { ListedOffers } from './server-lists.ts';

export interface ConnectionLimits {
  /** From the start of a server to its first answer. */
  readonly startMs: number;
  /** Without an answer and without news of progress. */
  readonly callMs: number;
  /** However much news there is. */
  readonly wholeCallMs: number;
  readonly listMs: number;
  /** Before the second start after a failure; four times as long before each later one. */
  readonly retryMs: number;
}

export const LIMITS: ConnectionLimits = {
  startMs: 120_000,
  callMs: 60_000,
  wholeCallMs: 600_000,
  listMs: 20_000,
  retryMs: 1_000,
};

export interface ConnectionParts {
  readonly name: string;
  /** Of the app, for servers to see. */
  readonly version: string;
  /** A transport that was not started. */
  readonly open: () => Promise<ConnectorClientTransport>;
  readonly limits: ConnectionLimits;
  readonly clock: Clock;
  readonly log: (kind: 'state' | 'call' | 'message' | 'problem', text: string) => void;
  readonly onServer: (server: NonNullable<Connector['server']>) => void;
  /** The tools as the server listed them, not checked. */
  readonly onTools: (tools: readonly unknown[]) => void;
  /** Its resources and prompts as the server listed them, not checked. */
  readonly onOffers: (listed: ListedOffers) => Promise<void>;
  readonly onChange: () => void;
}

/** A resource or prompt that the user chose for a message. */
export type WantedOffer =
  | { readonly kind: 'resource'; readonly uri: string }
  | {
      readonly kind: 'prompt';
      readonly name: string;
      readonly arguments: Readonly<Record<string, string>>;
    };

export type ConnectorClientTransport = Transport & { readonly problem?: string | null };
