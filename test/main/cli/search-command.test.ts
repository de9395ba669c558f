import { describe, expect, it } from 'vitest';
import { SearchAnswer } from '#contract/search.ts';
import { runCli } from './run-cli.ts';

describe('hyperagent search', () => {
  it('prints the results, and lets no title control the terminal', async () => {
    const { code, stdout, stderr } = await runCli(['search', 'tides in Lisbon', '--limit', '2']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      '1. ⟨U+001B⟩[31mOne (2026-01-31)\n   https://example.com/1\n   About 1.\n2. Two\n   https://example.com/2\n   About 2.\nSearched with: Brave.\n',
    );
  });

  it('prints one JSON object with --json', async () => {
    const args = ['search', 'tides', '--provider', 'library', '--limit', '1', '--json'];
    const { code, stdout } = await runCli(args);

    expect(code).toBe(0);
    expect(SearchAnswer.parse(JSON.parse(stdout))).toMatchObject({
      results: [{ url: 'https://example.com/1', provider: 'library' }],
      asked: ['library'],
      problems: [],
    });
  });

  it('says why if no provider answered', async () => {
    const { code, stdout, stderr } = await runCli(['search', 'nothing set up', '--json']);

    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'hyperagent: No search provider answered.\n',
    });
  });
});
