import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';

/** Lets the user pick a JSON file. */
export function ImportButton({
  label,
  icon: Icon,
  size = 'medium',
  onFile,
}: {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly size?: 'medium' | 'small';
  readonly onFile: (file: File) => void;
}): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size={size} onClick={() => picker.current?.click()}>
        <Icon aria-hidden="true" size={14} />
        {label}
      </Button>
      <input
        ref={picker}
        type="file"
        accept=".json,application/json"
        hidden
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) onFile(file);
          // The same file may be picked again.
          event.target.value = '';
        }}
      />
    </>
  );
}
