import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { copyText } from '../bridge/clipboard.ts';
import { useSession } from '../session-context.ts';
import { appStrings } from '../strings/app.ts';
import { useAnnounce } from './announcer.tsx';
import { IconButton } from './button.tsx';

const CONFIRMED_MS = 1500;

/** Copies the result of `text`, called when the button is pressed; with null, which was explained, nothing. */
export function CopyButton({
  label,
  text,
}: {
  readonly label: string;
  readonly text: () => string | Promise<string | null>;
}): ReactNode {
  const session = useSession();
  const announce = useAnnounce();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    const wanted = await text();
    if (wanted === null) return;
    if (await copyText(wanted)) {
      setCopied(true);
      announce(appStrings.copied);
    } else session.showError(appStrings.copyFailed);
  };
  return (
    <IconButton label={copied ? appStrings.copied : label} size="small" onClick={copy}>
      {copied ? <Check aria-hidden="true" size={14} /> : <Copy aria-hidden="true" size={14} />}
    </IconButton>
  );
}
