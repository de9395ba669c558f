const TEXTS = {
  en: {
    starting: 'The server of this app is starting…',
    unanswered: 'The server of this app does not answer yet.',
  },
  zh: { starting: '应用的服务器正在启动…', unanswered: '应用的服务器尚未应答。' },
} as const;

/** A page in place of the app's own, which asks again every second; in the first language of the browser. */
export function waitingPage(
  why: keyof (typeof TEXTS)['en'],
  acceptLanguage: string | undefined,
): string {
  const isChinese = /^\s*zh\b/i.test(acceptLanguage ?? '');
  const text = TEXTS[isChinese ? 'zh' : 'en'][why];
  return `<!doctype html><html lang="${isChinese ? 'zh-Hans' : 'en'}"><head><meta charset="utf-8"/><meta name="color-scheme" content="light dark"/><meta http-equiv="refresh" content="1"/><title>${text}</title><style>body{font:15px/1.5 system-ui,sans-serif;margin:0;display:grid;place-items:center;min-height:100vh}</style></head><body><p>${text}</p></body></html>`;
}
