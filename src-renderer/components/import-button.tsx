import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';

/** Lets the user pick a file, of the kinds in `accept`, or a folder with all its files. */
export function ImportButton({
  label,
  icon: Icon,
  size = 'medium',
  accept = '.json,application/json',
  isFolder = false,
  onFiles,
}: {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly size?: 'medium' | 'small';
  readonly accept?: string;
  readonly isFolder?: boolean;
  /** Never empty. */
  readonly onFiles: (files: readonly [File, ...File[]]) => void;
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
        {...(isFolder ? { webkitdirectory: '' } : { accept })}
        hidden
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          const [file, ...more] = event.target.files ?? [];
          if (file !== undefined) onFiles([file, ...more]);
          // The same file may be picked again.
          event.target.value = '';
        }}
      />
    </>
  );
}
