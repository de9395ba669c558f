import { CircleAlert, Info, X } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useApp, useSession } from '../session-context.ts';
import type { Toast } from '../store/app-state.ts';
import { appStrings } from '../strings/app.ts';
import { IconButton } from './button.tsx';

/** An error stays long enough to be read and copied. */
const SHOWN_MS = { info: 7_000, error: 20_000 } as const;

export function Toasts(): ReactNode {
  const toasts = useApp((state) => state.toasts);
  return (
    <section className="toasts" aria-label={appStrings.notifications}>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast }: { readonly toast: Toast }): ReactNode {
  const session = useSession();
  const { id, tone, text } = toast;
  useEffect(() => {
    const timer = setTimeout(() => session.dismissToast(id), SHOWN_MS[tone]);
    return () => clearTimeout(timer);
  }, [session, id, tone]);
  const Icon = tone === 'error' ? CircleAlert : Info;
  return (
    <div className="toast" data-tone={tone} role={tone === 'error' ? 'alert' : 'status'}>
      <Icon aria-hidden="true" size={16} />
      <p>{text}</p>
      <IconButton label={appStrings.dismiss} size="small" onClick={() => session.dismissToast(id)}>
        <X aria-hidden="true" size={14} />
      </IconButton>
    </div>
  );
}
