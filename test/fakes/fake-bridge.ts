import { EGRESS_PAGE_SIZE, type EgressConnection } from '#contract/egress.ts';
import type {
  BackgroundProgram,
  Message,
  ModelServer,
  Run,
  SetupReport,
  Thread,
} from '#contract/entities.ts';
import { AppError, type ErrorEnvelope, toErrorEnvelope } from '#contract/errors.ts';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import type { LocalModels } from '#contract/local-models.ts';
import type { Plan } from '#contract/plans.ts';
import type { PolicySummary } from '#contract/policy.ts';
import type {
  HyperagentBridge,
  PushMessage,
  RequestInput,
  RequestName,
  RequestOutput,
  RequestResult,
} from '#contract/requests.ts';
import type { Settings } from '#contract/settings.ts';
import { editPlan } from '#main/orchestrator/edit-plan.ts';
import type { PlanState } from '#main/orchestrator/plan-state.ts';
import { deniedRun } from './csv-run.ts';
import { FakeApps } from './fake-apps.ts';
import { fakeArtifactRequests } from './fake-artifacts.ts';
import { FakeBrowser } from './fake-browser.ts';
import { FakeConnectors } from './fake-connectors.ts';
import { fakeDiagnostics } from './fake-diagnostics.ts';
import { fakeFileRequests } from './fake-files.ts';
import { FakeFolder } from './fake-folder.ts';
import { FakeImages } from './fake-images.ts';
import { FakeLibrary } from './fake-library.ts';
import { fakeLocalModelRequests } from './fake-local-models.ts';
import { FakePresentations } from './fake-presentations.ts';
import { fakeRunControl } from './fake-run-control.ts';
import { fakeSandboxRequests } from './fake-sandbox.ts';
import { fakePicture, fakeSettings } from './fake-settings.ts';
import { FakeSkills } from './fake-skills.ts';
import { FakeSnapshots } from './fake-snapshots.ts';
import { fakeSearch } from './fake-sources.ts';
import { fakeThread } from './fake-thread.ts';
import { fakeThreadRequests, threadIn } from './fake-threads.ts';
import { FakeUserData } from './fake-user-data.ts';
import { Refusal } from './refusal.ts';

/** The events of a fake run before its question, and after the answer. */
export interface FakeScript {
  readonly before: readonly RunEventDraft[];
  readonly after: readonly RunEventDraft[];
}

export interface FakeFile {
  readonly mimeType: string;
  readonly encoding: 'utf8' | 'base64';
  readonly data: string;
}

export interface FakeState {
  settings: Settings;
  servers: ModelServer[];
  setupCheck: SetupReport;
  localModels: LocalModels;
  /** In the background, by task. */
  readonly programs: Map<string, BackgroundProgram[]>;
  threads: Thread[];
  messages: Message[];
  runs: Run[];
  files: Map<string, FakeFile>;
  rules: RequestOutput<'rules.list'>['rules'];
  secrets: string[];
  /** Null where none can be stored. */
  keyStorage: string | null;
  connections: EgressConnection[];
  policy: PolicySummary | null;
}

type Handlers = {
  readonly [Name in RequestName]: (
    input: RequestInput<Name>,
  ) => RequestOutput<Name> | Promise<RequestOutput<Name>>;
};

/**
 * A fake main: the contract over lists in memory. Runs play a script, one event each `paceMs`, and wait
 * at a question until it is answered. It checks what main checks: the hash of an approval, one answer
 * for each question, no start during a run.
 */
export class FakeBridge implements HyperagentBridge {
  readonly state: FakeState;
  /** Every request that was made, in order. */
  readonly requests: { readonly name: RequestName; readonly input: unknown }[] = [];
  script: FakeScript;
  paceMs: number;
  /** Errors for the next request of a name. */
  readonly refuse = new Map<RequestName, ErrorEnvelope>();
  /** Plans of runs, by run. */
  readonly plans = new Map<string, PlanState>();
  readonly library = new FakeLibrary((message) => this.push(message));
  readonly folder = new FakeFolder();
  readonly browser = new FakeBrowser((message) => this.push(message));
  readonly apps = new FakeApps((message) => this.push(message));
  readonly connectors = new FakeConnectors((message) => this.push(message));
  readonly userData = new FakeUserData((message) => this.push(message));
  readonly slides = new FakePresentations();
  readonly images = new FakeImages();
  readonly skills = new FakeSkills((message) => this.push(message), Date.now());
  readonly #logs = new Map<string, RunEvent[]>();
  readonly #listeners = new Set<(message: PushMessage) => void>();
  readonly #subscribed = new Map<string, number>();
  readonly #waiting = new Map<string, (response: InterruptResponse) => void>();
  readonly #cancelled = new Set<string>();
  #next = 1;
  #silent = false;

  constructor(state: FakeState, script: FakeScript, paceMs: number) {
    this.state = state;
    this.script = script;
    this.paceMs = paceMs;
  }

  async request<Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
  ): Promise<RequestResult<Name>> {
    this.requests.push({ name, input });
    const refusal = this.refuse.get(name);
    this.refuse.delete(name);
    if (refusal !== undefined) return { ok: false, error: refusal };
    try {
      // A copy, as over a wire.
      return { ok: true, data: structuredClone(await this.#handlers[name](input)) };
    } catch (error) {
      if (error instanceof Refusal) return { ok: false, error: error.envelope };
      if (error instanceof AppError) return { ok: false, error: toErrorEnvelope(error) };
      throw error;
    }
  }

  cancel(runId: string): Promise<RequestResult<'runs.cancel'>> {
    return this.request('runs.cancel', { runId });
  }

  onEvent(listener: (message: PushMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** With false nothing is pushed, until the returned function is called. */
  pushes(on: boolean): () => void {
    this.#silent = !on;
    return () => {
      this.#silent = false;
    };
  }

  push(message: PushMessage): void {
    if (this.#silent) return;
    for (const listener of this.#listeners) listener(structuredClone(message));
  }

  /** Adds a run with its whole log, without playing it. */
  addLog(run: Run, drafts: readonly RunEventDraft[]): void {
    this.state.runs.push(run);
    this.#logs.set(run.id, []);
    for (const draft of drafts) this.#append(run.id, draft);
  }

  /** Logs and publishes events of a run, in one push. */
  emit(runId: string, drafts: readonly RunEventDraft[]): void {
    const events = drafts.map((draft) => this.#append(runId, draft));
    if (this.#subscribed.has(runId)) this.push({ kind: 'events', runId, events });
  }

  setRun(runId: string, change: Partial<Run>): Run {
    const run = this.#run(runId);
    Object.assign(run, change);
    const thread = threadIn(this.state, run.threadId);
    Object.assign(thread, { status: run.status, updatedAt: Date.now() });
    this.push({ kind: 'run_changed', run });
    this.push({ kind: 'thread_changed', thread });
    void Promise.resolve(this.#handlers['runs.waiting']({})).then(({ questions }) =>
      this.push({ kind: 'waiting_changed', questions }),
    );
    return run;
  }

  #append(runId: string, draft: RunEventDraft): RunEvent {
    const log = this.#logs.get(runId) ?? [];
    this.#logs.set(runId, log);
    const event = { runId, seq: log.length + 1, at: Date.now(), ...draft } as RunEvent;
    log.push(event);
    this.#run(runId).lastSeq = event.seq;
    if (event.type === 'workspace_update') this.push({ kind: 'artifacts_changed' });
    return event;
  }

  #run(runId: string): Run {
    const run = this.state.runs.find(({ id }) => id === runId);
    if (run === undefined) throw new Refusal('NOT_FOUND', 'There is no such run.');
    return run;
  }

  #start(input: RequestInput<'runs.start'>): RequestOutput<'runs.start'> {
    const { settings, threads, runs, messages } = this.state;
    const model = input.options.model ?? settings.model;
    if (model === null) throw new Refusal('NO_MODEL', 'No model was chosen.');
    const now = Date.now();
    const id = this.#next++;
    const threadId = input.threadId ?? `thread-new-${id}`;
    if (input.threadId === undefined) {
      const title = input.prompt.slice(0, 60);
      threads.unshift(fakeThread({ id: threadId, title, at: now, status: 'running' }));
    }
    const run: Run = {
      ...{ id: `run-new-${id}`, threadId, status: 'running', prompt: input.prompt },
      options: {
        ...{ mode: input.options.mode ?? 'task', model, sandbox: 'auto', network: 'offline' },
        ...{ allowHosts: [], executionMode: 'standard', approve: 'ask', timeoutSeconds: null },
      },
      ...{ createdAt: now, startedAt: now, endedAt: null, lastSeq: 0, error: null },
      origin: null,
    };
    const files = input.attachmentIds.map((name) => ({ name, path: name, size: 338 }));
    const attachments = [...files, ...this.folder.attach(threadId, input.folder)];
    messages.push({
      ...{ id: `message-${id}`, threadId, runId: run.id, role: 'user' },
      ...{ content: input.prompt, attachments, createdAt: now },
    });
    runs.push(run);
    this.#logs.set(run.id, []);
    void this.#play(run.id);
    const thread = threadIn(this.state, threadId);
    thread.status = 'running';
    return { run, thread };
  }

  async #play(runId: string): Promise<void> {
    const { before, after } = this.script;
    if (!(await this.#say(runId, before))) return;
    const question = before.findLast((draft) => draft.type === 'interrupt');
    if (question?.type === 'interrupt') {
      this.setRun(runId, { status: 'waiting' });
      const { interruptId, toolCallId = '' } = question;
      const response = await new Promise<InterruptResponse>((resolve) =>
        this.#waiting.set(interruptId, resolve),
      );
      this.emit(runId, [{ type: 'interrupt_response', interruptId, response, by: 'person' }]);
      this.setRun(runId, { status: 'running' });
      if (response.action === 'deny') {
        this.emit(runId, deniedRun(toolCallId, response.reason));
        this.setRun(runId, { status: 'completed', endedAt: Date.now() });
        return;
      }
    }
    if (!(await this.#say(runId, after))) return;
    const last = this.#logs.get(runId)?.at(-1);
    const status = last?.type === 'complete' ? last.outcome : 'failed';
    this.setRun(runId, { status, endedAt: Date.now() });
  }

  /** False when the run was cancelled on the way. */
  async #say(runId: string, drafts: readonly RunEventDraft[]): Promise<boolean> {
    for (const draft of drafts) {
      if (this.paceMs > 0) await new Promise((resolve) => setTimeout(resolve, this.paceMs));
      if (this.#cancelled.has(runId)) return false;
      this.emit(runId, [draft]);
    }
    return true;
  }

  #editPlan({ runId, ...edit }: RequestInput<'plans.edit'>): Plan {
    const state = this.plans.get(runId);
    if (state === undefined) throw new Refusal('CONFLICT', 'This run has no plan.');
    const edited = editPlan(state, edit);
    this.plans.set(runId, edited);
    this.push({ kind: 'plan_changed', plan: edited.plan });
    return edited.plan;
  }

  #cancel(runId: string): void {
    this.#cancelled.add(runId);
    this.emit(runId, [
      {
        type: 'error',
        code: 'CANCELLED',
        message: 'You stopped this run.',
        details: {},
        kept: 'The answer so far and the files.',
      },
    ]);
    this.setRun(runId, { status: 'cancelled', endedAt: Date.now() });
  }

  readonly #handlers: Handlers = {
    ...this.skills.handlers,
    ...this.userData.handlers,
    'app.info': () => ({
      version: '0.1.0',
      entryPoint: 'browser',
      platform: 'linux',
      dataDir: '~/.local/share/hyperagent',
      policy: this.state.policy,
    }),
    'setup.check': () => this.state.setupCheck,
    'diagnostics.get': fakeDiagnostics,
    'plans.get': ({ runId }) => ({ plan: this.plans.get(runId)?.plan ?? null }),
    'plans.edit': (input) => ({ plan: this.#editPlan(input) }),
    'search.try': ({ query }) => fakeSearch(query),
    'reports.export': ({ runId, format }) => ({
      ...{ fileName: `report.${format}`, mimeType: 'text/plain', data: btoa(`${runId} ${format}`) },
    }),
    'egress.list': ({ runId, beforeId, limit = EGRESS_PAGE_SIZE }) => ({
      connections: this.state.connections
        .filter((one) => runId === undefined || one.runId === runId)
        .filter(({ id }) => beforeId === undefined || id < beforeId)
        .sort((a, b) => b.id - a.id)
        .slice(0, limit),
    }),
    ...fakeThreadRequests({
      state: () => this.state,
      push: (message) => this.push(message),
      eventsOf: (runId) => this.#logs.get(runId) ?? [],
    }),
    'attachments.add': ({ name, data }) => ({
      attachmentId: name,
      name,
      size: Math.floor((data.length * 3) / 4),
      picture: fakePicture(name, data),
    }),
    'runs.start': (input) => this.#start(input),
    'runs.cancel': ({ runId }) => {
      this.#cancel(runId);
      return {};
    },
    'runs.get': ({ runId }) => ({ run: this.#run(runId) }),
    'runs.events': ({ runId, afterSeq, limit = 500 }) => {
      const log = this.#logs.get(runId) ?? [];
      return { events: log.slice(afterSeq, afterSeq + limit), lastSeq: log.length };
    },
    'runs.subscribe': ({ runId, afterSeq }) => {
      this.#subscribed.set(runId, afterSeq);
      const events = (this.#logs.get(runId) ?? []).slice(afterSeq);
      if (events.length > 0) this.push({ kind: 'events', runId, events });
      return { run: this.#run(runId) };
    },
    'runs.unsubscribe': ({ runId }) => {
      this.#subscribed.delete(runId);
      return {};
    },
    'runs.respond': ({ interruptId, response }) => {
      const resolve = this.#waiting.get(interruptId);
      if (resolve === undefined) throw new Refusal('ALREADY_ANSWERED', 'Somebody answered first.');
      if (response.action === 'approve' && !/^(?:ab){32}$/.test(response.argumentsSha256)) {
        throw new Refusal('APPROVAL_MISMATCH', 'Approved were others than the ones in question.');
      }
      this.#waiting.delete(interruptId);
      resolve(response);
      return {};
    },
    ...fakeSettings({ state: () => this.state, push: (message) => this.push(message) }),
    ...fakeLocalModelRequests({
      state: () => this.state,
      push: (message) => this.push(message),
    }),
    ...this.library.handlers,
    ...fakeRunControl({
      state: () => this.state,
      run: (runId) => this.#run(runId),
      setRun: (runId, change) => this.setRun(runId, change),
      log: (runId) => this.#logs.get(runId) ?? [],
      start: (input) => this.#start(input),
    }),
    ...fakeSandboxRequests({ state: () => this.state, push: (message) => this.push(message) }),
    ...fakeFileRequests({ state: () => this.state, push: (message) => this.push(message) }),
    ...new FakeSnapshots(Date.now()).handlers,
    ...this.folder.handlers,
    ...this.browser.handlers,
    ...this.apps.handlers,
    ...this.connectors.handlers,
    ...this.slides.handlers,
    ...this.images.handlers,
    ...fakeArtifactRequests({
      state: () => this.state,
      eventsOf: (runId) => this.#logs.get(runId) ?? [],
    }),
  };
}
