import type { ClipboardEvent, KeyboardEvent, ReactNode, Ref, SyntheticEvent } from 'react';

interface GrowingTextareaProps {
  readonly value: string;
  readonly label: string;
  readonly describedBy: string;
  readonly placeholder: string;
  readonly disabled: boolean;
  /** The list over it, while there is one. */
  readonly list: { readonly listId: string; readonly activeId: string | undefined } | null;
  readonly onChange: (event: SyntheticEvent<HTMLTextAreaElement>) => void;
  /** The caret moved, or something else is selected. */
  readonly onCaret: (event: SyntheticEvent<HTMLTextAreaElement>) => void;
  readonly onLeave: () => void;
  /** Gets each key first; true if it was meant for something else than the text. */
  readonly onKey: (event: KeyboardEvent) => boolean;
  readonly onSubmit: () => void;
  readonly onPaste: (event: ClipboardEvent) => void;
  readonly ref: Ref<HTMLTextAreaElement>;
}

/** As high as its text (by `field-sizing`). Enter submits, but not while an input method composes. */
export function GrowingTextarea(props: GrowingTextareaProps): ReactNode {
  const { value, label, describedBy, placeholder, disabled, list, ref } = props;
  const pressKey = (event: KeyboardEvent): void => {
    // 229 is what older input methods send in place of `isComposing`.
    const composing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (composing || props.onKey(event) || event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <textarea
      ref={ref}
      className="composer-input"
      rows={1}
      value={value}
      aria-label={label}
      aria-describedby={describedBy}
      aria-autocomplete="list"
      aria-controls={list?.listId}
      aria-activedescendant={list?.activeId}
      placeholder={placeholder}
      readOnly={disabled}
      onChange={props.onChange}
      onSelect={props.onCaret}
      onBlur={props.onLeave}
      onKeyDown={pressKey}
      onPaste={props.onPaste}
    />
  );
}
