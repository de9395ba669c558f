import { existsSync } from 'node:fs';
import { splitIntoTokens } from '#main/models/script/script.ts';
import type { WireStep } from './options.ts';
import { countTokens } from './tokens.ts';
import type { Metrics, Sender, Wire } from './wire.ts';

interface Progress {
  finish: 'stop' | 'length';
  metrics: Metrics;
}

/** Plays the steps of a turn over a wire. Ends with the closing message unless a step ended it. */
export async function play(
  steps: readonly WireStep[],
  to: { wire: Wire; sender: Sender; promptTokens: number },
): Promise<void> {
  const { wire, sender, promptTokens } = to;
  const state: Progress = {
    finish: 'stop',
    metrics: { prompt: promptTokens, eval: Math.max(1, countTokens(JSON.stringify(steps))) },
  };
  for (const step of steps) {
    if (sender.gone.signal.aborted) return;
    if (await playStep(step, { wire, sender, state })) return;
  }
  await sender.send(wire.finish(state.finish, state.metrics));
  sender.end();
}

/** Plays one step; true when the answer is over. */
async function playStep(
  step: WireStep,
  { wire, sender, state }: { wire: Wire; sender: Sender; state: Progress },
): Promise<boolean> {
  if ('thinking' in step && 'text' in step) {
    await sender.send(wire.both(step.thinking, step.text));
  } else if ('thinking' in step) {
    for (const token of splitIntoTokens(step.thinking)) await sender.send(wire.thinking(token));
  } else if ('text' in step) {
    const tokens = step.whole === true ? [step.text] : splitIntoTokens(step.text);
    for (const token of tokens) await sender.send(wire.text(token));
  } else if ('call' in step) {
    await sender.send(wire.calls([step.call]));
  } else if ('calls' in step) {
    await sender.send(wire.calls(step.calls));
  } else if ('delay' in step) {
    await sender.pause(step.delay);
  } else if ('untilFile' in step) {
    while (!existsSync(step.untilFile) && !sender.gone.signal.aborted) await sender.pause(10);
  } else if ('finish' in step) {
    state.finish = step.finish;
  } else if ('metrics' in step) {
    state.metrics = step.metrics;
  } else if ('bytewise' in step) {
    sender.sendBytewise(step.bytewise.everyMs);
  } else if ('header' in step) {
    sender.addHeaders(step.header);
  } else if ('head' in step) {
    sender.begin();
  } else if ('raw' in step) {
    await sender.send(step.raw);
  } else if ('rawBase64' in step) {
    await sender.send(Buffer.from(step.rawBase64, 'base64'));
  } else {
    await playEnd(step, wire, sender);
    return true;
  }
  return false;
}

type EndStep = Extract<
  WireStep,
  | { error: unknown }
  | { refuse: unknown }
  | { cut: unknown }
  | { reset: unknown }
  | { stall: unknown }
>;

async function playEnd(step: EndStep, wire: Wire, sender: Sender): Promise<void> {
  if ('error' in step) {
    if (sender.hasBegun) {
      await sender.send(wire.errorLine(step.error));
      sender.end();
    } else {
      sender.refuse(500, wire.errorBody(step.error), 'application/json; charset=utf-8');
    }
  } else if ('refuse' in step) {
    sender.refuse(step.refuse.status, step.refuse.body, step.refuse.contentType);
  } else if ('cut' in step) {
    sender.end();
  } else if ('reset' in step) {
    sender.reset();
  } else {
    await sender.stall();
  }
}
