import { createContext, useContext } from 'react';
import type { Session } from '../../src/api/session.ts';

export const SessionContext = createContext<Session | undefined>(undefined);

/** Who the operator is. Only below the console, which asks for it first. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session above this');
  return session;
}
