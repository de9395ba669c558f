import type { Route, SkillsPage } from './store/app-state.ts';
import type { PageRoute, Session } from './store/session.ts';

const TASK = /^#\/task\/([\w-]{1,100})$/;
const SKILL = /^#\/skills(?:\/([\w-]{1,100})(?:\/(edit|review))?)?$/;
const NEW_SKILL = '#/new-skill';
const ARTIFACTS = '#/artifacts';

/** What an address names: a task, another page, or neither. */
export interface NamedRoute {
  readonly threadId: string | null;
  readonly page: PageRoute | null;
}

/** What the current address names, so that a reload shows it again. */
export function readRoute(hash: string = location.hash): NamedRoute {
  return { threadId: TASK.exec(hash)?.[1] ?? null, page: readPage(hash) };
}

function readPage(hash: string): PageRoute | null {
  if (hash === ARTIFACTS) return { kind: 'artifacts' };
  const page = readSkillsPage(hash);
  return page === null ? null : { kind: 'skills', page };
}

function readSkillsPage(hash: string): SkillsPage | null {
  if (hash === NEW_SKILL) return { view: 'editor', skillId: null };
  const found = SKILL.exec(hash);
  if (found === null) return null;
  const [, skillId, view] = found;
  if (skillId === undefined) return { view: 'list' };
  if (view === 'edit') return { view: 'editor', skillId };
  return { view: view === 'review' ? 'review' : 'detail', skillId };
}

/** The address of the current screen; empty for a new task. */
export function hashOf(route: Route): string {
  switch (route.kind) {
    case 'setupCheck':
    case 'firstStart':
      return '';
    case 'task':
      return route.threadId === null ? '' : `#/task/${route.threadId}`;
    case 'skills':
      return hashOfPage(route.page);
    case 'artifacts':
      return ARTIFACTS;
  }
}

function hashOfPage(page: SkillsPage): string {
  switch (page.view) {
    case 'list':
      return '#/skills';
    case 'detail':
      return `#/skills/${page.skillId}`;
    case 'review':
      return `#/skills/${page.skillId}/review`;
    case 'editor':
      return page.skillId === null ? NEW_SKILL : `#/skills/${page.skillId}/edit`;
  }
}

/** Keeps the address and the screen in step, whichever of them changes. */
export function followRoute({ store, threads, showPage }: Session): void {
  let shown = hashOf(store.get().route);
  const write = (): void => {
    const next = hashOf(store.get().route);
    if (next === shown) return;
    shown = next;
    history.pushState(null, '', next === '' ? location.pathname : next);
  };
  store.subscribe(write);
  addEventListener('popstate', () => {
    if (location.hash === shown) return;
    shown = location.hash;
    const { threadId, page } = readRoute();
    if (page === null) void threads.open(threadId);
    else showPage(page);
  });
}
