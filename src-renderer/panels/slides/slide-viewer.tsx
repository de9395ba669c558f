import '../../styles/slides.css';
import { Download, FileQuestionMark } from 'lucide-react';
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ErrorEnvelope } from '#contract/errors.ts';
import type { Deck, OpenDeck, Slide } from '#contract/slides.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { useAnnounce } from '../../components/announcer.tsx';
import { Button } from '../../components/button.tsx';
import { LoadFailed } from '../../components/load-failed.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import { PageCache } from '../../store/page-cache.ts';
import { formOf, isTyped } from '../../store/slide-form.ts';
import { slideStrings as words } from '../../strings/slides.ts';
import { DeckBar } from './deck-bar.tsx';
import { OfficeCheck } from './office-check.tsx';
import { aspectOf, PagePicture, usePageWidth } from './page-picture.tsx';
import { PageStrip } from './page-strip.tsx';
import { SlideBar } from './slide-bar.tsx';
import { SlideDetails } from './slide-details.tsx';
import { SlideEditor } from './slide-editor.tsx';
import { SlideShow } from './slide-show.tsx';
import { type DeckFile, type OpenedDeck, useDeck } from './use-deck.ts';
import { useSlideForms } from './use-slide-forms.ts';

interface SlideViewerProps extends DeckFile {
  /** Changes whenever the file does. */
  readonly version: string;
  readonly name: string;
}

/** A presentation: its pages, a show, and forms to edit its slides. */
export function SlideViewer({ threadId, path, version, name }: SlideViewerProps): ReactNode {
  const { artifacts } = useSession();
  const file = { threadId, path };
  const deck = useDeck(file, version);
  const { open, problem } = deck;
  if (open !== null) return <OpenViewer {...{ file, name, deck, open }} />;
  if (problem === null) return <Skeleton label={words.loading} lines={6} />;
  if (problem.code !== 'BAD_REQUEST') {
    return (
      <LoadFailed
        title={words.failed}
        problem={problem.message}
        onRetry={() => void deck.reload()}
      />
    );
  }
  return (
    <div className="empty-state" role="alert">
      <FileQuestionMark aria-hidden="true" size={22} strokeWidth={1.5} />
      <p>{words.notOurs}</p>
      <p className="muted">
        <VisibleText text={problem.message} />
      </p>
      <Button size="small" onClick={() => void artifacts.save(file)}>
        <Download aria-hidden="true" size={14} />
        {words.saveFile(makeVisible(name))}
      </Button>
    </div>
  );
}

interface OpenViewerProps {
  readonly file: DeckFile;
  readonly name: string;
  readonly deck: OpenedDeck;
  readonly open: OpenDeck;
}

function OpenViewer({ file, name, deck, open }: OpenViewerProps): ReactNode {
  const { bridge } = useSession();
  const announce = useAnnounce();
  const { threadId, path } = file;
  const cache = useMemo(() => new PageCache(bridge, { threadId, path }), [bridge, threadId, path]);
  const [place, setPlace] = useState<Place>({ slide: 0, part: 0 });
  /** What of the template that was just chosen is not in the deck. */
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  const [isShowing, setShowing] = useState(false);
  const { forms, current, setForm, drop } = useSlideForms(file, open.deck.slides);
  const editButton = useRef<HTMLButtonElement>(null);
  const formElement = useRef<HTMLFormElement>(null);
  /** The slide whose form was just opened here, and takes the focus. */
  const opened = useRef<number | null>(null);
  useEffect(() => {
    opened.current = null;
  });
  const { isSaving } = deck;

  const page = pageOf(open, place);
  const index = open.pages[page]?.slide ?? 0;
  const slide = open.deck.slides[index];
  const form = forms.get(index) ?? null;
  const unsaved = new Set([...forms].flatMap(([at, one]) => (isTyped(one) ? [at] : [])));
  const show = (to: number): void => {
    const at = open.pages[to]?.slide ?? 0;
    setPlace({ slide: at, part: to - firstPageOf(open, at) });
  };
  const save = async (change: Partial<Deck>): Promise<OpenDeck | null> =>
    deck.save({ ...open.deck, ...change });

  const move = async (by: -1 | 1): Promise<void> => {
    const { slides } = open.deck;
    const to = index + by;
    const other = slides[to];
    if (slide === undefined || other === undefined || isSaving) return;
    if ((await save({ slides: slides.with(index, other).with(to, slide) })) === null) return;
    setPlace({ slide: to, part: 0 });
    announce(words.moved(to + 1, slides.length));
  };
  const remove = async (): Promise<void> => {
    if (isSaving || (await save({ slides: open.deck.slides.toSpliced(index, 1) })) === null) return;
    if (form !== null) drop(form);
    setPlace({ slide: index, part: 0 });
    announce(words.removal.done);
  };
  const saveSlide = async (typed: Slide): Promise<void> => {
    const saved = await save({ slides: open.deck.slides.with(index, typed) });
    const now = current(index);
    if (saved === null || form === null || now === null) return;
    // What was typed while it was being saved is not saved yet.
    const base = saved.deck.slides[index] ?? typed;
    setForm(index, now === form ? null : { ...now, base });
    announce(words.form.saved);
    if (now === form) editButton.current?.focus();
  };
  const setTheme = async (theme: Deck['theme']): Promise<void> => {
    // A theme takes the place of a template.
    if ((await save({ theme, template: undefined })) === null) return;
    setLeftOut([]);
    announce(words.themeSet(words.themes[theme]));
  };
  const setTemplate = async (path: string): Promise<void> => {
    const taken = await deck.setTemplate(path);
    if (taken === null) return;
    setLeftOut(taken.leftOut);
    announce(words.templateSet(makeVisible(path)));
  };
  const toggleForm = (): void => {
    if (slide === undefined) return;
    if (form === null) {
      opened.current = index;
      setForm(index, formOf(slide));
    } else if (!isTyped(form)) setForm(index, null);
    // What was typed is not closed over: the button leads to it.
    else formElement.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  };
  return (
    <div className="slide-viewer" style={aspectOf(open)}>
      <DeckBar
        file={file}
        deck={open.deck}
        slide={index}
        onPresent={() => setShowing(true)}
        onTheme={(theme) => void setTheme(theme)}
        onTemplate={(path) => void setTemplate(path)}
      />
      {deck.problem !== null && (
        <SaveProblem
          problem={deck.problem}
          isTyping={unsaved.size > 0}
          onReload={() => void deck.reload()}
        />
      )}
      {leftOut.length > 0 && (
        <div className="banner slide-problem" role="status">
          <p>
            <VisibleText text={leftOut.join(' ')} />
          </p>
        </div>
      )}
      <div className="slide-columns">
        <PageStrip
          {...{ open, cache, unsaved }}
          shown={page}
          onShow={show}
          onMove={(by) => void move(by)}
        />
        <div className="slide-main">
          <LargePage {...{ open, cache, page }} onRetry={() => void deck.reload()} />
          <SlideBar
            {...{ file, open, page, isSaving }}
            isEditing={form !== null}
            editRef={editButton}
            onEdit={toggleForm}
            onMove={(by) => void move(by)}
            onDelete={() => void remove()}
          />
          {form !== null && slide !== undefined && (
            <SlideEditor
              key={index}
              ref={formElement}
              {...{ index, slide, form, isSaving }}
              takesFocus={opened.current === index}
              onChange={(next) => setForm(index, next)}
              onSave={(typed) => void saveSlide(typed)}
              onDiscard={() => {
                setForm(index, null);
                editButton.current?.focus();
              }}
            />
          )}
          <SlideDetails open={open} page={page} isEditing={form !== null} />
          <OfficeCheck key={open.hash} file={file} />
        </div>
      </div>
      {isShowing && (
        <SlideShow
          {...{ open, cache, name, page }}
          onPage={show}
          onClose={() => setShowing(false)}
        />
      )}
    </div>
  );
}

/** A page by its slide: the pages before it may become more or fewer. */
interface Place {
  readonly slide: number;
  /** From 0: a slide that is too long for one page continues on further ones. */
  readonly part: number;
}

function firstPageOf({ pages }: OpenDeck, slide: number): number {
  return pages.findIndex((page) => page.slide === slide);
}

function pageOf(open: OpenDeck, { slide, part }: Place): number {
  const first = firstPageOf(open, slide);
  if (first === -1) return open.pages.length - 1;
  const parts = open.pages.filter((page) => page.slide === slide).length;
  return first + Math.min(part, parts - 1);
}

function LargePage({
  open: { hash, pages },
  cache,
  page,
  onRetry,
}: {
  readonly open: OpenDeck;
  readonly cache: PageCache;
  readonly page: number;
  readonly onRetry: () => void;
}): ReactNode {
  const [figure, width] = usePageWidth();
  const textId = useId();
  const shown = pages[page];
  return (
    <figure className="slide-page" ref={figure}>
      <PagePicture
        cache={cache}
        wanted={width === 0 ? null : { hash, page, width }}
        title={shown?.title ?? ''}
        describedBy={textId}
        onRetry={onRetry}
      />
      <figcaption className="visually-hidden" id={textId}>
        {shown?.text}
      </figcaption>
    </figure>
  );
}

function SaveProblem({
  problem,
  isTyping,
  onReload,
}: {
  readonly problem: ErrorEnvelope;
  readonly isTyping: boolean;
  readonly onReload: () => void;
}): ReactNode {
  const isConflict = problem.code === 'CONFLICT';
  return (
    <div className="banner slide-problem" data-tone="warning" role="alert">
      <p>
        {isConflict ? words.conflict : <VisibleText text={problem.message} />}
        {isTyping && ` ${words.typedIsKept}`}
      </p>
      {problem.code !== 'BAD_REQUEST' && (
        <Button size="small" onClick={onReload}>
          {words.loadAgain}
        </Button>
      )}
    </div>
  );
}
