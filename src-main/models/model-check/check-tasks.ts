import { parseJson } from '../json-text.ts';
import type { ChatMessage, ModelReply, ModelRequest, ToolSchema } from '../types.ts';
import type { CheckSession } from './check-session.ts';
import { fillerAround } from './long-text.ts';
import { redSquare } from './red-square.ts';

/** The result of a task: `detail` says what the model did, or why the task was skipped. */
export interface CheckFinding {
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly detail: string;
}

export interface CheckTask {
  readonly id: string;
  readonly label: string;
  /** The result is decided by code, never by a model. */
  run(session: CheckSession): Promise<CheckFinding>;
}

const WEATHER: ToolSchema = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
};

const EVENT: ToolSchema = {
  name: 'create_event',
  description: 'Puts an event into the calendar.',
  parameters: {
    type: 'object',
    properties: {
      title: { type: 'string' },
      when: {
        type: 'object',
        properties: {
          date: { type: 'string', description: 'YYYY-MM-DD' },
          hour: { type: 'integer' },
        },
        required: ['date', 'hour'],
      },
      guests: { type: 'array', items: { type: 'string' } },
    },
    required: ['title', 'when', 'guests'],
  },
};

const SYSTEM: ChatMessage = { role: 'system', content: 'You are a helpful assistant. Be brief.' };

function ask(content: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [SYSTEM, { role: 'user', content }], tools: [], ...more };
}

const passed = (detail: string): CheckFinding => ({ outcome: 'passed', detail });
const failed = (detail: string): CheckFinding => ({ outcome: 'failed', detail });
const skipped = (detail: string): CheckFinding => ({ outcome: 'skipped', detail });

function describeReply({ toolCalls, invalidToolCalls, content }: ModelReply): string {
  const calls = toolCalls.map((call) => `${call.name}(${JSON.stringify(call.arguments)})`);
  if (calls.length > 0) return `it called ${calls.join(', ')}`;
  if (invalidToolCalls.length > 0) return 'it made a call that cannot be parsed';
  return content.trim() === '' ? 'its answer was empty' : `it said “${shorten(content)}”`;
}

function shorten(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length <= 80 ? line : `${line.slice(0, 80)}…`;
}

/** In order; the first task loads the model. */
export const CHECK_TASKS: readonly CheckTask[] = [
  {
    id: 'speed_cold',
    label: 'Loading the model',
    run: async (session) => {
      const wasUnloaded = await session.unload();
      const { usage } = await session.send(ask('Say hello.'));
      if (!wasUnloaded || usage.loadMs === undefined) {
        return skipped('the server does not report its loading time');
      }
      session.learn({ coldLoadMs: Math.round(usage.loadMs) });
      return passed(`${(usage.loadMs / 1000).toFixed(1)} s`);
    },
  },
  {
    id: 'one_call',
    label: 'One tool call',
    run: async (session) => {
      const reply = await session.send(ask('What is the weather in Oslo?', { tools: [WEATHER] }));
      const [call] = reply.toolCalls;
      const isRight =
        reply.toolCalls.length === 1 &&
        call?.name === 'get_weather' &&
        /oslo/i.test(String(call.arguments.city));
      if (isRight && reply.toolMeans !== undefined) session.learn({ toolMeans: reply.toolMeans });
      return isRight ? passed(describeReply(reply)) : failed(describeReply(reply));
    },
  },
  {
    id: 'two_calls',
    label: 'Two tool calls at once',
    run: async (session) => {
      const reply = await session.send(
        ask('Get the weather of Oslo and of Rome, both now, with two calls.', { tools: [WEATHER] }),
      );
      const cities = reply.toolCalls.map((call) => String(call.arguments.city).toLowerCase());
      const hasBoth = ['oslo', 'rome'].every((city) => cities.some((one) => one.includes(city)));
      return hasBoth ? passed(describeReply(reply)) : failed(describeReply(reply));
    },
  },
  {
    id: 'nested_arguments',
    label: 'A call with nested arguments',
    run: async (session) => {
      const reply = await session.send(
        ask('Create the event "Review" on 2027-03-04 at 15 o’clock with Ann and Bob.', {
          tools: [EVENT],
        }),
      );
      const given = reply.toolCalls[0]?.arguments ?? {};
      const when = given.when as { date?: unknown; hour?: unknown } | undefined;
      const isRight =
        when?.date === '2027-03-04' &&
        Number(when.hour) === 15 &&
        Array.isArray(given.guests) &&
        given.guests.length === 2;
      return isRight ? passed(describeReply(reply)) : failed(describeReply(reply));
    },
  },
  {
    id: 'no_call',
    label: 'No tool call when none is needed',
    run: async (session) => {
      const reply = await session.send(ask('How much is 17 plus 25?', { tools: [WEATHER] }));
      const isRight = reply.toolCalls.length === 0 && /\b42\b/.test(reply.content);
      return isRight ? passed(describeReply(reply)) : failed(describeReply(reply));
    },
  },
  {
    id: 'two_rounds',
    label: 'Using the result of a tool call',
    run: async (session) => {
      const request = ask('How warm is it in Oslo now, in degrees?', { tools: [WEATHER] });
      const first = await session.send(request);
      const [call] = first.toolCalls;
      if (call === undefined) return failed(describeReply(first));
      const reply = await session.send({
        ...request,
        messages: [
          ...request.messages,
          { role: 'assistant', content: first.content, toolCalls: [call] },
          {
            ...{ role: 'tool', toolCallId: call.id, toolName: call.name },
            content: '{"city":"Oslo","degrees":-13}',
          },
        ],
      });
      return /13/.test(reply.content) ? passed(describeReply(reply)) : failed(describeReply(reply));
    },
  },
  {
    id: 'json_schema',
    label: 'JSON that follows a schema',
    run: async (session) => {
      const format = {
        type: 'object',
        properties: { city: { type: 'string' }, people: { type: 'integer' } },
        required: ['city', 'people'],
        additionalProperties: false,
      };
      const reply = await session.send(
        ask('Oslo has about 700000 people. Give the city and its people as JSON.', { format }),
      );
      const value = parseJson(reply.content.trim()) as
        | { city?: unknown; people?: unknown }
        | undefined;
      const isRight = typeof value?.city === 'string' && Number.isInteger(value.people);
      session.learn({ jsonSchema: isRight });
      return isRight ? passed(describeReply(reply)) : failed(describeReply(reply));
    },
  },
  {
    id: 'system_rule',
    label: 'Following a rule',
    run: async (session) => {
      const reply = await session.send({
        messages: [
          { role: 'system', content: 'End every answer with the word PINEAPPLE, alone on a line.' },
          { role: 'user', content: 'Name two rivers of Europe.' },
        ],
        tools: [],
      });
      const isRight = /PINEAPPLE[.!*\s]*$/.test(reply.content);
      return isRight ? passed(describeReply(reply)) : failed(describeReply(reply));
    },
  },
  ...[25, 50, 90].map(recall),
  {
    id: 'vision',
    label: 'Seeing an image',
    run: async (session) => {
      if (session.facts.vision === false) return skipped('the model has no vision');
      const content = 'Which colour fills this picture? One word.';
      const images = [{ mimeType: 'image/png', data: redSquare().toString('base64') }];
      const reply = await session.send({
        messages: [SYSTEM, { role: 'user', content, images }],
        tools: [],
      });
      const isRight = /\bred\b/i.test(reply.content);
      session.learn({ vision: isRight });
      return isRight ? passed(describeReply(reply)) : failed(describeReply(reply));
    },
  },
  {
    id: 'speed_warm',
    label: 'Speed',
    run: async (session) => {
      const { usage } = await session.send(ask('Count from 1 to 60, separated by spaces.'));
      const { completionTokens = 0, firstTokenMs = 0, durationMs } = usage;
      const seconds = (durationMs - firstTokenMs) / 1000;
      if (completionTokens < 20 || seconds <= 0)
        return skipped('the answer was too short to measure');
      const rate = Math.round((completionTokens / seconds) * 10) / 10;
      session.learn({ tokensPerSecond: rate });
      return passed(`${rate} tokens per second`);
    },
  },
];

/** Whether the model finds a fact in the middle of a text that fills this share of its window. */
function recall(percent: number): CheckTask {
  return {
    id: `recall_${percent}`,
    label: `Finding a fact in a text that fills ${percent}% of the window`,
    run: async (session) => {
      const window = session.contextWindow;
      if (window === null) return skipped('the size of its window is not known');
      const code = `MAPLE-${percent}7`;
      const text = fillerAround(
        `The code of the blue box is ${code}.`,
        (one) => session.estimator.text(one) < window * (percent / 100) - 200,
      );
      const question = `${text}\n\nWhat is the code of the blue box? Answer with the code alone.`;
      const reply = await session.send(ask(question));
      const { promptTokens = 0, firstTokenMs = 0 } = reply.usage;
      if (promptTokens > 1_000 && firstTokenMs > 0) {
        session.learn({ promptTokensPerSecond: Math.round((promptTokens / firstTokenMs) * 1000) });
      }
      session.estimator.learn(session.estimator.text(question) + 60, reply.usage.promptTokens ?? 0);
      return reply.content.includes(code) ? passed('found') : failed(describeReply(reply));
    },
  };
}
