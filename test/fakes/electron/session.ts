import { EventEmitter } from 'node:events';
import type { Order } from './orders.ts';

export type Handler = (...args: never[]) => unknown;

/** What the door told a session, and how the session decides by it. */
export class Session extends EventEmitter {
  requestHandler: Handler | null = null;
  checkHandler: Handler | null = null;
  deviceHandler: Handler | null = null;
  beforeRequest: Handler | null = null;
  readonly webRequest = {
    onBeforeRequest: (handler: Handler): void => {
      this.beforeRequest = handler;
    },
  };
  setPermissionRequestHandler(handler: Handler): void {
    this.requestHandler = handler;
  }
  setPermissionCheckHandler(handler: Handler): void {
    this.checkHandler = handler;
  }
  setDevicePermissionHandler(handler: Handler): void {
    this.deviceHandler = handler;
  }
}

export function call(handler: Handler | null | undefined, ...args: unknown[]): unknown {
  if (handler === null || handler === undefined) throw new Error('Nothing handles this');
  return (handler as (...args: unknown[]) => unknown)(...args);
}

export function decided(handler: Handler | null, ...args: unknown[]): Promise<unknown> {
  return new Promise((resolve) => call(handler, ...args, resolve));
}

/** Whether a page is granted what it asks for, and told that it would be. */
export async function permissionsOf(
  { requestHandler, checkHandler }: Session,
  { permission, frame }: Extract<Order, { kind: 'permission' }>,
): Promise<unknown> {
  const contents = { mainFrame: { origin: frame.origin } };
  const details = { isMainFrame: frame.isTop, requestingUrl: `${frame.origin}/` };
  const asked = new Promise((resolve) =>
    call(requestHandler, contents, permission, resolve, details),
  );
  return {
    asked: await asked,
    checked: call(checkHandler, contents, permission, frame.origin, details),
  };
}
