import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { createContext, type ReactNode, useContext, useState } from 'react';

/** Open rows of a list: rows lose their own state when they scroll out of sight. */
interface Disclosures {
  /** Open rows, by id. */
  readonly opened: Map<string, boolean>;
  /** Called before a line opens or closes. */
  readonly onToggle: () => void;
}

const DisclosureContext = createContext<Disclosures>({
  opened: new Map(),
  onToggle: () => undefined,
});

export const DisclosureProvider = DisclosureContext.Provider;

/** A line that opens to more. Its content is rendered only while it is open. */
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
  const { opened, onToggle } = useContext(DisclosureContext);
  const [open, setOpen] = useState(opened.get(id) ?? initiallyOpen);
  const change = (next: boolean): void => {
    opened.set(id, next);
    onToggle();
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
