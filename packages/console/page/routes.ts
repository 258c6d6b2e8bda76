import { useEffect, useState } from 'react';

/** What the page shows. Addresses hold ids of records, never keys. */
export type Route =
  | { readonly view: 'overview' | 'unknown' | 'jobs' | 'search' | 'trail' }
  | { readonly view: 'record'; readonly reference: RecordReference };

/** How a record is asked for: by its id, or by its name where the store has no ids. */
export type RecordReference =
  { readonly recordId: string } | { readonly key: string; readonly scope: string };

export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const follow = () => setRoute(routeOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}

/** Goes to a record whose name must not be in an address. A reload forgets it. */
export function openNamed(reference: RecordReference): void {
  named = reference;
  location.hash = '#/record/named';
}

let named: RecordReference | undefined;

function routeOf(hash: string): Route {
  const [, view = '', id = ''] = hash.split('/');
  if (view === 'record' && id === 'named' && named) return { view, reference: named };
  if (view === 'record' && /^[0-9a-f-]{36}$/.test(id)) return { view, reference: { recordId: id } };
  const known = (['unknown', 'jobs', 'search', 'trail'] as const).find((name) => name === view);
  return { view: known ?? 'overview' };
}
