import path from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { DisposalStack } from '../base/disposable.ts';
import { createFileLogger } from '../base/file-logger.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import type { Logger } from '../base/logger.ts';
import { Redactor } from '../base/redactor.ts';
import { parseStoredQuestion } from '../hitl/stored-question.ts';
import type { Question } from '../hitl/types.ts';
import { type DataStores, openStores } from '../storage/open-stores.ts';
import type { ManagedSettings } from '../storage/types.ts';
import type { ComposeOptions } from './app.ts';

const LOG_FILE_BYTES = 5 * 1024 * 1024;
const LOG_FILES = 5;

/** Opens the log and the database. They open first and close last. */
export function openData(
  { dataDir, entryPoint, readOnly, secondary = false, seal, ownsProcess = false }: ComposeOptions,
  {
    secrets,
    managed,
    closing,
  }: { secrets: KnownSecrets; managed: ManagedSettings; closing: DisposalStack },
): { stores: DataStores<Question>; logger: ReturnType<typeof createFileLogger> } {
  const logger = createFileLogger({
    dir: path.join(dataDir, 'logs'),
    level: 'info',
    maxBytes: LOG_FILE_BYTES,
    files: LOG_FILES,
    redactor: new Redactor(secrets),
    clock: systemClock,
  });
  closing.add(() => logger.close());
  if (ownsProcess) closing.add(logCrash(logger));
  const stores = openStores({
    dataDir,
    entryPoint,
    readOnly,
    secondary,
    ...{ seal, managed },
    onSecret: (value) => secrets.register(value),
    clean: (text) => secrets.stored(text),
    parseQuestion: parseStoredQuestion,
    clock: systemClock,
    logger,
  });
  closing.add(() => stores.close());
  return { stores, logger };
}

/** Logs what ends the process, which it does not change. Returns what stops that. */
function logCrash(logger: Logger): () => void {
  const log = (error: unknown, origin: string): void =>
    logger.error('The app crashed', { error, origin });
  process.on('uncaughtExceptionMonitor', log);
  return () => void process.off('uncaughtExceptionMonitor', log);
}

/** Removes the variables that would make LangChain send every run to a tracing service. */
export function forgetTracing(): void {
  for (const name of Object.keys(process.env)) {
    if (/^(LANGCHAIN|LANGSMITH)_/.test(name)) delete process.env[name];
  }
}
