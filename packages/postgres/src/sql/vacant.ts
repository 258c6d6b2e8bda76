import { clock } from './clock.ts';
import { state } from './state.ts';

/**
 * That a record may be executed by the next attempt.
 *
 * Asked again in the statement that takes it: a lease may have been renewed since it was seen. The
 * policy of the request is not asked here; whoever comes this far has one that allows it.
 */
export const vacant = `(state = ${state.released}
         or (state = ${state.inProgress} and lease_expires_at <= ${clock} and re_executable))`;
