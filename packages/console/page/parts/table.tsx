import type { ReactNode } from 'react';

export interface Column {
  readonly title: string;
  /** Numbers are compared by their last digit. */
  readonly align?: 'right';
}

export interface Row {
  readonly id: string;
  readonly cells: readonly ReactNode[];
}

/**
 * A table on a desk, and a list of cards on a phone. The roles are said in words, because a table
 * that is not laid out as one is none for a screen reader.
 */
export function Table({
  caption,
  columns,
  rows,
  empty,
}: {
  caption: string;
  columns: readonly Column[];
  /** `undefined`: nobody knows yet. */
  rows: readonly Row[] | undefined;
  /** What it means that there is nothing. */
  empty: string;
}) {
  if (!rows) return <p className="note">Asking …</p>;
  if (rows.length === 0) return <p className="note">{empty}</p>;
  return (
    <table role="table">
      <caption>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, align }) => (
            <th key={title} role="columnheader" scope="col" data-align={align}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(({ id, cells }) => (
          <tr key={id} role="row">
            {columns.map(({ title, align }, at) => (
              <td key={title} role="cell" data-label={title} data-align={align}>
                {cells[at]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
