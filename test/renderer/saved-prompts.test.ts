import { describe, expect, it } from 'vitest';
import { promptProblem, withPrompt } from '#renderer/store/saved-prompts.ts';

describe('a prompt that is saved', () => {
  const known = { name: 'Known', text: 'old' };

  it('is refused with the reason before it is sent', () => {
    const problem = (name: string, text: string, before: string | null = null) =>
      promptProblem([known, { name: 'Other', text: '' }], { name, text }, before);
    expect(problem('New', 'text')).toBeNull();
    expect(problem('Known', 'text')).toContain('with this name');
    expect(problem('Known', 'text', 'Known')).toBeNull();
    expect(problem('Other', 'text', 'Known')).toContain('with this name');
    expect(problem('n'.repeat(81), 'text')).toContain('up to 80');
    expect(problem('New', 'x'.repeat(10_001))).toContain('10,001');
    const many = Array.from({ length: 100 }, (_, at) => ({ name: `${at}`, text: 'x' }));
    expect(promptProblem(many, { name: 'New', text: 'x' }, null)).toContain('up to 100');
    expect(promptProblem(many, { name: 'New', text: 'x' }, '7')).toBeNull();
  });

  it('takes the place of the one that was edited, or the last', () => {
    const changed = { name: 'New', text: 'new' };
    const other = { name: 'Other', text: '' };
    expect(withPrompt([known, other], changed, 'Known')).toEqual([changed, other]);
    expect(withPrompt([known], changed, null)).toEqual([known, changed]);
    expect(withPrompt([known], changed, 'Gone')).toEqual([known, changed]);
  });
});
