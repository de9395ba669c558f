import { runInNewContext } from 'node:vm';

type Member = (...args: unknown[]) => unknown;

/** The built preload, alone with a stand-in for what Electron gives it. */
export function runPreload(source: string) {
  const exposed: Record<string, Record<string, Member>> = {};
  const ipc = { listeners: new Map<string, Member>(), sent: [] as unknown[][] };
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name: string, api: Record<string, Member>) => {
        exposed[name] = api;
      },
    },
    ipcRenderer: {
      on: (channel: string, listener: Member) => void ipc.listeners.set(channel, listener),
      send: (...args: unknown[]) => void ipc.sent.push(args),
      invoke: (...args: unknown[]) => void ipc.sent.push(args),
    },
  };
  const module = { exports: {} };
  runInNewContext(source, { module, exports: {}, require: () => electron });
  return { exposed, ipc };
}
