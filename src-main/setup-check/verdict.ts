import type {
  CheckItem,
  ModelRef,
  ModelServer,
  SandboxReport,
  SetupReport,
} from '#contract/entities.ts';
import type { Settings } from '#contract/settings.ts';

/** What the setup check found. */
export interface Found {
  readonly servers: readonly ModelServer[];
  readonly sandboxes: readonly SandboxReport[];
  readonly items: readonly CheckItem[];
}

interface Obstacle {
  readonly why: string;
  /** One step; the verdict names the first obstacle only. */
  readonly todo: string;
}

const SET_UP = 'run hyperagent setup';

/** Whether a task could run with these settings: it needs a valid policy or none, a data folder, a model, and a sandbox. */
export function verdictOn(found: Found, settings: Settings): SetupReport['verdict'] {
  const model = modelState(found.servers, settings);
  const sandbox = sandboxState(found.sandboxes, settings);
  const policy = failedItem(found.items, 'policy');
  const folder = failedItem(found.items, 'data-folder');
  const obstacles = [policy, folder, model, sandbox].filter(
    (state) => state !== null && typeof state !== 'string',
  );
  const [first, ...others] = obstacles;
  if (first === undefined) {
    return { ready: true, text: `Ready: ${model} answers, and code runs in ${sandbox}.` };
  }
  const more = others.map(({ why }) => why).join('; ');
  const also = more === '' ? '' : ` (then: ${more})`;
  return { ready: false, text: `Not ready: ${first.why}, do: ${oneStep(first.todo)}${also}` };
}

function failedItem(items: readonly CheckItem[], wanted: string): Obstacle | null {
  const item = items.find(({ id }) => id === wanted);
  if (item?.status !== 'failed') return null;
  return { why: item.detail, todo: item.remedy ?? SET_UP };
}

function modelState(
  servers: readonly ModelServer[],
  { model, tiers }: Settings,
): string | Obstacle {
  const chosen = model ?? tiers.pro;
  const answering = servers.filter(
    ({ kind, reachable, models }) => kind !== 'demo' && reachable && models.length > 0,
  );
  if (chosen === null) {
    const why = answering.length === 0 ? 'no model was found' : 'no model is chosen';
    return { why, todo: SET_UP };
  }
  const name = `${chosen.provider}:${chosen.name}`;
  const server = servers.find(({ provider }) => provider === chosen.provider);
  if (server?.kind === 'demo') {
    return { why: 'only the scripted demonstration is chosen', todo: SET_UP };
  }
  if (server === undefined || !server.reachable) {
    const why = `the chosen model ${name} cannot be reached`;
    return { why, todo: server?.problem ?? SET_UP };
  }
  if (hasModel(server, chosen)) return name;
  const todo =
    server.kind === 'ollama' ? `run hyperagent models pull ${name}` : 'choose another model';
  return { why: `${server.label} does not have the chosen model ${name}`, todo };
}

function hasModel({ kind, models }: ModelServer, { name }: ModelRef): boolean {
  // Other servers list what they choose to; a path of a file is no name.
  if (kind !== 'ollama' && kind !== 'embedded') return true;
  if (kind === 'embedded' && /\.gguf$/i.test(name)) return true;
  return models.some((model) => model.name === name || model.name === `${name}:latest`);
}

function sandboxState(sandboxes: readonly SandboxReport[], settings: Settings): string | Obstacle {
  const allowed = sandboxes.filter(
    ({ kind }) => settings.sandbox === 'auto' || kind === settings.sandbox,
  );
  const ready = allowed.find(
    ({ available, probes }) => available && probes.every(({ held }) => held),
  );
  if (ready !== undefined) return `a checked sandbox (${ready.kind})`;
  // Docker asks most of a computer, so it is proposed last.
  const cheapest = allowed.toSorted((a, b) => rank(a) - rank(b)).find(({ remedy }) => remedy);
  const named =
    settings.sandbox === 'auto'
      ? 'no sandbox works'
      : `the sandbox ${settings.sandbox} does not work`;
  return { why: named, todo: cheapest?.remedy ?? 'choose another sandbox in the settings' };
}

function rank({ kind }: SandboxReport): number {
  return kind === 'docker' ? 1 : 0;
}

/** Verdicts are one line, whatever a server or an engine said. */
function oneStep(todo: string): string {
  return todo.replace(/\s+/g, ' ').trim();
}
