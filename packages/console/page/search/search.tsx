import { type FormEvent, useState } from 'react';
import type { RecordView } from '../../src/api/record-view.ts';
import type { SearchResult } from '../../src/api/search.ts';
import { post } from '../api/ask.ts';
import { useSession } from '../api/use-session.ts';
import { Problem } from '../parts/problem.tsx';
import { RecordLink } from '../parts/record-link.tsx';
import { State } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { openNamed } from '../routes.ts';
import { fullTime } from '../words/times.ts';

/** Finds a record by its key, which is sent and never becomes part of an address. */
export function Search() {
  const { hasLists } = useSession();
  const [found, setFound] = useState<readonly RecordView[]>();
  const [error, setError] = useState<unknown>();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [key, scope] = ['key', 'scope'].map((name) => form.get(name) as string) as [
      string,
      string,
    ];
    setError(undefined);
    setFound(undefined);
    try {
      const { records } = await post<SearchResult>('search', {
        key,
        ...(scope === '' ? {} : { scope }),
      });
      const [record, ...others] = records;
      if (record?.recordId !== undefined && others.length === 0) {
        location.hash = `#/record/${record.recordId}`;
      } else if (record && !hasLists) openNamed({ key, scope: record.scope });
      else setFound(records);
    } catch (caught) {
      setError(caught);
    }
  };

  return (
    <>
      <form className="search" onSubmit={(event) => void submit(event)}>
        <label>
          {hasLists ? 'Key, or the id of a record' : 'Key'}
          <input name="key" required maxLength={255} autoComplete="off" spellCheck={false} />
        </label>
        <label>
          {hasLists ? 'Scope, if several have it' : 'Scope'}
          <input
            name="scope"
            required={!hasLists}
            maxLength={1_000}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <button type="submit" className="primary">
          Find
        </button>
      </form>
      {error !== undefined && <Problem error={error} />}
      <div role="status">
        {found && (
          <Table
            caption="Several scopes have this key"
            columns={[
              { title: 'key' },
              { title: 'scope' },
              { title: 'operation' },
              { title: 'state' },
              { title: 'minted' },
            ]}
            rows={found.map((record, index) => ({
              id: record.recordId ?? String(index),
              cells: [
                <RecordLink key="key" record={record} />,
                <Text key="scope">{record.scope}</Text>,
                <Text key="operation">{record.operation}</Text>,
                <State key="state">{record.state}</State>,
                record.mintedAt === null ? 'an opaque key has no time' : fullTime(record.mintedAt),
              ],
            }))}
            empty="There is no record of this key. It may never have arrived, be past its retention, or belong to an atomic mutation that has not committed."
          />
        )}
      </div>
    </>
  );
}
