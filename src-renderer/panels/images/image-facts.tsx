import { type ReactNode, useId } from 'react';
import { IMAGE_SERVER_LABELS, type ImageRecord } from '#contract/images.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { useTask } from '../../components/markdown/task-context.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatMoment } from '../../format.ts';
import { imageStrings as words } from '../../strings/images.ts';

/** How a picture was made. Programs of the task could have written any of it: it is shown as text. */
export function ImageFacts({ record }: { readonly record: ImageRecord }): ReactNode {
  const titleId = useId();
  const task = useTask();
  const { prompt, negativePrompt, server, model, seed, steps, guidance, strength } = record;
  const { width, height, image, operation, at } = record;
  const facts: readonly (readonly [string, string | number | null])[] = [
    [words.server, IMAGE_SERVER_LABELS[server]],
    [words.model, model],
    [words.size, words.pixels(width, height)],
    [words.seed, seed],
    [words.steps, steps],
    [words.guidance, guidance],
    [words.strength, strength],
    [words.at, formatMoment(at, Date.now())],
  ];
  return (
    <section className="image-facts" aria-labelledby={titleId}>
      <header>
        <h3 className="section-label" id={titleId}>
          {words.made}
        </h3>
        {prompt !== '' && <CopyButton label={words.copy} text={() => prompt} />}
      </header>
      <dl>
        {prompt !== '' && <Fact name={words.prompt} value={prompt} isLong />}
        {negativePrompt !== '' && (
          <Fact name={words.negativePrompt} value={negativePrompt} isLong />
        )}
        {image !== null && (
          <div>
            <dt>{operation === 'upscale' ? words.enlargedFrom : words.from}</dt>
            <dd>
              <button type="button" className="link" onClick={() => task.openFile(image)}>
                <VisibleText text={image} />
              </button>
            </dd>
          </div>
        )}
        {facts.map(([name, value]) =>
          value === null ? null : <Fact key={name} name={name} value={String(value)} />,
        )}
      </dl>
    </section>
  );
}

function Fact({
  name,
  value,
  isLong = false,
}: {
  readonly name: string;
  readonly value: string;
  readonly isLong?: boolean;
}): ReactNode {
  return (
    <div data-long={isLong}>
      <dt>{name}</dt>
      <dd dir="auto">
        <VisibleText text={value} />
      </dd>
    </div>
  );
}
