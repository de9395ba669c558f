import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { ModelProgress } from '../models/types.ts';

/**
 * Turns the progress of a model request into events. Waiting and retries are stages, which end with
 * the first piece of the answer.
 */
export function progressEvents(
  messageId: string,
  emit: (event: RunEventDraft) => void,
): (progress: ModelProgress) => void {
  let waiting: string | null = null;
  const stage = (name: string, description: string): void => {
    waiting = name;
    emit({ type: 'stage', name, status: 'running', description, agent: 'executor' });
  };
  const arrived = (): void => {
    if (waiting === null) return;
    const name = waiting;
    waiting = null;
    const description = 'The model is answering';
    emit({ type: 'stage', name, status: 'completed', description, agent: 'executor' });
  };
  return (progress) => {
    switch (progress.kind) {
      case 'text':
        arrived();
        emit({ type: 'token', messageId, text: progress.text });
        break;
      case 'reasoning':
        arrived();
        emit({ type: 'reasoning', messageId, text: progress.text });
        break;
      case 'waiting':
        stage('model_loading', describeWait(progress));
        break;
      case 'retrying':
        stage('model_retry', `Asking the model again: ${progress.reason}`);
        break;
    }
  };
}

function describeWait({ phase, elapsedMs }: Extract<ModelProgress, { kind: 'waiting' }>): string {
  const seconds = Math.round(elapsedMs / 1000);
  return phase === 'loading'
    ? `Loading the model, ${seconds} s`
    : `Connecting to the model server, ${seconds} s`;
}
