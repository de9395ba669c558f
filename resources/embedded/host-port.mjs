// The way to the app that started this process: Electron's port in a utility process, Node's IPC
// channel in a forked one.
const port = process.parentPort;

export function say(message) {
  if (port) port.postMessage(message);
  else process.send(message);
}

export function connect(onMessage) {
  if (port) {
    // Such a process ends with the app by itself.
    port.on('message', ({ data }) => onMessage(data));
    return;
  }
  process.on('message', onMessage);
  // The parent process is gone.
  process.on('disconnect', () => process.exit(0));
}
