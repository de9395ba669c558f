import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { Children, isValidElement, type ReactElement, type ReactNode, useState } from 'react';
import { type SortOrder, sortedBy, toCsv } from '../../formatting/table-cells.ts';
import { chatStrings } from '../../strings/chat.ts';
import { CopyButton } from '../copy-button.tsx';

type Element = ReactElement<Record<string, unknown> & { readonly children?: ReactNode }>;

/** A table of an answer: a press on the head of a column sorts by it, and all of it can be copied as CSV. */
export function AnswerTable({ children }: { readonly children: ReactNode }): ReactNode {
  const [order, setOrder] = useState<SortOrder | null>(null);
  const [head, ...bodies] = elementsOf(children).map((part) => elementsOf(part.props.children));
  const [titles] = head ?? [];
  const columns = elementsOf(titles?.props.children);
  const rows = bodies.flat();
  const cells = rows.map((row) => elementsOf(row.props.children).map(textOf));
  const shown = order === null ? rows : sortedBy(rows, cells, order);
  return (
    <div className="answer-table">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="table-scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map(({ props: { children: title, ...rest } }, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no name but their place
                <th key={column} {...rest} scope="col" aria-sort={stateOf(order, column)}>
                  {rows.length < 2 ? (
                    title
                  ) : (
                    <SortButton
                      title={title}
                      state={stateOf(order, column)}
                      onPress={() => setOrder(nextOrder(order, column))}
                    />
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{shown}</tbody>
        </table>
      </div>
      {rows.length > 0 && (
        <div className="table-tools">
          <CopyButton
            label={chatStrings.copyTable}
            text={() => toCsv([columns.map(textOf), ...cells])}
          />
        </div>
      )}
    </div>
  );
}

type SortState = 'ascending' | 'descending' | 'none';

function SortButton({
  title,
  state,
  onPress,
}: {
  readonly title: ReactNode;
  readonly state: SortState;
  readonly onPress: () => void;
}): ReactNode {
  const Icon = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown }[state];
  return (
    <span className="table-title">
      {title}
      <button
        type="button"
        className="table-sort"
        aria-label={chatStrings.sortBy(textOf(title))}
        onClick={onPress}
      >
        <Icon aria-hidden="true" size={13} />
      </button>
    </span>
  );
}

function stateOf(order: SortOrder | null, column: number): SortState {
  if (order?.column !== column) return 'none';
  return order.descending ? 'descending' : 'ascending';
}

/** Up, then down, then as it was written. */
function nextOrder(order: SortOrder | null, column: number): SortOrder | null {
  if (order?.column !== column) return { column, descending: false };
  return order.descending ? null : { column, descending: true };
}

function elementsOf(children: ReactNode): Element[] {
  return Children.toArray(children).filter((one): one is Element => isValidElement(one));
}

/** The words of an element, whatever draws them. */
function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement<{ readonly children?: ReactNode }>(node) ? textOf(node.props.children) : '';
}
