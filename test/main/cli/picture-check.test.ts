import { beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#contract/errors.ts';
import type { RequestOutput } from '#contract/requests.ts';
import { UsageError } from '#main/cli/exit-codes.ts';
import { checkPictures } from '#main/cli/picture-check.ts';

/** What `hyperagent run --attach PICTURE` says before anything is sent. */

const picture = { width: 10, height: 10, preview: 'data:' };
const model = { provider: 'ollama', name: 'qwen3:8b' };
const other = { provider: 'ollama', name: 'gemma3:12b' };
const FILES = [{ name: 'photo.png', picture }];

type Sight = RequestOutput<'models.sight'>;

function check(
  sight: Sight | AppError,
  { asFiles = false, files = FILES as Parameters<typeof checkPictures>[0] } = {},
) {
  const asked: unknown[] = [];
  const api = {
    'models.sight': async (input: unknown) => {
      asked.push(input);
      if (sight instanceof AppError) throw sight;
      return sight;
    },
  };
  const checked = checkPictures(files, { api, model, asFiles, attended: false });
  return { checked, asked };
}

const written: string[] = [];
beforeEach(() => {
  written.splice(0);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
});

test('a model that sees is used without a word', async () => {
  const { checked, asked } = check({ model, vision: true, other: null });
  expect(await checked).toEqual(model);
  expect([asked, written]).toEqual([[{ model }], []]);
});

test.each([
  [
    { model, vision: false, other },
    'qwen3:8b does not see pictures, so photo.png would not be shown to it. Use --model ollama:gemma3:12b, which does, or --pictures-as-files to give it the path only.',
  ],
  [
    { model, vision: null, other: null },
    'It is not known whether qwen3:8b sees pictures, so photo.png would not be shown to it. Use a model that does, or --pictures-as-files to give it the path only.',
  ],
])('one that is not known to see stops the command with one line', async (sight, line) => {
  const { checked } = check(sight);
  const error = await checked.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  expect((error as UsageError).message).toBe(line);
});

test('it may get the paths only, if the user says so', async () => {
  const { checked, asked } = check({ model, vision: false, other }, { asFiles: true });
  expect(await checked).toEqual(model);
  expect(asked).toEqual([]);
});

test('a file that cannot be shown is named, and needs no model that sees', async () => {
  const files = [{ name: 'p.png', picture: { problem: 'It has 100 megapixels.' } }];
  const { checked, asked } = check({ model, vision: false, other }, { files });
  expect(await checked).toEqual(model);
  expect(asked).toEqual([]);
  expect(written.join('')).toBe(
    'p.png is attached as a file, not as a picture: It has 100 megapixels.\n',
  );
});

test('where the model cannot be opened, the run itself says why', async () => {
  const { checked } = check(new AppError('MODEL_SERVER_UNREACHABLE', 'gone'));
  expect(await checked).toEqual(model);
});
