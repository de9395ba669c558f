import type { IncomingMessage } from 'node:http';
import type { WaitingQuestion } from '#contract/events/hitl.ts';
import type { RequestRouter } from '../transport/request-router.ts';
import {
  type ApiAnswer,
  type ApiTarget,
  failed,
  nothingAt,
  PROGRAM,
  refused,
} from './api-answer.ts';

/** Arguments that a user edited are the longest answer. */
const BODY_BYTES = 8 * 1024 * 1024;

/**
 * Answers `GET /api/v1/questions`, every open question, and `POST /api/v1/questions/{id}` with an answer as JSON:
 * `{"action": "confirm"}`, `{"action": "modify", "overrides": {…}}`, `{"action": "input", "text": "…"}`,
 * `{"action": "select", "value": "…"}`, `{"action": "deny", "reason": "…"}`, `{"action": "skip"}`, or
 * `{"action": "approve", "arguments_sha256": "…", "always": false}`. The first answer counts.
 */
export async function answerQuestions(
  request: IncomingMessage,
  { path, query }: ApiTarget,
  router: RequestRouter,
): Promise<ApiAnswer> {
  if (query !== '') return failed('BAD_REQUEST', 'Questions have no filters.');
  const [interruptId] = path;
  if (path.length > 1 || interruptId === '') return nothingAt('questions', path);
  const waiting = await router.handle('runs.waiting', {}, PROGRAM);
  if (!waiting.ok) return refused(waiting.error);
  const { questions } = waiting.data as { questions: WaitingQuestion[] };
  if (interruptId === undefined) {
    return {
      status: 200,
      body: { questions: questions.map(questionJson), count: questions.length },
    };
  }
  const question = questions.find((one) => one.interruptId === interruptId);
  if (question === undefined) {
    return failed('NOT_FOUND', `There is no open question ${interruptId.slice(0, 200)}.`);
  }
  if (request.method !== 'POST') return { status: 200, body: questionJson(question) };
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return failed('BAD_REQUEST', 'Send the answer with "Content-Type: application/json".');
  }
  const body = await bodyOf(request);
  if (body === null) return failed('BAD_REQUEST', 'The answer is not a JSON object, or too long.');
  const { runId } = question;
  const response = fromSnakeCase(body);
  const answered = await router.handle('runs.respond', { runId, interruptId, response }, PROGRAM);
  return answered.ok ? { status: 200, body: { answered: true } } : refused(answered.error);
}

function questionJson(question: WaitingQuestion) {
  const { interruptId, kind, title, message, reasons, options, parameters } = question;
  return {
    id: interruptId,
    run_id: question.runId,
    task_id: question.threadId,
    task_title: question.threadTitle,
    asked_at: question.askedAt,
    kind,
    title,
    message,
    why: question.why ?? null,
    reasons,
    risk: question.risk ?? null,
    tool: question.toolName ?? null,
    arguments: question.argumentsText ?? null,
    arguments_sha256: question.argumentsSha256 ?? null,
    parameters: parameters ?? null,
    options,
  };
}

function fromSnakeCase({ arguments_sha256, ...rest }: Readonly<Record<string, unknown>>) {
  return arguments_sha256 === undefined ? rest : { ...rest, argumentsSha256: arguments_sha256 };
}

/** The body as an object; null if it is anything else. */
async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > BODY_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    // Not JSON.
    return null;
  }
}
