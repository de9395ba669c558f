import { describe, expect, it } from 'vitest';
import { hasHidden } from '#contract/visible-text.ts';
import { KnownSecrets } from '#main/base/known-secrets.ts';
import { folderPatterns } from '#main/diagnostics/folder-patterns.ts';
import { withoutLabelledSecrets } from '#main/diagnostics/labelled-secrets.ts';
import { withoutPlaces } from '#main/diagnostics/places.ts';
import { startAgain } from '../../fakes/secret-kinds/generate.ts';
import { SECRET_SAMPLES } from '../../fakes/secret-kinds/kinds.ts';
import { janesCleaner } from './support.ts';

const PIECES = [
  ...['a', ' ', '\\', '%41', '/home/', 'ab:\\\\', '~/', '@', 'a.', '?key=', 'aB1', '\n'],
  ...['/', '/.', '//.', './', 'a/', '%2F', '"', "'", '=', ':', '&#47;', '\\\\a', '../', '`/'],
  ...['password', 'password=', 'token "', '-u ', 'bearer ', '/node_modules', '[app]/', 'C:\\'],
  ...['http://', '/api ', 'a://b/', ', "', '*', '/home', '"/', 'login a ', "'/usr/", '\\\\'],
];
const KEY = 'Zk3-correct.horse/battery+staple';
const escaped = (text: string): string =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

describe('secrets', () => {
  it('that the app knows go in every spelling, also where escapes are escaped again', () => {
    const cleaner = janesCleaner({ known: [KEY] });
    const spellings = [
      KEY,
      JSON.stringify(JSON.stringify(KEY)),
      escaped(KEY),
      escaped(escaped(KEY)),
      escaped(KEY).replaceAll('\\', '\\\\'),
      `${KEY.slice(0, 6)}${escaped(KEY.slice(6, 9))}${KEY.slice(9)}`,
      percent(KEY),
      Buffer.from(KEY).toString('base64'),
      Buffer.from(KEY).toString('hex'),
      `${KEY.slice(0, 8)}\u200b${KEY.slice(8)}`,
      `${KEY.slice(0, 8)}\u001b[31m${KEY.slice(8)}`,
      `${KEY.slice(0, 8)}\\u001b[0m${KEY.slice(8)}`,
    ];
    for (const spelling of spellings) {
      const line = cleaner.logLine(`It was refused: ${spelling}.`);
      expect(line, spelling).toContain('redacted');
      expect(line, spelling).not.toMatch(/Zk3|battery|horse|staple/);
    }
  });

  it('that are stored and were not used yet are read first; a damaged store hides none of the others', () => {
    const secrets = new KnownSecrets();
    secrets.recall = () => secrets.register(KEY);
    expect(janesCleaner({ secrets }).line(`sent ${KEY}`)).toBe('sent [redacted]');
    secrets.recall = () => {
      throw new Error('damaged');
    };
    expect(janesCleaner({ secrets }).line(`sent ${KEY}`)).toBe('sent [redacted]');
  });

  it('of every known kind go', () => {
    startAgain();
    const cleaner = janesCleaner();
    const left = SECRET_SAMPLES.filter(({ make, around = (text) => text }) => {
      const secret = make();
      return cleaner.line(around(secret)).includes(secret);
    });
    expect(left.map(({ kind }) => kind)).toEqual([]);
  });

  it('of no known kind go if they look like one, and names stay', () => {
    const cleaner = janesCleaner();
    for (const secret of [
      'q7Xk29fLq0aB7cD3eF5gH8iZ',
      'aB3-dE5fG7hI9jK1lM3n_oP5',
      '9fceb02d0ae598e95dc970b74767f19372d61af8',
      '123e4567-e89b-42d3-a456-426614174000',
      'rq8M6YgGbxJuJeoL5BAZmTgKAKcKbqhZCFfDYJ9wCyDoyyXnqAEwbpjXNnRJhFJx0Oz/',
    ]) {
      expect(cleaner.line(`value ${secret} here`)).toBe(
        'value [redacted: looks like a secret] here',
      );
    }
    for (const name of [
      'Qwen2.5-Coder-32B-Instruct-Q4_K_M-00001-of-00002.gguf',
      'Qwen3-30B-A3B-Instruct-2507-Q4_K_M',
      'DeepSeek-R1-0528-Qwen3-8B-UD-Q4_K_XL',
      'gpt-oss-20b-mxfp4-00001-of-00002',
      'run_01j9abcdefgh1k2m3n4p',
      'embeddinggemma-300m-qat-q8_0',
      '/usr/lib/x86_64-linux-gnu/libgtk-3.so.0',
    ]) {
      expect(cleaner.line(name)).toBe(name);
    }
  });

  it('in addresses go: passwords, with `@` and `/` in them, names of users, and queries', () => {
    const cleaner = janesCleaner();
    expect(cleaner.line('http://me:hunter2pass@host:1/v1')).toBe('http://[redacted]@host:1/v1');
    expect(cleaner.line('https://u:p@ss@host/v1')).toBe('https://[redacted]@host/v1');
    expect(cleaner.line('https://onlyname@host/v1')).toBe('https://[redacted]@host/v1');
    expect(cleaner.address('http://127.0.0.1:8080/v1?key=abc#x')).toBe('http://127.0.0.1:8080/v1');
  });

  it('of the environment go: the values of variables that are named like secrets', () => {
    const cleaner = janesCleaner({ env: { MY_SERVICE_TOKEN: 'only-words-in-it', PATH: '/bin' } });
    expect(cleaner.line('sent only-words-in-it')).toBe('sent [redacted]');
    const proxied = janesCleaner({ env: { ANY: 'http://me:words-of-the-proxy@10.0.0.1:3128' } });
    expect(proxied.line('sent words-of-the-proxy')).toBe('sent [redacted]');
  });
});

describe('personal details', () => {
  it('the home folder is `~`, however it is spelled', () => {
    const cleaner = janesCleaner();
    for (const path of [
      '/home/jane doe/x',
      '/home//jane doe/./x',
      '/HOME/Jane Doe/x',
      '\\home\\jane doe\\x',
      '\\\\home\\\\jane doe\\\\x',
      '/home/jane%20doe/x',
      '%2Fhome%2Fjane%20doe%2Fx',
      '\\u002fhome\\u002fjane doe/x',
      '/srv/homes/jdoe/x',
      'file:///home/jane doe/x',
    ]) {
      expect(cleaner.line(`open '${path}'`), path).toMatch(/^open '(?:file:)?~[\\/.]+x'$/);
    }
    const identity = { homes: ['C:\\Users\\Zoë K'], users: [], hosts: [], words: [] };
    const windows = janesCleaner({ identity });
    for (const path of [
      'C:\\Users\\Zoë K\\x',
      'c:/users/zoë k/x',
      JSON.stringify('C:\\Users\\Zoë K\\x').slice(1, -1),
      'C:\\Users\\Zoe\u0308 K\\x',
    ]) {
      expect(windows.line(path), path).toMatch(/^~[\\/]+x$/);
    }
    expect(cleaner.line('/home/jane doer/x')).not.toContain('~');
    expect(cleaner.line('file:///home/jane doe/apps/hyperagent/out/main/a.js:1:2')).toBe(
      'file:[app]/out/main/a.js:1:2',
    );
  });

  it('names of users and computers, and e-mail addresses, are replaced as words', () => {
    const cleaner = janesCleaner();
    expect(cleaner.line('jdoe on JANES-LAPTOP.corp.example (janes-laptop), jdoe_2')).toBe(
      '[user] on [host] ([host]), [user]_2',
    );
    expect(cleaner.line('Mail jane.doe+x@corp.example now; janet stays')).toBe(
      'Mail [email] now; janet stays',
    );
    expect(cleaner.line('/home/bob/x, /Users/Ann/y, C:\\Users\\Zoë\\z')).toBe(
      '/home/[user]/x, /Users/[user]/y, C:\\Users\\[user]\\z',
    );
  });

  it('in the log, names of files and pages are cut', () => {
    const cleaner = janesCleaner();
    expect(cleaner.logLine("open '/home/jane doe/Divorce/plan.pdf'")).toBe("open '~/…'");
    expect(cleaner.logLine('/home/jane doe/My plan.pdf: EACCES')).toBe('~/…: EACCES');
    expect(
      cleaner.logLine("'/home/jane doe/.local/share/hyperagent/workspaces/thr_1/my plan.pdf'"),
    ).toBe("'~/.local/share/hyperagent/workspaces/thr_1/…'");
    expect(cleaner.logLine('GET https://clinic.example/hiv-test?q=1 failed')).toBe(
      'GET https://clinic.example/… failed',
    );
    expect(cleaner.logLine('POST http://127.0.0.1:11434/api/chat')).toBe(
      'POST http://127.0.0.1:11434/api/…',
    );
  });
});

it('shows every character by name that could fake text, on one line', () => {
  const line = janesCleaner().line('a\u001b[2Jb\u202ec\r\n## Policy\td\u0000\ud800');
  expect(line).toBe('a⟨U+001B⟩[2Jb⟨U+202E⟩c ⏎ ## Policy d⟨U+0000⟩⟨U+D800⟩');
  expect(hasHidden(line.replaceAll(/⟨U\+/g, ''))).toBe(false);
});

it('takes hostile lengths of every kind of text', () => {
  const cleaner = janesCleaner({ known: [KEY] });
  for (const piece of PIECES) {
    for (const text of [
      piece.repeat(1e6 / piece.length),
      `/x ${piece.repeat(9_000)} is not valid JSON`,
    ]) {
      expect(cleaner.logLine(text).length).toBeLessThan(4_100);
      expect(cleaner.line(text).length).toBeLessThan(4_100);
    }
    // As much as is searched.
    expect(cleaner.logLine(`${piece.repeat(7_900 / piece.length)} ${KEY}`)).not.toContain(
      'battery',
    );
  }
});

it.each(PIECES)(
  'searches a megabyte of %j in linear time, whatever limit there is',
  (piece) => {
    const text = piece.repeat(1e6 / piece.length);
    for (const pattern of folderPatterns([
      '/home/jane doe',
      'C:\\Users\\Jane',
      '\\\\server\\share\\j',
    ])) {
      expect(text.replace(pattern, '')).toBe(text);
    }
    const all = withoutPlaces(withoutLabelledSecrets(text), { data: '~/.local/share/hyperagent' });
    expect(all.length).toBeLessThan(4e6);
  },
  20_000,
);

it('shows no part of a secret that is cut where the search ends', () => {
  const shown = janesCleaner({ known: [KEY] }).text(`${'x '.repeat(3_990)}${KEY}`);
  expect(shown).not.toContain('Zk3');
});

it('replaces nothing where the home folder or the program is the root of a disk', () => {
  const identity = { homes: ['/', 'C:\\'], users: [], hosts: [], words: [] };
  expect(janesCleaner({ identity, root: '/' }).line('/usr/lib C:\\Windows')).toBe(
    '/usr/lib C:\\Windows',
  );
});

it('cuts long values after it cleaned them', () => {
  const line = janesCleaner({ known: [KEY] }).line(
    `${'x '.repeat(1996)}${KEY}${'y '.repeat(5_000)}`,
  );
  expect(line).not.toContain('Zk3');
  expect(line).toMatch(/… \+\d+ characters$/);
});
