import type { ReactNode } from 'react';
import type { SkillDetail } from '#contract/skills.ts';
import { LazyMarkdown } from '../../components/markdown/lazy-markdown.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatBytes, listOf } from '../../format.ts';
import { skillStrings } from '../../strings/skills.ts';

const words = skillStrings.detail;

/** The instructions of a Markdown skill, its enforced steps and its files. */
export function MarkdownParts({
  parts: { instructions, files, steps },
}: {
  readonly parts: NonNullable<SkillDetail['markdown']>;
}): ReactNode {
  return (
    <>
      {steps.length > 0 && (
        <section className="skill-section">
          <h2>{words.steps}</h2>
          <ol className="skill-steps">
            {steps.map(({ number, title, subskills, checkpoints }) => (
              <li key={number}>
                <span>
                  {number}. <VisibleText text={title} />
                </span>
                <span className="muted">
                  {subskills.length > 0 && (
                    <VisibleText text={words.stepReads(listOf(subskills))} />
                  )}
                  {subskills.length > 0 && checkpoints.length > 0 && ' · '}
                  {checkpoints.length > 0 && (
                    <VisibleText text={words.stepAsks(listOf(checkpoints))} />
                  )}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
      <section className="skill-section">
        <h2>{words.instructions}</h2>
        <div className="markdown skill-instructions">
          <LazyMarkdown source={instructions} />
        </div>
      </section>
      <section className="skill-section">
        <h2>{words.files}</h2>
        <ul className="skill-files">
          {files.map(({ path, size }) => (
            <li key={path}>
              <code>
                <VisibleText text={path} />
              </code>
              <span className="muted">{formatBytes(size)}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
