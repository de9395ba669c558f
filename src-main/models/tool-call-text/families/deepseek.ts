import { readName } from '../grammar/argument-pairs.ts';
import { after, envelope } from '../grammar/envelope.ts';
import { invokeTags } from '../grammar/invoke-tags.ts';
import type { Family, Grammar } from '../types.ts';
import { readNamedArguments } from './named-json.ts';

const CALLS_OPEN = spellings('<｜tool▁calls▁begin｜>');
const CALLS_CLOSE = spellings('<｜tool▁calls▁end｜>');
const CALL_OPEN = spellings('<｜tool▁call▁begin｜>');
const CALL_CLOSE = spellings('<｜tool▁call▁end｜>');
const SEPARATOR = spellings('<｜tool▁sep｜>');

/** Version 3: `function<sep>NAME`, then fenced JSON. Version 3.1: `NAME<sep>` and JSON. */
const separatedCall: Grammar = function* readSeparatedCall(site) {
  const { tape } = site;
  const first = yield* readName(tape);
  if (first === '' || (yield* tape.takeAny(SEPARATOR)) === null) return null;
  const direct = yield* readNamedArguments(site, first);
  if (direct !== null) return [direct];
  const name = yield* readName(tape);
  if (name === '') return tape.atEnd ? [site.tools.incomplete(first, '')] : null;
  if (yield* tape.take('```')) yield* tape.take('json');
  const call = yield* readNamedArguments(site, name);
  if (call?.ok === true) {
    yield* tape.skipSpace();
    yield* tape.take('```');
  }
  return [call ?? site.tools.incomplete(name, '')];
};

/** Step 3 uses the same marks around tags of its own. */
const stepCall = after(
  '<steptml:invoke',
  invokeTags({ call: 'steptml:invoke', argument: 'steptml:parameter', outerCloses: CALL_CLOSE }),
);

export const deepseek: Family = {
  id: 'deepseek 3 and 3.1, step 3',
  opens: [...CALLS_OPEN, ...CALL_OPEN],
  read: envelope([stepCall, separatedCall], {
    closes: CALLS_CLOSE,
    between: [...CALL_OPEN, ...CALL_CLOSE, ...SEPARATOR],
  }),
};

export const deepseekCloses = [...CALLS_CLOSE, ...CALL_CLOSE];

/** Templates and servers write these marks with full-width or plain bars and underscores. */
function spellings(mark: string): string[] {
  const plainBars = mark.replaceAll('｜', '|');
  return [mark, plainBars, mark.replaceAll('▁', '_'), plainBars.replaceAll('▁', '_')];
}
