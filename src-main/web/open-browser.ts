import { spawn } from 'node:child_process';

/** Opens an address of the web UI in the default browser. False if there is none. */
export function openBrowser(url: string): Promise<boolean> {
  const [command, args] = browserCommand(url);
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    return Promise.resolve(false);
  }
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true, env: withoutKeys() });
    child.on('error', () => resolve(false));
    child.on('spawn', () => resolve(true));
    child.unref();
  });
}

/** A browser needs most of the environment, but none of the keys in it. */
function withoutKeys(): NodeJS.ProcessEnv {
  const isKey = (name: string): boolean => /(?:_KEY|_TOKEN|_SECRET|_PASSWORD)$/i.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isKey(name)));
}

function browserCommand(url: string): [string, string[]] {
  switch (process.platform) {
    case 'darwin':
      return ['open', [url]];
    case 'win32':
      return ['rundll32', ['url.dll,FileProtocolHandler', url]];
    default:
      return ['xdg-open', [url]];
  }
}
