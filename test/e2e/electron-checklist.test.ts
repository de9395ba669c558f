import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Desktop } from '../fakes/electron/desktop.ts';
import type { SenderFrame, ShellState } from '../fakes/electron/orders.ts';
import { runPreload } from '../fakes/electron/run-preload.ts';
import { ensureBuilt } from '../setup/built-app.ts';

/**
 * Electron's published security checklist (docs/tutorial/security.md), a test for each item, on the
 * built desktop app under a stand-in for Electron's module. What a browser does with it is in
 * `shell-preload`, in real Chromium; what real Electron does is in `shell-electron`.
 */

const ROOT = join(import.meta.dirname, '../..');
const APP = 'app://hyperagent';
const OWN: SenderFrame = { origin: APP, isTop: true };
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

let dataDir: string;
let desktop: Desktop;
let state: ShellState;
/** What Electron runs: the entry of main, every chunk of it, and the preload. */
let program: string;

beforeAll(async () => {
  ensureBuilt();
  dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-checklist-'));
  desktop = await new Desktop({ dataDir }).opened();
  state = await desktop.state();
  program = globSync('out/{main,preload}/**/*.{js,cjs}', { cwd: ROOT }).map(read).join('\n');
});

afterAll(async () => {
  await desktop?.quit();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Served {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const fetch = (url: string): Promise<Served> =>
  desktop.order({ kind: 'fetch', url, method: 'GET' });
const rendererFiles = (): string[] =>
  globSync('out/renderer/**/*.*', { cwd: ROOT }).map((file) => file.slice('out/renderer/'.length));

const byLength = (a = '', b = ''): number => b.length - a.length;

/** The events by which a page could go elsewhere; whether each was prevented. */
async function attempt(
  event: string,
  urls: readonly string[],
  { isMainFrame = true } = {},
): Promise<unknown[]> {
  const prevented: unknown[] = [];
  for (const url of urls) {
    prevented.push(await desktop.order({ kind: 'contents-event', event, url, isMainFrame }));
  }
  return prevented;
}

const ELSEWHERE = [
  'https://attacker.example/',
  'http://127.0.0.1:11434/',
  'file:///etc/passwd',
  'app://hyperagent.attacker.example/',
  'app://hyperagent/other.html',
  'data:text/html,<script>1</script>',
  'javascript:alert(1)',
];

describe("Electron's security checklist", () => {
  it('1. only loads secure content: its own, and nothing from a network', async () => {
    const page = read('out/renderer/index.html');
    const verdicts: Record<string, unknown> = {};
    const asked = [
      ...['https://attacker.example/?secret', 'http://127.0.0.1:11434/', 'ws://attacker.example/'],
      ...['wss://attacker.example/', 'ftp://attacker.example/', 'file:///etc/passwd'],
      ...[`${APP}/assets/app.js`, 'blob:app://hyperagent/1', 'data:image/png;base64,AA=='],
      // The preview of an app, and its web socket.
      ...['http', 'ws'].map((scheme) => `${scheme}://0123456789abcdef.localhost:4173/`),
    ];
    for (const url of asked) {
      const now = await desktop.order<{ cancel: boolean }>({ kind: 'network', url });
      const later = await desktop.order<{ cancel: boolean }>({ kind: 'network', url, later: true });
      verdicts[url] = [now.cancel, later.cancel];
    }
    const downloads = await Promise.all(
      ['https://attacker.example/x.exe', `${APP}/x`, 'blob:app://hyperagent/1'].map((url) =>
        desktop.order({ kind: 'download', url }),
      ),
    );

    expect(state.loaded).toEqual([`${APP}/`]);
    expect(page.match(/(?:https?|wss?|ftp):/g)).toBeNull();
    expect(Object.values(verdicts)).toEqual([
      ...Array.from({ length: 6 }, () => [true, true]),
      ...Array.from({ length: 5 }, () => [false, false]),
    ]);
    expect(downloads).toEqual([false, false, true]);
  });

  it('2. enables no Node integration', () => {
    expect(state.webPreferences).toMatchObject({
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
    });
  });

  it('3. enables context isolation, and the preload goes through it', () => {
    expect(state.webPreferences).toMatchObject({ contextIsolation: true });
    expect(read('out/preload/index.cjs')).not.toMatch(/\b(?:window|globalThis|self)\s*[.[]/);
  });

  it('4. enables the sandbox of processes, before the app is ready', () => {
    expect(state.webPreferences).toMatchObject({ sandbox: true });
    expect(state.calls).toContain('app.enableSandbox (before ready)');
    expect(program).not.toMatch(/no-sandbox|disable-sandbox|appendSwitch|appendArgument/);
  });

  it('5. handles permission requests: none of them but clipboard and full screen after a click', async () => {
    const declared = read('node_modules/electron/electron.d.ts');
    const [, list = ''] =
      /setPermissionRequestHandler\(handler: .*?permission: ([^,]+),/.exec(declared) ?? [];
    const permissions = [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
    const granted: string[] = [];
    for (const permission of [...permissions, 'one that comes later', '__proto__']) {
      const asks: [string, SenderFrame, boolean][] = [
        ['ours', OWN, false],
        ['ours, later session', OWN, true],
        ['a frame of ours', { origin: APP, isTop: false }, false],
        ['foreign', { origin: 'https://attacker.example', isTop: true }, false],
        ['opaque', { origin: 'null', isTop: true }, true],
      ];
      for (const [who, frame, later] of asks) {
        const answer = await desktop.order({ kind: 'permission', permission, frame, later });
        const { asked, checked } = answer as { asked: boolean; checked: boolean };
        if (asked || checked) granted.push(`${permission}: ${who}`);
      }
    }

    expect(permissions.length).toBeGreaterThan(20);
    expect(granted).toEqual([
      'clipboard-sanitized-write: ours',
      'clipboard-sanitized-write: ours, later session',
      'fullscreen: ours',
      'fullscreen: ours, later session',
    ]);
    expect(await desktop.order({ kind: 'device-permission' })).toBe(false);
  });

  it('6. does not disable webSecurity', () => {
    expect(state.webPreferences).toMatchObject({ webSecurity: true });
    expect(program).not.toMatch(/disable-web-security|bypassCSP|disable-site-isolation/);
  });

  it('7. defines a content security policy for every file: scripts of its own only', async () => {
    const files = ['', ...rendererFiles(), 'missing.html'];
    const policies = new Set<string | undefined>();
    for (const file of files) {
      const { status, headers } = await fetch(`${APP}/${file}`);
      if (status === 200) policies.add(headers['content-security-policy']);
    }
    const hash = createHash('sha256')
      .update(read('out/renderer/diagram.html').split(/<script>|<\/script>/)[1] ?? '')
      .digest('base64');

    expect(files.length).toBeGreaterThan(5);
    expect([...policies].sort(byLength)).toEqual([
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; font-src 'self'; frame-src 'self' http://*.localhost:*; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      // The page that draws diagrams, which has no origin: the script that was built into it, and nothing else.
      `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts`,
    ]);
  });

  it('8. does not allow insecure content to run', () => {
    expect(state.webPreferences).toMatchObject({ allowRunningInsecureContent: false });
  });

  it('9. enables no experimental features', () => {
    expect(state.webPreferences).toMatchObject({ experimentalFeatures: false });
    expect(program).not.toMatch(/enable-experimental|enable-blink|enable-features/);
  });

  it('10. uses no enableBlinkFeatures', () => {
    expect(state.webPreferences).not.toHaveProperty('enableBlinkFeatures');
    expect(program).not.toContain('enableBlinkFeatures');
  });

  it('11. has no <webview>, and so none that opens windows', () => {
    expect(state.webPreferences).toMatchObject({ webviewTag: false });
    expect(program).not.toMatch(/allowpopups/i);
  });

  it('12. attaches no <webview>, whatever its options', async () => {
    expect(await attempt('will-attach-webview', [`${APP}/`, ...ELSEWHERE])).toEqual(
      Array.from({ length: ELSEWHERE.length + 1 }, () => true),
    );
  });

  it('13. goes nowhere: no navigation, no redirect, no frame but the one that draws', async () => {
    for (const event of ['will-navigate', 'will-redirect', 'will-frame-navigate']) {
      const prevented = await attempt(event, ELSEWHERE);
      expect(prevented, event).toEqual(ELSEWHERE.map(() => true));
    }
    const page = `${APP}/diagram.html`;
    const near = [`${page}?x`, `${page}#x`, `${APP}/`, `app://other/diagram.html`];
    const inFrame = { isMainFrame: false };
    expect(await attempt('will-frame-navigate', [page], inFrame)).toEqual([false]);
    expect(await attempt('will-frame-navigate', near, inFrame)).toEqual(near.map(() => true));
    expect(await attempt('will-frame-navigate', [page])).toEqual([true]);
    expect(await attempt('will-navigate', [page])).toEqual([true]);
    // The preview of an app, in its frame alone.
    const preview = 'http://0123456789abcdef.localhost:4173/page?x=1';
    const others = ['http://localhost:4173/', 'http://x.localhost:4173/', 'http://127.0.0.1:4173/'];
    const alike = [`${preview.replace('http:', 'https:')}`, preview.replace('f.', 'f.evil.')];
    const wrong = [...others, ...alike, 'http://0123456789abcdef.localhost.evil.test:80/'];
    expect(await attempt('will-frame-navigate', [preview], inFrame)).toEqual([false]);
    expect(await attempt('will-frame-navigate', wrong, inFrame)).toEqual(wrong.map(() => true));
    expect(await attempt('will-frame-navigate', [preview])).toEqual([true]);
    expect(await attempt('will-navigate', [preview])).toEqual([true]);
    expect(state.peerPolicy).toBe('disable_non_proxied_udp');
    expect(state.webPreferences).toMatchObject({ navigateOnDragDrop: false });
  });

  it('14. creates no windows for a page', async () => {
    const urls = [...ELSEWHERE, `${APP}/`, 'about:blank', '', 'https://example.org/'];
    for (const url of urls) {
      const answer = await desktop.order({ kind: 'open-window', url, answer: 1, press: 'mouseUp' });
      expect(answer, url).toEqual({ action: 'deny' });
    }
    expect((await desktop.state()).windows).toBe(1);
  });

  it('16. uses a current Electron, the same one everywhere', () => {
    const wanted = (JSON.parse(read('package.json')) as Manifest).devDependencies.electron ?? '';
    const lock = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { version: string }>;
    };
    const typed = JSON.parse(read('node_modules/electron/package.json')) as { version: string };
    // An exact version: what was tested is what is shipped. Electron fixes its newest three majors.
    expect(wanted).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Number.parseInt(wanted, 10)).toBeGreaterThanOrEqual(45);
    expect([lock.packages['node_modules/electron']?.version, typed.version]).toEqual([
      wanted,
      wanted,
    ]);
  });

  it('17. validates the sender of every message, on every channel', async () => {
    const senders: (SenderFrame | null)[] = [
      { origin: 'https://attacker.example', isTop: true },
      { origin: APP, isTop: false },
      { origin: 'null', isTop: true },
      { origin: `${APP}.attacker.example`, isTop: true },
      { origin: 'file://', isTop: true },
      null,
    ];
    const answers: unknown[] = [];
    for (const frame of senders) answers.push(await desktop.request('app.info', {}, frame));
    const channel = 'hyperagent:request';
    const args = ['app.info', {}];
    const order = { kind: 'invoke', channel, args, frame: OWN, stranger: true } as const;
    answers.push(await desktop.order(order));

    expect(state.handledChannels).toEqual(['hyperagent:request']);
    expect(state.heardChannels).toEqual(['hyperagent:push-seen']);
    expect(answers).toMatchObject(
      answers.map(() => ({ ok: false, error: { code: 'UNAUTHORIZED' } })),
    );
    expect(await desktop.request('app.info', {})).toMatchObject({ ok: true });
  });

  it('18. has a protocol of its own in place of file://', async () => {
    expect(state.schemes).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
    ]);
    // The protocol of connectors checks for the prefix, in a type that the app does not offer.
    expect(program).not.toMatch(/\.loadFile\(|(?<!startsWith\()["'`]file:\/\//);
    const outside = [
      ...['app://other/', `${APP}/../../package.json`, `${APP}/%2e%2e/%2e%2e/package.json`],
      ...[`${APP}/..%2f..%2fpackage.json`, `${APP}//etc/passwd`, `${APP}/C:/Windows/win.ini`],
      ...[`${APP}/..\\..\\package.json`, `${APP}/assets/..%5c..%5cpackage.json`],
    ];
    for (const url of outside) expect((await fetch(url)).status, url).toBe(404);
  });

  it('19. blows the fuses that it can do without', () => {
    const { asar, asarUnpack, electronFuses, files } = JSON.parse(
      read('electron-builder.json'),
    ) as Packaging;
    expect(electronFuses).toEqual({
      // Nobody starts programs with the app's rights, and its signature, by an environment variable.
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableCookieEncryption: true,
      // Nobody changes the app's code, or puts other code beside it.
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      // The window is served by `app://`; files get no more than any page.
      grantFileProtocolExtraPrivileges: false,
    });
    expect(asar).toBe(true);
    // What `scripts/package` has chosen; everything that runs is in the archive, whose integrity is checked.
    expect(files).toEqual([
      ...['package.json', 'LICENSE', 'CHANGELOG.md', { from: 'out', to: 'out' }],
      { from: 'resources', to: 'resources', filter: ['**/*', '!packs'] },
      { from: 'node_modules', to: 'node_modules' },
    ]);
    expect(asarUnpack).toEqual(['**/*.{node,wasm,woff,gz}']);
    // With these fuses nothing may count on being Node.
    const sources = globSync('{src-main,resources}/**/*.{ts,mjs}', { cwd: ROOT });
    const asNode = sources.filter((file) =>
      /ELECTRON_RUN_AS_NODE|NODE_OPTIONS|process\.execPath[,)\s]/.test(read(file)),
    );
    const forks = sources.filter((file) => /\bfork\b.*'node:child_process'/.test(read(file)));
    expect({ asNode: asNode.sort(), forks }).toEqual({
      asNode: [
        // Only in a clone, which has npm: not under Electron.
        'src-main/models/embedded/install-runtime.ts',
        // Runs in a Node of this computer, and starts itself again.
        'src-main/sandbox/landlock-provider/landlock-launcher.ts',
        // Where there is no Electron.
        'src-main/sandbox/landlock-provider/launcher-program.ts',
        // A question to the Node of the sandbox, asked in that Node.
        'src-main/sandbox/os-provider/toolchain.ts',
      ],
      // The terminal's way; the desktop hands in `startUtilityHost`.
      forks: ['src-main/models/embedded/host-process.ts'],
    });
    expect(read('src-main/window/desktop.ts')).toContain('startHost: startUtilityHost');
  });

  it('20. exposes none of Electron to the page, and no event of it', () => {
    const { exposed, ipc } = runPreload(read('out/preload/index.cjs'));
    const bridge = exposed.hyperagent;
    const heard: unknown[][] = [];
    bridge?.onEvent?.((...args: unknown[]) => void heard.push(args));
    ipc.listeners.get('hyperagent:push')?.({ sender: ipc }, { kind: 'thread_deleted' });
    bridge?.request?.('app.info', {}, 'more', 'and more');
    bridge?.cancel?.('run_1');

    expect(Object.keys(exposed)).toEqual(['hyperagent']);
    expect(Object.keys(bridge ?? {})).toEqual(['request', 'cancel', 'onEvent']);
    expect(heard).toEqual([[{ kind: 'thread_deleted' }]]);
    expect(ipc.sent).toEqual([
      ['hyperagent:push-seen'],
      ['hyperagent:request', 'app.info', {}],
      ['hyperagent:request', 'runs.cancel', { runId: 'run_1' }],
    ]);
  });
});

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface Packaging {
  readonly asar: boolean;
  readonly asarUnpack: readonly string[];
  readonly files: readonly unknown[];
  readonly electronFuses: Readonly<Record<string, boolean>>;
}
