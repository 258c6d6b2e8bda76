import { useSession } from '../api/use-session.ts';

/** Said instead of an empty list: this store has no such thing. */
export function NotAvailable({ what }: { what: string }) {
  const { store } = useSession();
  return (
    <p className="note">
      The store <strong>{store}</strong> cannot tell {what}. PostgreSQL can.
    </p>
  );
}
