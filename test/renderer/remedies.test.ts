import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '#contract/errors.ts';
import { REMEDIES, REMEDY_ACTIONS, remedyOf } from '../../src-renderer/panels/chat/remedies.ts';
import { remedyStrings } from '../../src-renderer/strings/remedies.ts';

const codes = Object.keys(ERROR_CODES) as ErrorCode[];
/** What fails again in the same way, however often it is run: the cause has to be removed first. */
const PERMANENT: readonly ErrorCode[] = codes.filter((code) =>
  /^(?:BAD_REQUEST|NOT_FOUND|ATTACHMENT_|PICTURE_|NO_MODEL|MODEL_(?:NOT|LACKS|UNAUTHORIZED|LOAD|CONTEXT)|CLOUD_|PATH_|FILE_TOO|EGRESS_|SANDBOX_(?:UN|NOT|BUILD)|LIBRARY_|SKILL_(?:MISSING|UNKNOWN|DISABLED|NEEDS|TAMPERED|INPUT|TOOL|CODE|CAPABILITY|FILE)|GUARDRAIL_)/.test(
    code,
  ),
);

describe('remedies', () => {
  it('are there for every error, with words and buttons of their own', () => {
    const missing = codes.filter((code) => {
      const remedy = REMEDIES[code];
      return remedyStrings[remedy] === undefined || REMEDY_ACTIONS[remedy] === undefined;
    });
    const unused = Object.keys(remedyStrings).filter(
      (name) => !codes.some((code) => REMEDIES[code] === name),
    );
    expect({ missing, unused }).toEqual({ missing: [], unused: [] });
  });

  it.each(PERMANENT)('of %s do not begin with running it again as it is', (code) => {
    expect(['retry', 'again']).not.toContain(REMEDY_ACTIONS[REMEDIES[code]][0]);
  });

  it.each([
    ['MODEL_LOAD_FAILED', 'chooseModel'],
    ['CLOUD_MODEL_NOT_ALLOWED', 'allowCloud'],
    ['BAD_REQUEST', 'editMessage'],
    ['MODEL_UNAUTHORIZED', 'modelSettings'],
    ['MODEL_STREAM_BROKEN', 'retry'],
    ['MODEL_OVERLOADED', 'retry'],
    ['SANDBOX_UNAVAILABLE', 'setupCheck'],
    ['EGRESS_DENIED', 'network'],
    ['CODE_OF_A_LATER_VERSION', 'retry'],
    ['constructor', 'retry'],
  ])('of %s begin with: %s', (code, action) => {
    expect(REMEDY_ACTIONS[remedyOf(code)][0]).toBe(action);
  });
});
