import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { OpenDeck } from '#contract/slides.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { SourceLink } from '../../components/markdown/chat-link.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { slideStrings as words } from '../../strings/slides.ts';

/** What a page does not show of its slide: what to improve, the notes and the sources. */
export function SlideDetails({
  open: { deck, pages, findings },
  page,
  isEditing,
}: {
  readonly open: OpenDeck;
  readonly page: number;
  /** The form has the notes and the sources. */
  readonly isEditing: boolean;
}): ReactNode {
  const shown = pages[page];
  const slide = shown === undefined ? undefined : deck.slides[shown.slide];
  const found = findings.filter((finding) => finding.slide === shown?.slide);
  const notes = shown?.notes ?? '';
  const sources = slide?.sources ?? [];
  return (
    <div className="slide-details">
      {found.length > 0 && (
        <section aria-label={words.findings}>
          <h3 className="section-label">{words.findings}</h3>
          <ul className="slide-findings">
            {found.map(({ code, text }) => (
              <li key={`${code} ${text}`}>
                <TriangleAlert aria-hidden="true" size={14} />
                <span>
                  <VisibleText text={text} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {!isEditing && (
        <Disclosure
          id="speaker notes"
          className="slide-notes"
          initiallyOpen
          summary={<span>{words.notes}</span>}
        >
          {() => (
            <p className={notes === '' ? 'muted' : 'slide-notes-text'}>
              {notes === '' ? words.noNotes : <VisibleText text={notes} />}
            </p>
          )}
        </Disclosure>
      )}
      {sources.length > 0 && !isEditing && (
        <section aria-label={words.sources}>
          <h3 className="section-label">{words.sources}</h3>
          <ul className="slide-sources">
            {sources.map((source) => (
              <li key={source}>
                {/^https?:\/\//i.test(source) ? (
                  <SourceLink address={source}>
                    <VisibleText text={source} />
                  </SourceLink>
                ) : (
                  <VisibleText text={source} />
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
