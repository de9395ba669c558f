import type { ClipboardEvent, KeyboardEvent, ReactNode, Ref } from 'react';

interface GrowingTextareaProps {
  readonly value: string;
  readonly label: string;
  readonly describedBy: string;
  readonly placeholder: string;
  readonly disabled: boolean;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
  readonly onPaste: (event: ClipboardEvent) => void;
  readonly ref: Ref<HTMLTextAreaElement>;
}

/** As high as its text (by `field-sizing`). Enter submits, but not while an input method composes. */
export function GrowingTextarea(props: GrowingTextareaProps): ReactNode {
  const { value, label, describedBy, placeholder, disabled, ref } = props;
  const pressKey = (event: KeyboardEvent): void => {
    // 229 is what older input methods send in place of `isComposing`.
    const composing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (event.key !== 'Enter' || event.shiftKey || composing) return;
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
      placeholder={placeholder}
      readOnly={disabled}
      onChange={(event) => props.onChange(event.target.value)}
      onKeyDown={pressKey}
      onPaste={props.onPaste}
    />
  );
}
