import type { ReactNode } from 'react';
import type { ParsedTable } from '../../store/parse-table.ts';

/** Bounded: a long cell of digits would take the square of its length. */
const NUMBER = /^[-+]?[\d.,' ]{0,40}\d[\d.,' ]{0,40}%?$/;

export function TableView({ table }: { readonly table: ParsedTable }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="table-view" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {table.header.map((name, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may have the same name
              <th key={index} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name but their place
            <tr key={index}>
              {row.map((value, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no name but their place
                <td key={column} data-number={NUMBER.test(value)}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
