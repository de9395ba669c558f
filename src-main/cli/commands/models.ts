import { defined } from '#contract/defined.ts';
import type { ModelRef, ModelSummary } from '#contract/entities.ts';
import type { ModelProfile, ModelPull, ModelReportCard } from '#contract/models.ts';
import type { Settings } from '#contract/settings.ts';
import type { App } from '../../compose/app.ts';
import { cloudOf } from '../../models/cloud/clouds.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { Interruption } from '../interruption.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print, printError } from '../output.ts';
import { type Style, styleFor } from '../style.ts';
import { showControls } from '../visible-text.ts';
import type { ReadFlags } from './runs.ts';

export interface ModelFlags extends ReadFlags {
  readonly baseUrl?: string;
}

const key = ({ provider, name }: ModelRef): string => `${provider}:${name}`;

/** Runs `work` on the app until it finishes or Ctrl+C. */
async function withApp(
  flags: ModelFlags,
  environment: CliEnvironment,
  work: (app: App, interruption: Interruption) => Promise<number>,
  { writes = false } = {},
): Promise<number> {
  const interruption = new Interruption();
  try {
    await using app = await openApp(environment, {
      dataDir: flags.dataDir,
      attended: false,
      readOnly: !writes,
      ...(flags.baseUrl === undefined ? {} : { modelOverrides: { baseUrl: flags.baseUrl } }),
    });
    return await work(app, interruption);
  } finally {
    interruption.dispose();
  }
}

/** `models list`. As JSON, an array of models, each with its `profile`. */
export function listModels(flags: ModelFlags, environment: CliEnvironment): Promise<number> {
  return withApp(flags, environment, async ({ api, modelProfiles }, { signal }) => {
    const { servers } = await api['models.list']({}, { closed: signal });
    const profiles = new Map(modelProfiles().map((one) => [key(one.model), one]));
    const models = servers.flatMap(({ models: found }) =>
      found.map((model) => ({ ...model, profile: profiles.get(key(model)) ?? null })),
    );
    if (flags.json) {
      print(jsonLine(models));
      return EXIT.complete;
    }
    const real = models.filter(({ provider }) => provider !== 'demo');
    if (real.length === 0) {
      print(
        'No models found. Start Ollama, then run "hyperagent models pull ollama:qwen3:8b", or set the key of a cloud, such as OPENAI_API_KEY. To see what is missing, run "hyperagent doctor".\n',
      );
    }
    for (const model of real) print(`${describeModel(model, model.profile)}\n`);
    // A local server that does not run is no problem; a cloud with a key that does not answer is one.
    for (const { kind, label, problem } of servers) {
      if (kind === 'cloud' && problem !== null) print(`${label}: ${showControls(problem)}\n`);
    }
    return EXIT.complete;
  });
}

function describeModel(model: ModelSummary, profile: ModelProfile | null): string {
  const facts = [
    ...(model.size === null ? [] : [`${(model.size / 1e9).toFixed(1)} GB`]),
    ...windowsOf(model, profile),
    ...(model.tools === null ? [] : [model.tools ? 'tools' : 'no native tools']),
    ...(model.thinking === true ? ['thinking'] : []),
    ...(model.vision === true ? ['vision'] : []),
    ...(profile?.tokensPerSecond == null ? [] : [`${profile.tokensPerSecond} tokens/s`]),
  ];
  const place = cloudOf(model.provider) === undefined ? 'FORWARDED TO A CLOUD' : 'IN A CLOUD';
  const cloud = model.cloud ? `  ${place}` : '';
  const verdict = profile?.reportCard == null ? '' : `\n    ${profile.reportCard.verdict}`;
  return `${showControls(key(model)).padEnd(36)} ${facts.join(', ')}${cloud}${showControls(verdict)}`;
}

/** The trained window, and the smaller one that a request really has: now, or when it was used last. */
function windowsOf(
  { contextWindow, loadedWindow }: ModelSummary,
  profile: ModelProfile | null,
): string[] {
  const loaded = loadedWindow ?? profile?.loadedContext ?? null;
  if (contextWindow === null) return loaded === null ? [] : [`${tokens(loaded)} window loaded`];
  const isSmaller = loaded !== null && loaded < contextWindow;
  const when = loadedWindow === undefined ? 'loaded last time' : 'loaded';
  return [`${tokens(contextWindow)} window${isSmaller ? ` (${tokens(loaded)} ${when})` : ''}`];
}

function tokens(count: number): string {
  return count.toLocaleString('en');
}

/** `models show MODEL`: what its server reports and what earlier use showed. */
export function showModel(
  model: ModelRef,
  flags: ModelFlags,
  environment: CliEnvironment,
): Promise<number> {
  return withApp(flags, environment, async ({ api }, { signal }) => {
    const { profile } = await api['models.profile']({ model }, { closed: signal });
    print(flags.json ? jsonLine(profile) : `${describeProfile(profile)}\n`);
    return EXIT.complete;
  });
}

function describeProfile(profile: ModelProfile): string {
  const yes = (value: boolean | null): string =>
    value === null ? 'unknown' : value ? 'yes' : 'no';
  const known = (value: number | null, unit: string): string =>
    value === null ? 'unknown' : `${tokens(value)} ${unit}`;
  const rows: readonly (readonly [string, string])[] = [
    ['model', key(profile.model)],
    ['runs', placeOf(profile)],
    ['trained window', known(profile.trainedContext, 'tokens')],
    ['loaded window', known(profile.loadedContext, 'tokens')],
    ['native tools', yes(profile.tools)],
    ['tool calls', profile.toolMeans ?? 'unknown'],
    [
      'thinking',
      `${yes(profile.thinking)}${profile.thinkingKey === null ? '' : ` (${profile.thinkingKey})`}`,
    ],
    ['vision', yes(profile.vision)],
    ['JSON by schema', yes(profile.jsonSchema)],
    ['refused', refusedParameters(profile)],
    ['speed', profile.tokensPerSecond === null ? 'unknown' : `${profile.tokensPerSecond} tokens/s`],
    [
      'cold load',
      profile.coldLoadMs === null ? 'unknown' : `${(profile.coldLoadMs / 1000).toFixed(1)} s`,
    ],
  ];
  const lines = rows.map(([name, value]) => `${name.padEnd(16)} ${showControls(value)}`);
  const card = profile.reportCard;
  const verdict =
    card === null
      ? `Not checked yet. Run: hyperagent models check ${key(profile.model)}`
      : describeCard(card);
  return [...lines, '', showControls(verdict)].join('\n');
}

/** What the server refused, and what is sent in its place. */
function refusedParameters({ parameters }: ModelProfile): string {
  const entries = Object.entries(parameters).map(([path, fix]) => {
    if (fix.kind === 'drop') return `${path} (left out)`;
    return fix.kind === 'rename' ? `${path} (sent as ${fix.to})` : `${path} (${fix.value})`;
  });
  return entries.length === 0 ? 'nothing' : entries.join(', ');
}

function placeOf({ cloud, model }: ModelProfile): string {
  if (!cloud) return 'on this machine';
  const service = cloudOf(model.provider);
  return service === undefined
    ? 'in a cloud: the local server forwards all requests'
    : `in the cloud of ${service.label}`;
}

function describeCard({ verdict, tiers }: ModelReportCard): string {
  return tiers.length === 0 ? verdict : `${verdict} Tiers: ${tiers.join(', ')}.`;
}

export interface ContextFlags extends ReadFlags {
  readonly compression?: 'on' | 'off';
  readonly threshold?: number;
  readonly keep?: number;
}

/** `models context`: applies the flags, then shows how long conversations are fitted to the window. */
export function showContext(flags: ContextFlags, environment: CliEnvironment): Promise<number> {
  const changes: Partial<Settings> = defined({
    compression: flags.compression === undefined ? undefined : flags.compression === 'on',
    compressionThreshold: flags.threshold,
    compressionKeep: flags.keep,
  });
  const writes = Object.keys(changes).length > 0;
  return withApp(
    flags,
    environment,
    async ({ api }) => {
      if (writes) api['settings.update']({ changes });
      const { contextWindow, compression, compressionThreshold, compressionKeep } =
        api['settings.get']().settings;
      const shown = { contextWindow, compression, compressionThreshold, compressionKeep };
      const lines = [
        `Context window: ${contextWindow === null ? 'chosen by model' : `${tokens(contextWindow)} tokens`}`,
        compression
          ? `Older messages are summarised above ${tokens(compressionThreshold)} tokens, or earlier in a smaller window. The newest ${compressionKeep} are kept if they fit.`
          : 'Older messages are not summarised: a task ends when it does not fit the context window.',
      ];
      print(flags.json ? jsonLine(shown) : `${lines.join('\n')}\n`);
      return EXIT.complete;
    },
    { writes },
  );
}

/** `models thinking MODEL [STATE]`: whether a model is asked to think. `auto` leaves it to the model. */
export function setThinking(
  { model, state }: { readonly model: ModelRef; readonly state: 'on' | 'off' | 'auto' | undefined },
  flags: ModelFlags,
  environment: CliEnvironment,
): Promise<number> {
  return withApp(
    flags,
    environment,
    async ({ api }) => {
      const { [key(model)]: before, ...others } = api['settings.get']().settings.modelThinking;
      const now = state === undefined ? before : state === 'auto' ? undefined : state === 'on';
      const modelThinking = { ...others, ...(now === undefined ? {} : { [key(model)]: now }) };
      if (state !== undefined) api['settings.update']({ changes: { modelThinking } });
      const how =
        now === undefined
          ? 'decides itself whether to think'
          : `is asked ${now ? '' : 'not '}to think`;
      const shown = { model, thinking: now ?? null };
      print(flags.json ? jsonLine(shown) : `${showControls(key(model))} ${how}.\n`);
      return EXIT.complete;
    },
    { writes: state !== undefined },
  );
}

const MARKS = { passed: 'ok', failed: 'failed', skipped: 'skipped' } as const;

/** `models check MODEL`. As JSON, one line per task, then the profile with its report card. */
export function checkModel(
  model: ModelRef,
  flags: ModelFlags,
  environment: CliEnvironment,
): Promise<number> {
  const style = styleFor(process.stdout, process.env);
  return withApp(
    flags,
    environment,
    async ({ api, onBroadcast }, interruption) => {
      const stop = (): void => void api['models.cancelCheck']();
      interruption.signal.addEventListener('abort', stop, { once: true });
      onBroadcast((notice) => {
        if (notice.kind !== 'model_check') return;
        const { item, index, of } = notice;
        if (flags.json) print(jsonLine({ item, index, of }));
        else print(`${checkLine(item, `${index + 1}/${of}`, style)}\n`);
      });
      try {
        const { profile } = await api['models.check']({ model });
        if (flags.json) print(jsonLine({ profile }));
        else if (profile.reportCard !== null)
          print(`\n${style.bold(describeCard(profile.reportCard))}\n`);
        return EXIT.complete;
      } catch (error) {
        if (interruption.exitCode !== null) return interruption.exitCode;
        throw error;
      }
    },
    { writes: true },
  );
}

function checkLine(
  { label, outcome, detail, durationMs }: ModelReportCard['items'][number],
  place: string,
  style: Style,
): string {
  const mark = MARKS[outcome].padEnd(7);
  const shown =
    outcome === 'failed' ? style.red(mark) : outcome === 'passed' ? style.green(mark) : mark;
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  return `${place.padStart(5)}  ${shown}  ${label} (${seconds})\n              ${showControls(detail)}`;
}

/** `models recommend`. */
export function recommendModels(flags: ModelFlags, environment: CliEnvironment): Promise<number> {
  return withApp(flags, environment, async ({ api }, { signal }) => {
    const { recommendations } = await api['models.recommend']({}, { closed: signal });
    if (flags.json) print(jsonLine(recommendations));
    else {
      for (const { tier, model, reason } of recommendations) {
        print(
          `${tier.padEnd(6)} ${showControls(model === null ? 'none' : key(model))}\n       ${showControls(reason)}\n`,
        );
      }
    }
    return EXIT.complete;
  });
}

const BAR = 30;

/** `models pull MODEL`. Ctrl+C stops the download; the next pull continues it. */
export function pullModel(
  model: ModelRef,
  flags: ModelFlags,
  environment: CliEnvironment,
): Promise<number> {
  return withApp(flags, environment, async ({ api, onBroadcast }, interruption) => {
    const ended = Promise.withResolvers<ModelPull>();
    const isLive = process.stdout.isTTY === true && flags.json !== true;
    let shownStep = '';
    const onProgress = (pull: ModelPull): void => {
      if (flags.json) print(jsonLine(pull));
      else if (isLive) print(`\r\u001b[K${pullLine(pull)}`);
      else if (pull.step !== shownStep) print(`${showControls(pull.step)}\n`);
      shownStep = pull.step;
      if (pull.status !== 'running') ended.resolve(pull);
    };
    const stop = (): void => void api['models.cancelPull']({ model });
    interruption.signal.addEventListener('abort', stop, { once: true });
    onBroadcast((notice) => {
      if (notice.kind === 'model_pull') onProgress(notice.pull);
    });
    await api['models.pull']({ model });
    if (interruption.signal.aborted) stop();
    const { status, problem } = await ended.promise;
    if (isLive) print('\n');
    if (status === 'completed') {
      if (!flags.json) print(`${showControls(key(model))} is installed.\n`);
      return EXIT.complete;
    }
    const why = problem ?? 'The download was stopped. Run the same command again to continue it.';
    printError(`hyperagent: ${showControls(why)}\n`);
    return interruption.exitCode ?? EXIT.failed;
  });
}

function pullLine({ step, completedBytes, totalBytes }: ModelPull): string {
  if (totalBytes === null || totalBytes === 0) return showControls(step);
  const share = Math.min(1, completedBytes / totalBytes);
  const filled = Math.round(share * BAR);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
  const size = `${(completedBytes / 1e9).toFixed(2)} of ${(totalBytes / 1e9).toFixed(2)} GB`;
  return `${bar} ${Math.round(share * 100)} %  ${size}  ${showControls(step).slice(0, 40)}`;
}

/** `models allow MODEL`: allows the local server to forward this model to a cloud. */
export function allowModel(
  model: ModelRef,
  flags: ModelFlags,
  environment: CliEnvironment,
): Promise<number> {
  return withApp(
    flags,
    environment,
    async ({ api }) => {
      const consents = new Set(api['settings.get']().settings.cloudConsents);
      consents.add(key(model));
      const cloudConsents = [...consents];
      api['settings.update']({ changes: { cloudConsents } });
      const confirmation = `The local server may now forward ${key(model)} to a cloud.`;
      print(flags.json ? jsonLine({ cloudConsents }) : `${showControls(confirmation)}\n`);
      return EXIT.complete;
    },
    { writes: true },
  );
}
