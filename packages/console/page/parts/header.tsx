import { setPaused, usePaused } from '../api/paused.ts';
import { useSession } from '../api/use-session.ts';
import type { Route } from '../routes.ts';
import { Text } from './text.tsx';

const views = [
  ['overview', 'Overview'],
  ['unknown', 'Unknown'],
  ['jobs', 'Outbox'],
  ['search', 'Find'],
  ['trail', 'Audit'],
] as const;

/** Who one is, where one is, and whether the page keeps itself up to date. */
export function Header({ view }: { view: Route['view'] }) {
  const { operator, store } = useSession();
  const paused = usePaused();
  return (
    <header>
      <p className="brand">
        <strong>onceward</strong> console
      </p>
      <nav aria-label="Views">
        <ul>
          {views.map(([name, title]) => (
            <li key={name}>
              <a href={`#/${name}`} aria-current={view === name ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <p className="who">
        <span>
          <Text>{operator}</Text>
          <span className="where"> on {store}</span>
        </span>
        <button
          type="button"
          className="small"
          aria-pressed={paused}
          onClick={() => setPaused(!paused)}
        >
          Pause
        </button>
      </p>
    </header>
  );
}
