import { ChevronRight } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { entriesOf, type JsonNode } from '../../store/json-tree.ts';
import { computerStrings } from '../../strings/computer.ts';
import '../../styles/json-view.css';

/** Entries that are shown at first, and with each press for more. */
const ENTRIES_AT_ONCE = 100;
/** A longer value is cut: its whole is in the text. */
const LONGEST_VALUE = 2_000;

/** JSON as a tree; only what is open is read and drawn. */
export function JsonView({
  text,
  root,
}: {
  readonly text: string;
  readonly root: JsonNode;
}): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="json-view" tabIndex={0}>
      <ul className="json-entries">
        <Entry text={text} node={root} isOpen />
      </ul>
    </div>
  );
}

interface EntryProps {
  readonly text: string;
  readonly node: JsonNode;
}

function Entry({
  text,
  node,
  isOpen = false,
}: EntryProps & { readonly isOpen?: boolean }): ReactNode {
  const [open, setOpen] = useState(isOpen);
  const { name, kind, size } = node;
  const label = name !== null && (
    <>
      <bdi className="json-name">{cut(name)}</bdi>
      {': '}
    </>
  );
  if (kind === 'value') {
    return (
      <li className="json-entry">
        {label}
        <Value text={text} node={node} />
      </li>
    );
  }
  return (
    <li className="json-entry" data-nested>
      <button
        type="button"
        className="json-toggle"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight aria-hidden="true" size={13} className="folder-chevron" />
        <span>
          {label}
          <span className="muted">
            {kind === 'object' ? computerStrings.jsonObject(size) : computerStrings.jsonList(size)}
          </span>
        </span>
      </button>
      {open && size > 0 && <Entries text={text} node={node} />}
    </li>
  );
}

function Entries({ text, node }: EntryProps): ReactNode {
  const [count, setCount] = useState(ENTRIES_AT_ONCE);
  const entries = useMemo(() => entriesOf(text, node, count), [text, node, count]);
  const left = node.size - entries.length;
  return (
    <ul className="json-entries">
      {entries.map((entry) => (
        <Entry key={entry.start} text={text} node={entry} />
      ))}
      {left > 0 && (
        <li>
          <Button
            size="small"
            variant="ghost"
            onClick={() => setCount(count + Math.max(ENTRIES_AT_ONCE, count))}
          >
            {computerStrings.jsonMore(left)}
          </Button>
        </li>
      )}
    </ul>
  );
}

function Value({ text, node: { start, end } }: EntryProps): ReactNode {
  const kind = text[start] === '"' ? 'string' : /[-\d]/.test(text[start] ?? '') ? 'number' : 'word';
  return (
    <bdi className="json-value" data-kind={kind}>
      {cut(text.slice(start, Math.min(end, start + LONGEST_VALUE + 1)))}
    </bdi>
  );
}

function cut(value: string): string {
  return value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value;
}
