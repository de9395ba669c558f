/** A voice that this computer has itself: what it reads goes nowhere else. */
export interface LocalVoice {
  readonly id: string;
  /** As in `zh-CN`. */
  readonly language: string;
  /** The one that the system uses where nothing is chosen. */
  readonly isDefault: boolean;
}

/** How a text was read: to its end, or not. */
type ReadingEnd = 'done' | 'failed';

/** The system's own way to read texts aloud. */
export interface Speech {
  /** Those of this computer; a system may name them some time after the start. */
  voices(): readonly LocalVoice[];
  /** Calls back when there are other voices, until the returned function is called. */
  onVoices(listener: () => void): () => void;
  /**
   * Reads texts one after the other, and calls back at the end of the last, or of the first that failed. The returned
   * function stops at once; nothing is called back then. So does leaving the page.
   */
  read(texts: readonly string[], voiceId: string, onEnd: (end: ReadingEnd) => void): () => void;
}

/** Null where the system cannot read aloud. */
export function systemSpeech(): Speech | null {
  if (!('speechSynthesis' in globalThis)) return null;
  const synthesis = globalThis.speechSynthesis;
  const local = (): SpeechSynthesisVoice[] =>
    synthesis.getVoices().filter(({ localService }) => localService === true);
  return {
    voices: () =>
      local().map(({ voiceURI, lang, default: isDefault }) => ({
        ...{ id: voiceURI, language: lang.replaceAll('_', '-'), isDefault },
      })),
    onVoices: (listener) => {
      synthesis.addEventListener('voiceschanged', listener);
      return () => synthesis.removeEventListener('voiceschanged', listener);
    },
    read: (texts, voiceId, onEnd) => readAll(synthesis, texts, { local, voiceId, onEnd }),
  };
}

function readAll(
  synthesis: SpeechSynthesis,
  texts: readonly string[],
  {
    local,
    voiceId,
    onEnd,
  }: {
    readonly local: () => readonly SpeechSynthesisVoice[];
    readonly voiceId: string;
    readonly onEnd: (end: ReadingEnd) => void;
  },
): () => void {
  let isOver = false;
  const close = (): void => {
    isOver = true;
    removeEventListener('pagehide', stop);
  };
  const stop = (): void => {
    if (isOver) return;
    close();
    synthesis.cancel();
  };
  const finish = (end: ReadingEnd): void => {
    if (isOver) return;
    close();
    onEnd(end);
  };
  const readFrom = (place: number): void => {
    if (isOver) return;
    const text = texts[place];
    if (text === undefined) {
      finish('done');
      return;
    }
    // Without a voice of its own, the system could choose one that sends the text to its maker.
    const voice = local().find(({ voiceURI }) => voiceURI === voiceId);
    if (voice === undefined) {
      finish('failed');
      return;
    }
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.voice = voice;
    utterance.lang = voice.lang;
    utterance.onend = () => readFrom(place + 1);
    utterance.onerror = () => finish('failed');
    synthesis.speak(utterance);
  };
  addEventListener('pagehide', stop);
  readFrom(0);
  return stop;
}
