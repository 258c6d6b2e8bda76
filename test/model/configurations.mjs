/**
 * What a run of the model checker is to show.
 *
 * - `holds`: no order of events, up to the budgets in the model, breaks an assertion.
 * - `reached`: a good state can be reached, so that what holds does not hold for want of events.
 * - anything else: the assertion that a mistake must break.
 *
 * @typedef {'holds' | 'reached'
 *   | 'takes effect twice' | 'unequal answers' | 'answered before it is stored'
 *   | 'answer forgotten' | 'called undone, and is done' | 'nobody is told'
 *   | 'sent for another user'} Verdict
 */

/**
 * @typedef {object} Configuration
 * @property {string} id
 * @property {string} what in words
 * @property {'server-key.pml' | 'client-journal.pml'} model
 * @property {string} switches of the model, without `-D`
 * @property {Verdict} expected
 */

/** @type {[id: string, expected: Verdict, switches: string, what: string][]} */
const server = [
  ['A1', 'holds', 'ATOMIC', 'atomic: lock, read, effect and completion in one commit'],
  ['A2', 'reached', 'ATOMIC REACH_ANSWER', 'atomic: it is answered'],
  [
    'A3',
    'takes effect twice',
    'ATOMIC CHECK_THEN_ACT',
    'atomic: the record is read before the lock',
  ],
  [
    'A4',
    'answered before it is stored',
    'ATOMIC ANSWER_EARLY',
    'atomic: answered before the commit',
  ],
  [
    'A5',
    'called undone, and is done',
    'ATOMIC LOST_COMMIT_IS_ROLLBACK',
    'atomic: a lost answer to COMMIT is taken for a rollback',
  ],
  ['S1', 'holds', 'STEPS REEXECUTE', 'steps: a stale lease is granted to the next attempt'],
  ['S2', 'reached', 'STEPS REEXECUTE REACH_TAKEOVER', 'steps: the third attempt finishes'],
  ['S3', 'holds', 'STEPS DELETE', 'steps: stale records are deleted, tokens are random'],
  ['S4', 'takes effect twice', 'STEPS REEXECUTE NO_FENCE', 'steps: nobody asks for the token'],
  [
    'S5',
    'takes effect twice',
    'STEPS REEXECUTE COUNTER_TOKEN',
    'steps: tokens count from one again',
  ],
  ['S6', 'holds', 'STEPS REEXECUTE CHECK_THEN_ACT', 'steps: the fence also mends a torn reserve'],
  ['E1', 'holds', 'EXTERNAL', 'external: a stale lease makes the record unknown'],
  ['E2', 'reached', 'EXTERNAL REACH_UNKNOWN', 'external: unknown, and it did take effect'],
  ['E3', 'takes effect twice', 'EXTERNAL REEXECUTE', 'external: a stale lease is granted again'],
  ['E4', 'takes effect twice', 'EXTERNAL DELETE', 'external: stale records are deleted'],
  ['E5', 'takes effect twice', 'EXTERNAL CHECK_THEN_ACT', 'external: reserve reads, then writes'],
  [
    'E6',
    'takes effect twice',
    'EXTERNAL ERROR_EXECUTES',
    'external: executes when the store fails',
  ],
  [
    'E7',
    'holds',
    'EXTERNAL RELEASE_ON_LOST_ACK',
    'external: a needless release, which asks for the state',
  ],
  [
    'E8',
    'takes effect twice',
    'EXTERNAL RELEASE_ON_LOST_ACK NO_STATE_IN_RELEASE',
    'external: the same, and release asks for the token alone',
  ],
  ['D1', 'holds', 'EXTERNAL DOWNKEY REEXECUTE', 'derived keys: a stale lease may be granted again'],
  [
    'D2',
    'unequal answers',
    'EXTERNAL DOWNKEY REEXECUTE NO_FENCE',
    'derived keys: nobody asks for the token',
  ],
  ['R1', 'holds', 'EXTERNAL RECONCILE', 'reconciler: absence counts after a quiet time'],
  [
    'R2',
    'reached',
    'EXTERNAL RECONCILE REACH_SETTLED',
    'reconciler: settled, executed and completed',
  ],
  ['R3', 'takes effect twice', 'EXTERNAL RECONCILE NO_QUIET', 'reconciler: absence counts at once'],
  [
    'R4',
    'takes effect twice',
    'EXTERNAL RECONCILE QUIET_ONCE',
    'reconciler: the quiet time of an earlier attempt',
  ],
  [
    'R5',
    'takes effect twice',
    'EXTERNAL RECONCILE LATE_EVIDENCE',
    'reconciler: looked before it was quiet',
  ],
  ['H1', 'holds', 'EXTERNAL PRUNE', 'horizon: a key that may be forgotten is refused'],
  ['H2', 'reached', 'EXTERNAL PRUNE REACH_FORGOTTEN', 'horizon: a completed key is forgotten'],
  ['H3', 'takes effect twice', 'EXTERNAL PRUNE NO_HORIZON', 'horizon: there is none'],
  ['H4', 'holds', 'EXTERNAL PRUNE KEY_AHEAD=1', 'horizon: a clock that is ahead'],
  [
    'H5',
    'takes effect twice',
    'EXTERNAL PRUNE KEY_AHEAD=1 PRUNE_BY_AGE',
    'horizon: pruned by the age of the row',
  ],
  [
    'H6',
    'holds',
    'EXTERNAL PRUNE KEY_AHEAD=1 NO_SKEW',
    'horizon: by the age of the row and the skew',
  ],
  [
    'H7',
    'takes effect twice',
    'EXTERNAL PRUNE KEY_AHEAD=3 NO_SKEW',
    'horizon: the same, and no bound for clocks',
  ],
  ['F1', 'holds', 'EXTERNAL FAILOVER EFFECTS_ONLY', 'fail-over: one effect while WAIT succeeds'],
  [
    'F2',
    'takes effect twice',
    'EXTERNAL FAILOVER EFFECTS_ONLY NO_WAIT',
    'fail-over: nobody waits for a replica',
  ],
  [
    'F3',
    'answer forgotten',
    'EXTERNAL FAILOVER',
    'fail-over: a replay does not wait for a replica',
  ],
  ['F4', 'holds', 'EXTERNAL FAILOVER CHECK_REPLAYS', 'fail-over: replays wait for a replica too'],
];

/** @type {typeof server} */
const journal = [
  ['J1', 'holds', '', 'written down, sent, told, removed'],
  ['J2', 'reached', 'REACH_TOLD', 'told after two deaths'],
  ['J3', 'holds', 'PAGES=2', 'two tabs deliver one journal'],
  ['J4', 'takes effect twice', 'SEND_FIRST', 'sent before it is written down'],
  ['J5', 'nobody is told', 'REMOVE_FIRST', 'removed before anybody is told'],
  ['J6', 'takes effect twice', 'NEW_KEY_ON_TIMEOUT', 'another key after a timeout'],
  ['J7', 'holds', 'OLD_KEYS PAGES=2', 'old keys: replaced if unsent, else unresolved'],
  ['J8', 'reached', 'OLD_KEYS REACH_FRESH_KEY', 'old keys: told under a fresh one'],
  ['J9', 'takes effect twice', 'OLD_KEYS UNMARKED', 'old keys: not marked before it is sent'],
  [
    'J10',
    'takes effect twice',
    'OLD_KEYS NO_DEADLINE',
    'old keys: sent, and the server has no horizon',
  ],
  ['J11', 'holds', 'TWO_USERS PAGES=2', 'two users: each sends their own'],
  ['J12', 'sent for another user', 'TWO_USERS ANY_USER', 'two users: nobody asks who is signed in'],
];

/** @type {Configuration[]} */
export const configurations = [
  ...server.map(([id, expected, switches, what]) => ({
    ...{ id, expected, switches, what },
    model: /** @type {const} */ ('server-key.pml'),
  })),
  ...journal.map(([id, expected, switches, what]) => ({
    ...{ id, expected, switches, what },
    model: /** @type {const} */ ('client-journal.pml'),
  })),
];
