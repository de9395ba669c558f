import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import type { HyperagentBridge, PushMessage } from './contract/requests.ts';

/** The same names as in `src-main/window/electron-ipc.ts`. A preload cannot share a module with main. */
const REQUEST = 'hyperagent:request';
const PUSH = 'hyperagent:push';
const PUSH_SEEN = 'hyperagent:push-seen';

const listeners = new Set<(message: PushMessage) => void>();

ipcRenderer.on(PUSH, (_event: IpcRendererEvent, message: PushMessage) => {
  for (const listener of listeners) listener(message);
  // Main stops pushing to a window that falls behind, and continues from the log.
  ipcRenderer.send(PUSH_SEEN);
});

const bridge: HyperagentBridge = {
  request: (name, input) => ipcRenderer.invoke(REQUEST, name, input),
  cancel: (runId) => ipcRenderer.invoke(REQUEST, 'runs.cancel', { runId }),
  onEvent: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

contextBridge.exposeInMainWorld('hyperagent', bridge);
