import { asked, type TaskPage, ViewLacks } from '../task-page.ts';
import type { ViewLine } from '../view.ts';
import type { Oracles } from './oracle.ts';

/** Tasks in an inbox and in a list of posts, whose actions are icons. */
export const MESSAGES: Oracles = {
  'email-inbox': mail,
  'email-inbox-delete': mail,
  'email-inbox-forward': mail,
  'email-inbox-forward-nl': mail,
  'email-inbox-forward-nl-turk': mail,
  'email-inbox-important': mail,
  'email-inbox-nl-turk': mail,
  'email-inbox-noscroll': mail,
  'email-inbox-reply': mail,
  'email-inbox-star-reply': mail,
  'social-media': async (page) => {
    const [user = '', action = ''] = asked(page.query, /user (@\w+), click on the "(.+)" button/);
    await actOnPost(page, await postAt(page, user, 0), action);
  },
  'social-media-all': async (page) => {
    const [action = '', user = ''] = asked(page.query, /"(.+)" button on all posts by (@\w+)/);
    const count = (await postsBy(page, user)).length;
    for (let at = 0; at < count; at += 1)
      await actOnPost(page, await postAt(page, user, at), action);
    await page.submit();
  },
  'social-media-some': async (page) => {
    const [action = '', count = '', user = ''] = asked(
      page.query,
      /"(.+)" button on (\d+) posts? by (@\w+)/,
    );
    for (let at = 0; at < Number(count); at += 1) {
      await actOnPost(page, await postAt(page, user, at), action);
    }
    await page.submit();
  },
};

/** What an icon may be called. */
const ICONS = {
  delete: /trash|delete|remove/i,
  important: /star|important/i,
  send: /send/i,
} as const;

async function mail(page: TaskPage): Promise<void> {
  const senders = await sendersOf(page);
  const wish = readWish(page.query, senders);
  const lines = await page.body();
  // A row with icons is a line of its own, and its texts follow it.
  const at = lines.findIndex(({ name }) => startsWithName(name, wish.sender));
  const row = lines.slice(0, at + 1).findLast(({ ref }) => ref !== null);
  const thread = row ?? (await page.named(wish.sender))[0];
  if (thread === undefined) throw new ViewLacks(`no mail by ${wish.sender} to open`);
  if (wish.action === 'delete' || wish.action === 'important') {
    const name = ICONS[wish.action];
    const own = at === -1 ? undefined : iconAfter(lines, at, name, senders);
    if (own !== undefined) return await page.click(own);
    await page.click(thread);
    return await clickIcon(page, name);
  }
  await page.click(thread);
  if (wish.action === 'reply') {
    await page.clickNamed('Reply');
    await page.type(await lastField(page), wish.text);
  } else {
    await page.clickNamed('Forward');
    const fields = await page.fields();
    const to = fields.find(({ name }) => /to/i.test(name)) ?? fields[0];
    if (to === undefined) throw new ViewLacks('no field of the recipient');
    await page.type(to, wish.text);
  }
  await clickIcon(page, ICONS.send);
}

interface Wish {
  readonly action: 'delete' | 'important' | 'reply' | 'forward';
  readonly sender: string;
  /** What is replied, or to whom it is forwarded. */
  readonly text: string;
}

async function sendersOf(page: TaskPage): Promise<readonly string[]> {
  const words = (await page.texts()).flatMap((text) => text.split(/\s+/).slice(0, 1));
  return [...new Set(words.filter((word) => /^[A-Z][a-z'-]+$/.test(word)))];
}

/** Understands the many ways in which the tasks ask. */
function readWish(query: string, senders: readonly string[]): Wish {
  const words = query.replace(/"[^"]*"/g, ' ').match(/[A-Z][a-z-]+/g) ?? [];
  const named = [
    ...new Set(words.filter((word, at) => senders.includes(word) || isName(word, at))),
  ];
  const quoted = /"([^"]*)"/.exec(query)?.[1];
  const known = named.filter((word) => senders.includes(word));
  if (quoted !== undefined || /\b(reply|respond|answer)\b/i.test(query)) {
    const text = quoted ?? /(?:text|with|saying|say|that)[:,]? (.+?)[.?]?$/.exec(query)?.[1] ?? '';
    return { action: 'reply', sender: known[0] ?? named[0] ?? '', text };
  }
  if (/trash|delete|\brid\b|remove|erase|throw/i.test(query)) {
    return { action: 'delete', sender: known[0] ?? '', text: '' };
  }
  if (/star|important|favo/i.test(query)) {
    return { action: 'important', sender: known[0] ?? '', text: '' };
  }
  const to = recipient(query, named);
  const sender = known.find((word) => word !== to) ?? named.find((word) => word !== to) ?? '';
  return { action: 'forward', sender, text: to };
}

/** A word with a capital letter that does not begin the sentence. */
function isName(word: string, at: number): boolean {
  return (
    at > 0 && !/^(I|Please|Email|Forward|Send|Give|Find|Locate|Primary|Can|Could|The)$/.test(word)
  );
}

function recipient(query: string, names: readonly string[]): string {
  const by = new RegExp(
    `(?:from|by|of) (?:the )?(${names.join('|')})|(${names.join('|')})'s|` +
      `(?:that|message|email|mail|information|what) (${names.join('|')}) (?:sent|wrote)`,
  ).exec(query);
  const sender = by?.slice(1).find((part) => part !== undefined);
  const other = names.find((name) => name !== sender);
  if (sender !== undefined && other !== undefined) return other;
  const to = new RegExp(`(?:to|[Gg]ive|[Ss]end|[Ff]orward) (${names.join('|')})`).exec(query)?.[1];
  return to ?? names.at(-1) ?? '';
}

function startsWithName(text: string, name: string): boolean {
  return text === name || text.startsWith(`${name} `) || text.startsWith(`${name},`);
}

function iconAfter(
  lines: readonly ViewLine[],
  at: number,
  name: RegExp,
  senders: readonly string[],
): ViewLine | undefined {
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => senders.some((sender) => startsWithName(line.name, sender)));
  return rest.slice(0, end === -1 ? rest.length : end).find((line) => isIcon(line, name));
}

const isIcon = (line: ViewLine, name: RegExp): boolean =>
  line.ref !== null && (name.test(line.name) || line.states.some((state) => name.test(state)));

async function clickIcon(page: TaskPage, name: RegExp): Promise<void> {
  const icon = (await page.body()).find((line) => isIcon(line, name));
  if (icon === undefined) throw new ViewLacks(`no icon that says ${name}`);
  await page.click(icon);
}

async function lastField(page: TaskPage): Promise<ViewLine> {
  const field = (await page.fields()).at(-1);
  if (field === undefined) throw new ViewLacks('no field of the reply');
  return field;
}

/** The lines of the posts of a user, each without those of the next post. */
async function postsBy(page: TaskPage, user: string): Promise<readonly (readonly ViewLine[])[]> {
  const lines = await page.body();
  const starts = lines.flatMap(({ name }, at) => (/(^|\s)@\w+/.test(name) ? [at] : []));
  return starts.flatMap((start, at) => {
    const post = lines.slice(start, starts[at + 1]);
    const isOurs = new RegExp(`${user}(?!\\w)`).test(post[0]?.name ?? '');
    return isOurs ? [post] : [];
  });
}

async function postAt(page: TaskPage, user: string, at: number): Promise<readonly ViewLine[]> {
  const post = (await postsBy(page, user))[at];
  if (post === undefined) throw new ViewLacks(`no post ${at + 1} by ${user}`);
  return post;
}

const MORE = ['Share via DM', 'Copy link to Tweet', 'Embed Tweet', 'Mute', 'Block', 'Report'];

async function actOnPost(page: TaskPage, post: readonly ViewLine[], action: string): Promise<void> {
  const icon = (name: RegExp): ViewLine | undefined => post.find((line) => isIcon(line, name));
  const isMenu = MORE.includes(action);
  const wanted = isMenu ? /more|menu/i : new RegExp(action, 'i');
  const found = icon(wanted);
  if (found === undefined) throw new ViewLacks(`no icon of a post that says ${wanted}`);
  await page.click(found);
  if (!isMenu) return;
  const item = (await page.found({ text: action })).find(({ name }) => name.startsWith(action));
  if (item === undefined) throw new ViewLacks(`no "${action}" in the menu of a post`);
  await page.click(item);
}
