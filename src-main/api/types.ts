import type { PushMessage, RequestInput, RequestName, RequestOutput } from '#contract/requests.ts';
import type { FrameViewer } from '../browser/types.ts';

/** Who makes a request. */
export interface Caller {
  /** Aborts when nobody waits for the answer any more. */
  readonly closed: AbortSignal;
}

/** A caller that can be sent what it did not ask for. */
export interface Subscriber extends Caller, FrameViewer {
  /** Sends the run's events after `afterSeq`; a second subscription replaces the first. */
  subscribe(runId: string, afterSeq: number): void;
  unsubscribe(runId: string): void;
}

/** Requests after which their caller is sent more than their answer. */
type Subscribing =
  | `runs.${'subscribe' | 'unsubscribe'}`
  | `browser.${'watch' | 'unwatch' | 'drawn'}`;

type CallerOf<Name> = Name extends Subscribing ? Subscriber : Caller;

/**
 * The contract as an interface: a method for each request of these domains, or of all. Inputs are parsed;
 * failures are thrown.
 */
export type Requests<Domain extends string = string> = {
  readonly [Name in Extract<RequestName, `${Domain}.${string}`>]: (
    input: RequestInput<Name>,
    caller: CallerOf<Name>,
  ) => RequestOutput<Name> | Promise<RequestOutput<Name>>;
};

/** A message for every window. Of two notices about the same subject only the later one is guaranteed to arrive. */
export type Notice = Exclude<PushMessage, { kind: 'events' | 'browser_frame' }>;
export type Broadcast = (notice: Notice) => void;
