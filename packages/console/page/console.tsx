import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Session } from '../src/api/session.ts';
import { session as askSession } from './api/ask.ts';
import { SessionContext } from './api/use-session.ts';
import { Jobs } from './jobs/jobs.tsx';
import { Overview } from './overview/overview.tsx';
import { Header } from './parts/header.tsx';
import { Problem } from './parts/problem.tsx';
import { RecordPage } from './record/record-page.tsx';
import { type Route, useRoute } from './routes.ts';
import { Search } from './search/search.tsx';
import { Trail } from './trail/trail.tsx';
import { Unknown } from './unknown/unknown.tsx';

/** The operator's page: one view at a time, below a header that is always there. */
export function Console() {
  const [session, setSession] = useState<Session>();
  const [error, setError] = useState<unknown>();
  useEffect(() => void askSession().then(setSession, setError), []);
  if (error !== undefined) {
    return (
      <main>
        <h1>onceward console</h1>
        <Problem error={error} />
      </main>
    );
  }
  if (!session) return null;
  return (
    <SessionContext value={session}>
      <Views />
    </SessionContext>
  );
}

function Views() {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${titles[route.view]} · onceward console`;
    // Whoever followed a link with a keyboard or a screen reader goes on where it led.
    if (!isFirst.current) main.current?.querySelector('h1')?.focus();
    isFirst.current = false;
  }, [route]);
  return (
    <>
      <a className="skip" href="#main" onClick={(event) => skip(event, main.current)}>
        Skip to the content
      </a>
      <Header view={route.view} />
      <main id="main" ref={main} tabIndex={-1}>
        <h1 tabIndex={-1}>{titles[route.view]}</h1>
        {viewOf(route)}
      </main>
    </>
  );
}

/** An address of its own would be a route. */
function skip(event: { preventDefault(): void }, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

const titles: Readonly<Record<Route['view'], string>> = {
  overview: 'Overview',
  unknown: 'Unknown outcomes',
  jobs: 'Outbox',
  search: 'Find a key',
  trail: 'Audit trail',
  record: 'One record',
};

function viewOf(route: Route): ReactNode {
  switch (route.view) {
    case 'overview':
      return <Overview />;
    case 'unknown':
      return <Unknown />;
    case 'jobs':
      return <Jobs />;
    case 'search':
      return <Search />;
    case 'trail':
      return <Trail />;
    case 'record':
      return <RecordPage key={JSON.stringify(route.reference)} reference={route.reference} />;
  }
}
