import { decodeText, looksLikeText } from '#main/documents/decode-text.ts';
import { DocumentReader } from '#main/documents/document-reader.ts';
import { declaredCharset, looksLikeHtml } from '#main/documents/html-text.ts';
import { readPage } from '#main/documents/readable-page.ts';
import { checkZip } from '#main/documents/zip-check.ts';
import { fetchDocument } from '#main/egress/fetch.ts';
import { parseHostPattern } from '#main/egress/host-pattern.ts';
import { parseTarget } from '#main/egress/target.ts';
import type { EgressClient } from '#main/egress/types.ts';
import { bestExcerpts, findExcerpt } from '#main/research-text/excerpts.ts';
import { pickPassages } from '#main/research-text/passages.ts';
import { rankFound } from '#main/research-text/rank-found.ts';
import { areAlike, sketchOf } from '#main/research-text/sketch.ts';
import { checkStatement } from '#main/research-text/statements/check-statement.ts';
import { isChinese } from '#main/research-text/terms.ts';
import { provider as braveProvider } from '#main/search/providers/brave.ts';
import { provider as duckduckgoProvider } from '#main/search/providers/duckduckgo.ts';
import { provider as searxngProvider } from '#main/search/providers/searxng.ts';
import { provider as serperProvider } from '#main/search/providers/serper.ts';
import { provider as tavilyProvider } from '#main/search/providers/tavily.ts';
import { rankResults } from '#main/search/rank.ts';
import type { ProviderParts, SearchProvider } from '#main/search/types.ts';
import { zip } from '../../fakes/zip.ts';
import { type FuzzInput, type FuzzTarget, HOLE } from '../types.ts';
import { answering } from './streams.ts';

/** A way out at whose end is a server that answers with these bytes. */
const clientTo = (answer: readonly Buffer[]): EgressClient => ({
  connect: async () => answering(answer),
  refuse: () => undefined,
});

const SIGNAL = new AbortController().signal;
const head = (type: string, length: number): Buffer =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`,
  );

/** An answer whose body is the input. */
const bodyOf = (type: string, { bytes, chunks }: FuzzInput): Buffer[] => [
  head(type, bytes.length),
  ...chunks,
];

const PAGE = `<!doctype html><html><head><meta charset="utf-8"><title>A &amp; B</title></head><body><h1>Head</h1><p>Text with <a href="/x">a link</a>.</p><table><tr><td>1</td><td>2</td></tr></table><ul><li>one<li>two</ul>${HOLE}</body></html>`;
const HTML_TOKENS = [
  ...[
    '<',
    '>',
    '</',
    '<a href="',
    '<p>',
    '<table>',
    '<tr>',
    '<td>',
    '<td colspan="99999999">',
    '<ul>',
    '<li>',
    '<ol start="99999999999">',
  ],
  ...[
    '<!--',
    '-->',
    '<![CDATA[',
    '<script>',
    '</script>',
    '<title>',
    '&amp;',
    '&#x110000;',
    '&#99999999;',
    '&',
    '<pre>',
    '<blockquote>',
  ],
  ...[
    '<meta charset=',
    '<svg>',
    '<br>',
    '="',
    "='",
    '<h1>',
    '<img src=x>',
    '<td rowspan="9999999">',
    'class="result"',
  ],
];
const JSON_TOKENS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  '":',
  ',',
  '"url":"https://a.example/',
  '"title":',
  '{"url":"https://b.example"},',
  '<b>',
  '&amp;',
];

const reader = new DocumentReader(process.cwd());
/** Pages are made into text in the thread, and not here. */
const inThread: Pick<DocumentReader, 'extractText'> = {
  extractText: async () => ({ kind: 'html', title: '', text: 'of the thread', leftOut: null }),
};

async function search(provider: SearchProvider, type: string, input: FuzzInput): Promise<void> {
  const egressClient = clientTo(bodyOf(type, input));
  const results = await provider.search('tea in china', {
    limit: 20,
    egressClient,
    signal: SIGNAL,
  } as never);
  rankResults([results, results], 'tea in china', 10);
  rankFound([results], { query: 'tea in china', seen: [], most: 5 });
}

const SEARCH: ProviderParts = {
  key: () => 'key',
  searxngUrl: () => 'http://search.example',
  baseUrl: 'http://search.example',
};
const JSON_SEARCH: readonly SearchProvider[] = [
  searxngProvider(SEARCH),
  braveProvider(SEARCH),
  serperProvider(SEARCH),
  tavilyProvider(SEARCH),
];
const TEXT =
  'Tea came to Europe in 1610. It cost 1,024 guilders a chest!\n\nThe Dutch "brought" it – others followed.\n\n茶叶在十七世纪传入欧洲。价格很高。\n\nA third paragraph, with more words about tea and ships.';

export const PAGE_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'fetched-answer',
    faces: 'page',
    seeds: [
      'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello',
      'HTTP/1.1 302 Found\r\nLocation: http://other.example/é\r\nContent-Length: 0\r\n\r\n',
      `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=${HOLE}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
      'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\u001f\u008b\u0008\u0000',
    ],
    tokens: [
      '\r\n',
      'HTTP/1.1 ',
      '302 ',
      'Location: ',
      '//',
      'Content-Encoding: br\r\n',
      'Content-Encoding: deflate\r\n',
      'Transfer-Encoding: chunked\r\n',
      'ffffffff\r\n',
      '0\r\n\r\n',
      'Content-Type: ',
    ],
    run: async ({ chunks }) => {
      await fetchDocument('http://page.example/', clientTo(chunks), {
        signal: SIGNAL,
        maxBytes: 100_000,
        timeoutMs: 20_000,
      });
    },
  },
  {
    name: 'page',
    faces: 'page',
    seeds: [PAGE, `plain text ${HOLE}`, `<html><head><title>${HOLE}</title>`, 'a,b\n1,2\n'],
    tokens: HTML_TOKENS,
    run: async (input) => {
      const type = input.random() < 0.7 ? 'text/html; charset=utf-8' : 'text/plain';
      await readPage('http://page.example/', clientTo(bodyOf(type, input)), {
        signal: SIGNAL,
        documents: inThread,
      });
    },
  },
  {
    name: 'small-file',
    faces: 'file',
    seeds: [
      '# Head\n\ntext',
      'a,b\n1,"2"\n',
      '<html><p>x',
      Buffer.from('\ufeffx').toString('utf8'),
      'const a = 1;',
    ],
    tokens: ['\n', '# ', '<html>', '\u0000', '\ufeff', ',', '"', '<!doctype html>'],
    maxBytes: 64 * 1024,
    run: async ({ bytes, random }) => {
      const name =
        ['a.txt', 'a.md', 'a.csv', 'a.py', 'a.html', 'README'][Math.floor(random() * 6)] ?? 'a';
      // What goes to the thread is not read here.
      const isPage = name === 'a.html' || bytes.subarray(0, 64).includes(0x3c);
      if (isPage) return;
      await reader.extractText(bytes, { name });
    },
  },
  {
    name: 'charset',
    faces: 'page',
    seeds: [
      Buffer.from(PAGE),
      Buffer.from([0xff, 0xfe, 0x61, 0]),
      Buffer.from([0xd6, 0xd0, 0xce, 0xc4]),
      Buffer.from('<meta charset=shift_jis>'),
    ],
    tokens: [
      'charset=',
      'utf-16',
      '\u00ff\u00fe',
      '\u00fe\u00ff',
      '\u00ef\u00bb\u00bf',
      '\u00d6\u00d0',
      '<meta ',
    ],
    maxBytes: 2 * 1024 * 1024,
    run: ({ bytes, random }) => {
      const declared = [undefined, 'utf-8', 'gb18030', 'x-user-defined', 'nonsense'][
        Math.floor(random() * 5)
      ];
      looksLikeText(bytes);
      looksLikeHtml(decodeText(bytes, declared ?? declaredCharset(bytes)));
    },
  },
  {
    name: 'address',
    faces: 'page',
    seeds: [
      'example.com',
      '[::1]',
      '0x7f.1',
      '*.example.com:8080',
      'http://a@b',
      '127.0.0.1.',
      'ｅｘａｍｐｌｅ.com',
      HOLE,
    ],
    tokens: ['.', ':', '[', ']', '%', '@', '0x', '*.', 'xn--', '/', '::'],
    run: ({ text, random }) => {
      if (random() < 0.5) parseHostPattern(text);
      else parseTarget(text, 443);
    },
    isTyped: (error) => error instanceof Error && error.name === 'EgressDenied',
  },
  {
    name: 'search-json',
    faces: 'server',
    seeds: [
      `{"results":[{"url":"https://a.example/x","title":"Tea","content":"About <b>tea</b>","publishedDate":"2024-01-02"},${HOLE}]}`,
      `{"web":{"results":[{"url":"https://a.example","title":"a &amp; b","description":"${HOLE}","page_age":"2024"}]}}`,
      '{"organic":[{"link":"https://c.example","title":"c","snippet":"d","date":"3 days ago"}]}',
    ],
    tokens: JSON_TOKENS,
    maxBytes: 1_100_000,
    run: async (input) => {
      const provider = JSON_SEARCH[Math.floor(input.random() * JSON_SEARCH.length)];
      if (provider !== undefined) await search(provider, 'application/json', input);
    },
  },
  {
    name: 'search-html',
    faces: 'page',
    seeds: [
      `<html><body><div class="result"><a class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F">Tea</a><a class="result__snippet">About <b>tea</b></a><span class="result__extras__url">2024-01-02T00</span></div>${HOLE}</body></html>`,
      '<div class="no-results">none</div>',
      '<div class="anomaly-modal__x"></div>',
    ],
    tokens: [
      ...HTML_TOKENS,
      'class="result__a"',
      '<div class="result">',
      '<div class="result"><a class="result__a" href="https://x.example">x</a></div>',
      'uddg=',
    ],
    maxBytes: 1_100_000,
    run: (input) => search(duckduckgoProvider(SEARCH), 'text/html', input),
  },
  {
    name: 'research-text',
    faces: 'page',
    seeds: [TEXT, `${TEXT}\n\n${HOLE}`, '1,024.5 guilders', 'a"b'],
    tokens: ['. ', '\n\n', '"', '“', '…', '。', '1,0', '茶', ' ', 'tea ', "'s", '-', 'a.'],
    // What is kept of a page.
    maxBytes: 50_000,
    run: ({ text, random }) => {
      const at = Math.floor(random() * text.length);
      const quotation = text.slice(at, at + 200);
      findExcerpt(text, quotation);
      findExcerpt(text, `${quotation} tea`);
      bestExcerpts(text, 'tea in 1610', 3);
      pickPassages(text, 'tea in 1610', 4_000);
      areAlike(sketchOf(text), sketchOf(quotation));
      isChinese(text);
    },
  },
  {
    name: 'statements',
    faces: 'page',
    seeds: [
      `${TEXT} ${HOLE}`,
      `The lake is 143 metres deep, not 150; ${HOLE} it may hold 2.5 million tonnes.`,
      `湖深约一百四十三米，${HOLE}但专家否认了这一说法。`,
      `from 7.9 to 6.1 percent, two-thirds of ${HOLE}`,
    ],
    tokens: [
      ...[
        'not ',
        'no ',
        ', and it ',
        ' said that ',
        ' denied ',
        ' may ',
        'if ',
        'the ',
        '; ',
        '. ',
      ],
      ...['1,0', '9.', '99999999999999999999', '%', ' million', '$', '°C', 'one hundred and ', '-'],
      ...[
        'twenty-',
        ' of a ',
        ' to ',
        '5:20',
        'minus ',
        '一',
        '百',
        '万',
        '分之',
        '亿',
        '不',
        '，',
      ],
      ...['可能', '否认', "n't", '’s', '\u00a0', '\ud800', 'İ', '²'],
    ],
    // A statement and what is kept of an excerpt.
    maxBytes: 50_000,
    run: ({ text, random }) => {
      const at = Math.floor(random() * text.length);
      const piece = text.slice(at, at + 800);
      const { verdict, bySource } = checkStatement(piece, [text, piece.slice(0, 400), '']);
      if (bySource.length !== 3) throw new Error('a source without a verdict');
      if (verdict !== 'supported' && bySource.includes(true)) throw new Error('two verdicts');
    },
  },
  {
    name: 'zip-directory',
    faces: 'file',
    seeds: [
      zip([
        { name: 'a.txt', data: 'hello' },
        { name: 'b/c.xml', data: 'x'.repeat(500) },
      ]),
    ],
    tokens: [
      'PK\u0001\u0002',
      'PK\u0003\u0004',
      'PK\u0005\u0006',
      '\u00ff\u00ff\u00ff\u00ff',
      '\0\0',
    ],
    run: ({ bytes }) => checkZip(bytes, 10 * 1024 * 1024),
  },
];
