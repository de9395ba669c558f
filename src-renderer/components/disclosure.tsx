import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { createContext, type ReactNode, useContext, useState } from 'react';

/** What is unfolded, by key: rows of a long list forget their state when they scroll away. */
const DisclosureContext = createContext<Map<string, boolean>>(new Map());

export const DisclosureProvider = DisclosureContext.Provider;

/** A line that opens to more. What is inside is made only when it is open. */
export function Disclosure({
  id,
  className,
  summary,
  children,
  initiallyOpen = false,
}: {
  readonly id: string;
  readonly className: string;
  readonly summary: ReactNode;
  readonly children: () => ReactNode;
  readonly initiallyOpen?: boolean;
}): ReactNode {
  const remembered = useContext(DisclosureContext);
  const [open, setOpen] = useState(remembered.get(id) ?? initiallyOpen);
  const change = (next: boolean): void => {
    remembered.set(id, next);
    setOpen(next);
  };
  return (
    <Collapsible.Root className={className} open={open} onOpenChange={change}>
      <Collapsible.Trigger className="disclosure-trigger">
        {summary}
        <ChevronRight className="disclosure-chevron" aria-hidden="true" size={14} />
      </Collapsible.Trigger>
      <Collapsible.Content className="disclosure-content">
        {open ? children() : null}
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
