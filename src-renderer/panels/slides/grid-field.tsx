import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import type { GridForm } from '../../store/slide-form.ts';
import { slideStrings } from '../../strings/slides.ts';

const words = slideStrings.form;

/** What a cell is called; row 0 is the header. */
type CellLabel = (row: number, column: number) => string;

interface GridFieldProps {
  readonly name: string;
  readonly grid: GridForm;
  readonly labelOf: CellLabel;
  /** The corner of a chart has no cell: below it are the categories. */
  readonly hasCorner: boolean;
  readonly describedBy: string;
  /** By `row column`, as `SlotProblem` has it. */
  readonly isInvalid: (field: string) => boolean;
  readonly onChange: (grid: GridForm) => void;
}

/** Cells to type into, with a header. Rows and columns can be added and removed. */
export function GridField(props: GridFieldProps): ReactNode {
  const { name, grid, labelOf, hasCorner, describedBy, isInvalid, onChange } = props;
  const { header, rows } = grid;
  const setHeader = (at: number, text: string): void =>
    onChange({ ...grid, header: header.with(at, text) });
  const setCell = (row: number, at: number, text: string): void =>
    onChange({
      ...grid,
      rows: rows.map((cells, one) => (one === row ? cells.with(at, text) : cells)),
    });
  const dropColumn = (at: number): void =>
    onChange({
      header: header.toSpliced(at, 1),
      rows: rows.map((cells) => cells.toSpliced(at, 1)),
    });
  const addColumn = (): void =>
    onChange({ header: [...header, ''], rows: rows.map((cells) => [...cells, '']) });
  const firstColumn = hasCorner ? 1 : 0;
  const cell = (row: number, at: number, text: string, set: (text: string) => void): ReactNode => (
    <input
      className="text-input"
      dir="auto"
      aria-label={labelOf(row, at)}
      aria-describedby={describedBy}
      aria-invalid={isInvalid(`${row} ${at}`)}
      value={text}
      onChange={(event) => set(event.target.value)}
    />
  );
  return (
    <>
      <div className="slide-grid-scroller">
        <table className="slide-grid" aria-label={name}>
          <thead>
            <tr>
              {header.map((text, at) =>
                hasCorner && at === 0 ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
                  <td key={at} />
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
                  <th key={at} scope="col">
                    {cell(0, at, text, (next) => setHeader(at, next))}
                  </th>
                ),
              )}
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
              <tr key={row}>
                {cells.map((text, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
                  <td key={at}>{cell(row + 1, at, text, (next) => setCell(row, at, next))}</td>
                ))}
                <td>
                  <IconButton
                    label={words.dropRow(row + 1)}
                    size="small"
                    aria-disabled={rows.length === 1}
                    onClick={() => {
                      if (rows.length > 1) onChange({ ...grid, rows: rows.toSpliced(row, 1) });
                    }}
                  >
                    <X aria-hidden="true" size={14} />
                  </IconButton>
                </td>
              </tr>
            ))}
            <tr>
              {header.map((_text, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
                <td key={at}>
                  {at >= firstColumn && header.length > firstColumn + 1 && (
                    <IconButton
                      label={words.dropColumn(at + 1 - firstColumn)}
                      size="small"
                      onClick={() => dropColumn(at)}
                    >
                      <X aria-hidden="true" size={14} />
                    </IconButton>
                  )}
                </td>
              ))}
              <td />
            </tr>
          </tbody>
        </table>
      </div>
      <div className="row">
        <Button
          size="small"
          variant="ghost"
          onClick={() => onChange({ ...grid, rows: [...rows, header.map(() => '')] })}
        >
          <Plus aria-hidden="true" size={14} />
          {words.addRow}
        </Button>
        <Button size="small" variant="ghost" onClick={addColumn}>
          <Plus aria-hidden="true" size={14} />
          {words.addColumn}
        </Button>
      </div>
    </>
  );
}
