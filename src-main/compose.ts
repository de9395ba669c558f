import { totalmem } from 'node:os';
import path from 'node:path';
import type { RequestOutput } from '#contract/requests.ts';
import type { Settings } from '#contract/settings.ts';
import type { PolicyLevel } from '#contract/vocabulary.ts';
import { readPromptFile } from './agents/prompt-files.ts';
import { Transcript } from './agents/transcript.ts';
import { pictureInFile } from './api/attached-picture.ts';
import { createApi } from './api/create-api.ts';
import { localModelRequests } from './api/local-models.ts';
import { modelRequests } from './api/models.ts';
import { planRequests } from './api/plans.ts';
import { waitingQuestions } from './api/runs.ts';
import type { Broadcast } from './api/types.ts';
import { appRoot } from './app-root.ts';
import { systemClock } from './base/clock.ts';
import { DisposalStack } from './base/disposable.ts';
import { KnownSecrets } from './base/known-secrets.ts';
import type { App, Compose } from './compose/app.ts';
import { createAgents } from './compose/create-agents.ts';
import { createConnectors } from './compose/create-connectors.ts';
import { createDiagnostics } from './compose/create-diagnostics.ts';
import { createSkills } from './compose/create-skills.ts';
import { createUserData } from './compose/create-user-data.ts';
import { createWorkspaces } from './compose/create-workspaces.ts';
import { forgetTracing, openData } from './compose/open-data.ts';
import { openLibrary } from './compose/open-library.ts';
import { openReaders } from './compose/open-readers.ts';
import { openScreens } from './compose/open-screens.ts';
import { openTaskIndex } from './compose/open-task-search.ts';
import { sandboxProviders } from './compose/sandbox-providers.ts';
import { createSearch } from './compose/search.ts';
import { registerStartupSecrets } from './compose/startup-secrets.ts';
import { startOwnWork } from './compose/startup-tasks.ts';
import {
  appUnder,
  type PolicedOptions,
  programUnder,
  underPolicy,
  withPolicy,
} from './compose/under-policy.ts';
import { AppEgress } from './egress/app-egress.ts';
import { EgressBroker } from './egress/egress-broker.ts';
import { Guards } from './guardrails/guards.ts';
import type { ReviewedArguments } from './hitl/answer-checks.ts';
import { DurableInterruptBroker } from './hitl/interrupt-broker.ts';
import { ImageService, imageAgentsOfUser } from './images/image-service.ts';
import { watchMainLoop } from './main-loop/watch-main-loop.ts';
import { createModelService } from './models/model-service.ts';
import { ProfileRegistry } from './models/profiles/profile-registry.ts';
import { guardedAgents } from './models/transport/guarded-agents.ts';
import { PolicyLimits } from './policy/limits.ts';
import { summaryOf, systemPolicy } from './policy/read-policy.ts';
import { createAgentProgram } from './run/agent-program.ts';
import { resumeAnswered } from './run/answers-from-secondary.ts';
import { turnOfRun } from './run/new-run.ts';
import { exportRun } from './run/run-export.ts';
import { RunService } from './run/run-service.ts';
import { ModelUseTotals } from './run/sum-model-use.ts';
import { TaskTitles } from './run/task-titles.ts';
import { ThreadSlots } from './run/thread-slots.ts';
import { checkRunSkill } from './skills/start-skill.ts';
import { AttachmentStore } from './storage/attachment-store.ts';
import { DiskReserve } from './storage/disk-reserve.ts';
import { DurableToolLedger } from './tools/durable-ledger.ts';
import { describeArguments } from './tools/review-arguments.ts';
import { ToolCatalogue } from './tools/tool-catalogue.ts';
import { ToolPipeline } from './tools/tool-pipeline.ts';
import { summarizeTool } from './tools/tool-schema.ts';
import { completeDeletion } from './user-data/delete-data.ts';
import { VERSION } from './version.ts';

/**
 * Wires the app: the only place that knows every class. Everything opened here is closed in reverse
 * order when the app is disposed, or if wiring fails halfway.
 */
export const compose: Compose = async (given) => {
  const options = withPolicy(given, given.policy ?? systemPolicy());
  const closing = new DisposalStack();
  try {
    await completeDeletion(options);
    return await appUnder(options.policy, wire(options, closing));
  } catch (error) {
    await closing.dispose();
    throw underPolicy(options.policy, error);
  }
};

function wire(options: PolicedOptions, closing: DisposalStack): App {
  forgetTracing();
  const clock = systemClock;
  const secrets = new KnownSecrets();
  registerStartupSecrets(secrets, options, process.env);
  const { policy } = options;
  const limits = new PolicyLimits(policy);
  const { stores, logger } = openData(options, { secrets, managed: limits.settings, closing });
  secrets.recall = stores.secrets.recall;
  const { paths, settings } = stores;
  const root = appRoot();
  if (options.ownsProcess === true) {
    const watch = watchMainLoop({ root, logsDir: paths.logs });
    closing.add(() => watch[Symbol.asyncDispose]());
  }

  const listeners = new Set<Broadcast>();
  const broadcast: Broadcast = (notice) => {
    for (const listener of listeners) listener(notice);
  };
  const broker = new EgressBroker({
    store: stores.egress,
    ...{ clock, logger, limits: limits.hosts },
    onConnection: (connection) => broadcast({ kind: 'egress', connection }),
  });
  const egress = new AppEgress({ broker, settings: settings.get, rules: stores.rules.list });
  closing.add(() => broker.closeAll(() => true));

  const changeSettings = (changes: Readonly<Record<string, unknown>>): Settings => {
    const updated = settings.update(changes);
    // Enforced before the broadcast: once a window shows the change, it is in effect.
    broker.enforce();
    broadcast({ kind: 'settings_changed', settings: updated });
    return updated;
  };

  const profileRegistry = new ProfileRegistry(stores.profiles, clock);
  const modelParts = {
    settings: settings.get,
    readSecret: stores.secrets.get,
    secrets,
    env: limits.environment(process.env),
    memoryBytes: totalmem(),
    startHost: options.startHost,
    ...{ root, profileRegistry },
    createAgent: guardedAgents(egress),
  };
  const models = createModelService(modelParts);
  closing.add(() => models[Symbol.asyncDispose]());
  const overrides = options.modelOverrides;
  if (overrides?.baseUrl !== undefined) limits.checkModelAddress();
  const modelApi = modelRequests({
    ...modelParts,
    ...{ models, broadcast, clock },
    ...(overrides === undefined ? {} : { overrides }),
  });
  closing.add(() => modelApi[Symbol.asyncDispose]());
  const localModels = localModelRequests({
    ...{ root, models, egress, changeSettings, broadcast, clock },
    ...{ settings: settings.get, env: process.env, memoryBytes: modelParts.memoryBytes },
    ...{ folder: paths.models, checkUnlocked: limits.checkUnlocked },
  });
  closing.add(() => localModels[Symbol.asyncDispose]());
  const { scans, libraryScans, documents, pictures, slides, decoder } = openReaders(options, {
    ...{ root, closing, picturesDir: paths.pictures },
  });
  const images = new ImageService({
    ...{ settings: settings.get, readSecret: stores.secrets.get, secrets },
    ...{ env: process.env, decoder, createAgent: imageAgentsOfUser(egress) },
    notify: (progress) => broadcast({ kind: 'image_progress', progress }),
  });
  // Research searches the library when there is no network.
  const library = openLibrary(options, {
    models: modelParts,
    parts: {
      ...{ counts: stores.library, settings: settings.get, clock, logger, root },
      readScans: libraryScans.read,
      saveFolders: (folders) => void changeSettings({ libraryFolders: folders }),
      onChange: (state) => broadcast({ kind: 'library_changed', library: state }),
    },
  });
  closing.add(() => library[Symbol.asyncDispose]());
  const providers = sandboxProviders(options.dataDir, {
    ...{ settings: settings.get, logger, secrets, egress, limits },
    readSecret: stores.secrets.get,
  });
  const common = { stores, providers, settings: settings.get, clock, logger, limits };
  const workspaces = createWorkspaces(common);
  const connectors = createConnectors({ ...common, egress, secrets, broadcast, closing });
  const { sandbox, snapshots, edits, userFolders, importAttachments, copyFolderIn } = workspaces;
  closing.add(() => sandbox[Symbol.asyncDispose]());
  const { apps, appStates, browsers } = openScreens(options, {
    ...{ root, stores, egress, sandbox, snapshots, broadcast, clock, logger, closing },
    ...{ settings: settings.get, limits },
  });
  const removeWorkspace = async (threadId: string): Promise<void> => {
    await Promise.all([browsers.close(threadId), apps.close(threadId)]);
    await Promise.all([workspaces.remove(threadId), pictures.removeTask(threadId)]);
  };

  const notifyWaiting = (): void => {
    const waiting = waitingQuestions(stores.interrupts, stores.runStores);
    broadcast({ kind: 'waiting_changed', questions: waiting });
  };

  const search = createSearch({
    ...{ settings: settings.get, readSecret: stores.secrets.get, secrets, clock, library },
  });
  const skills = createSkills({
    ...{ store: stores.skills, executions: stores.skillExecutions, journal: stores.journal },
    ...{ clock, root, closing, limits },
    modulesDir: path.join(root, 'resources', 'sandbox'),
    sessions: stores.skillSessions,
    turnOf: (runId) => turnOfRun(stores.runStores.runs, runId),
    importsInto: paths.skills,
    folders: () => [
      { dir: path.join(root, 'resources', 'skills'), isShipped: true },
      ...[paths.skills, ...settings.get().skillFolders].map((dir) => ({ dir, isShipped: false })),
    ],
    toolRisk: (name) => catalogue.riskOf(name),
    readOnly: options.readOnly || options.secondary === true,
    onChange: () => broadcast({ kind: 'skills_changed' }),
  });
  const catalogue: ToolCatalogue = new ToolCatalogue({
    commandTimeoutMs: () => settings.get().commandTimeoutSeconds * 1000,
    pageTimeoutMs: () => settings.get().researchPageSeconds * 1000,
    ...{ search, library, documents, skills, pictures, scans, slides, images },
    ...{ browsers, apps, connectors, edits },
    readModule: skills.readModule,
  });
  const guards = new Guards({ settings: settings.get, logger, secrets });
  const review = (toolName: string, argumentsText: string): ReviewedArguments =>
    describeArguments({ tools: catalogue.byName, guards }, toolName, argumentsText);
  const levelOf = (threadId: string): PolicyLevel | null =>
    limits.level(stores.runStores.threads.get(threadId).level) ?? settings.get().policyLevel;
  const questions = new DurableInterruptBroker({
    interrupts: stores.interrupts,
    isAttended: (threadId) => options.attended && levelOf(threadId) !== 'unattended',
    onTimeout: () => settings.get().attentionTimeout,
    remember: (rule) => stores.rules.put(rule),
    threadOf: (runId) => stores.runStores.runs.get(runId).threadId,
    onChange: notifyWaiting,
    review,
  });
  const pipeline = new ToolPipeline({
    ledger: new DurableToolLedger(stores.journal),
    standing: { rules: stores.rules.list, level: levelOf },
    guards,
    sessions: skills.sessions,
  });
  const promptsDir = path.join(root, 'resources', 'prompts');
  const { orchestrator, warm } = createAgents({
    ...{ promptsDir, catalogue, pipeline, documents, clock },
    skills: skills.registry,
    broker: questions,
    ...{ journal: stores.journal, checkpointer: stores.checkpointer, settings: settings.get },
    ...{ transfersDir: paths.transfers, sessions: skills.sessions },
  });
  const attachments = new AttachmentStore(paths.attachments, clock);
  const reserve = new DiskReserve(paths.reserve, logger);
  closing.add(() => reserve[Symbol.asyncDispose]());
  const slots = new ThreadSlots();
  const program = createAgentProgram({
    orchestrator,
    ...{ guards, models, sandbox, egress, snapshots, edits, logger, browsers, pictures },
    broker: questions,
    transcript: new Transcript(stores.journal),
    ...{ summaries: stores.summaries, taints: stores.taints, journal: stores.journal },
    profiles: profileRegistry,
    settings: settings.get,
    level: levelOf,
    placeInSkill: (task) => skills.sessions.place(task),
    systemPrompt: readPromptFile(promptsDir, 'executor'),
    checkPrompts: {
      secondOpinion: readPromptFile(promptsDir, 'second-opinion'),
      answer: readPromptFile(promptsDir, 'answer-check'),
    },
    today: () => new Date(clock.now()).toISOString().slice(0, 10),
    ...(overrides === undefined ? {} : { modelOverrides: overrides }),
  });
  const runs = new RunService({
    stores: stores.runStores,
    slots,
    program: programUnder(limits, program),
    ...{ importAttachments, copyFolderIn },
    removeWorkspace,
    endPrograms: (threadId, runId) => sandbox.endPrograms(threadId, runId),
    releaseReserve: () => reserve.release(),
    hasOpenQuestions: (runId) => stores.interrupts.openOf(runId).length > 0,
    ...{ secrets, clock, logger },
  });
  closing.add(() => runs.dispose());

  const plans = planRequests({
    runs: stores.runStores.runs,
    journal: stores.journal,
    transaction: stores.runStores.transaction,
    onEdit: (plan) => broadcast({ kind: 'plan_changed', plan }),
  });

  const taskIndex = openTaskIndex(options, { taskSearch: stores.taskSearch, logger });
  closing.add(() => taskIndex[Symbol.dispose]());

  const titles = new TaskTitles({
    ...{ stores: stores.runStores, models, runs, secrets, logger },
    settings: settings.get,
    systemPrompt: readPromptFile(promptsDir, 'title'),
  });
  closing.add(() => titles[Symbol.dispose]());

  runs.onNotice((notice) => {
    broadcast(notice);
    // A run that resumes after a full disk has space again.
    if (notice.kind === 'run_changed' && notice.run.status === 'running') void reserve.takeAgain();
    // Questions end with their run, and are deleted with their task.
    const hasEnded = notice.kind === 'run_changed' && notice.run.endedAt !== null;
    if (hasEnded || notice.kind === 'thread_deleted') notifyWaiting();
    if (notice.kind === 'run_changed' && notice.run.status !== 'running') taskIndex.poke();
    // A command of the CLI ends with its run.
    if (hasEnded && options.entryPoint !== 'terminal') void titles.runChanged(notice.run);
    if (hasEnded) appStates.look(notice.run.threadId);
    // Skill executions that the run left open end with it.
    if (hasEnded) stores.skillExecutions.cancelAbandoned(clock.now());
  });
  const isSecondary = options.secondary === true;
  if (!options.readOnly && !isSecondary) {
    startOwnWork(options, {
      ...{ stores, runs, attachments, snapshots, reserve, warm, root, clock, logger, closing },
      settings: settings.get(),
      broadcast,
      onAnswers: () => {
        questions.lookAgain();
        resumeAnswered({ runs, interrupts: stores.interrupts, logger });
        notifyWaiting();
        plans.publishExternalEdits();
      },
    });
  }

  const userData = createUserData(options, { stores, secrets, runs, clock, broadcast });
  closing.add(() => userData[Symbol.asyncDispose]());
  const api = createApi({
    info: info(options),
    ...createDiagnostics(options, {
      ...{ models, sandbox, search, settings: settings.get, secrets, clock, root },
    }),
    runs: {
      ...{ runs, broker: questions, attachments, review, clock, secrets, isSecondary },
      ...{ stores: stores.runStores, taints: stores.taints },
      transcript: new Transcript(stores.journal),
      ...{ interrupts: stores.interrupts, copier: stores.copier, journal: stores.journal },
      settings: settings.get,
      limits,
      checkSkill: (skill) => checkRunSkill(skills.registry, skill),
      copyWorkspace: (from, to) => sandbox.copyTask(from, to),
      copyFilesAt: (step, to) => snapshots.copyAt(step, to),
      copyPictures: (from, to) => pictures.copyTask(from, to),
      restoreSessions: (threadId) => skills.sessions.restoreFromLog(threadId),
      removeWorkspace,
      onNewTask: (thread) => broadcast({ kind: 'thread_changed', thread }),
    },
    ...{ plans, models: modelApi, localModels, skills: skills.requests },
    files: { snapshots, slots, edits, apps, artifacts: stores.artifacts },
    taskSearch: {
      ...{ store: stores.taskSearch, indexer: taskIndex.index },
      isReadOnly: taskIndex.isReadOnly,
    },
    ...{ userFolders, userData: userData.requests, browsers, apps, appStates, connectors },
    screensAreElsewhere: options.readOnly || isSecondary,
    modelUse: new ModelUseTotals(stores.modelUse, clock),
    rules: {
      rules: stores.rules,
      pastCalls: (limit) =>
        stores.runStores.events.newestToolCalls(limit).map(catalogue.judgedCall),
      toolNames: () => catalogue.all.map(({ name }) => name),
    },
    ...{ attachments, pictures, slides, images, settings: settings.get, changeSettings },
    ...{ secrets: stores.secrets, signIns: stores.signIns },
    ...{ sandbox, egress, connections: stores.egress, library, search, broadcast },
  });
  return {
    ...{ api, runs, library, logger, taskIndex: taskIndex.index },
    modelProfiles: () => profileRegistry.list(),
    tools: () => catalogue.all.map(summarizeTool),
    attachFile: async (file) => {
      const picture = await pictureInFile(file, pictures);
      return { attachmentId: attachments.addFile(file.name, file.path), picture };
    },
    exportRun: (runId, file) =>
      exportRun(stores.runStores, { runId, file, secrets, now: clock.now() }),
    ...{ apps, dataExporter: userData.exporter },
    onBroadcast: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announce: stores.announce,
    keepSecret: (secret) => secrets.register(secret),
    [Symbol.asyncDispose]: () => closing.dispose(),
  };
}

function info({ entryPoint, dataDir, policy }: PolicedOptions): RequestOutput<'app.info'> {
  return {
    version: VERSION,
    entryPoint: entryPoint === 'desktop' ? 'desktop' : 'browser',
    platform: process.platform,
    dataDir,
    policy: summaryOf(policy),
  };
}
