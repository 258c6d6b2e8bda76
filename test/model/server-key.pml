/*
 * One idempotency key on the server: several servers handle deliveries of one intent, die at any
 * point, and are slow enough to outlive their lease.
 *
 *            reserve                       complete
 *   absent ──────────▶ in_progress ────────────────────▶ completed ──▶ pruned
 *                       │ ▲      │                           ▲
 *               release │ │      │ the lease ran out         │ settle: executed,
 *                       ▼ │      ▼ (external)                │ or the old token
 *                    released   unknown ─────────────────────┘
 *                       ▲          │
 *                       └──────────┘ settle: not executed
 *
 * What the handler touches (one of):
 *   ATOMIC      one transaction under a lock that dies with its connection; no lease
 *   STEPS       two steps, each in a transaction that also appends to the record's progress
 *   EXTERNAL    one call to a provider, which no transaction can undo
 *
 * What is decided (the shipped choice is the one without a switch, where there is one):
 *   REEXECUTE   a lease that ran out is granted to the next attempt
 *   DELETE      a sweeper deletes records whose lease ran out
 *               neither: such a record becomes unknown
 *   DOWNKEY     the provider honours a derived key: the same call twice is one effect
 *   RECONCILE   a reconciler looks into unknown records
 *   PRUNE       records are forgotten after their time
 *   FAILOVER    the store may be replaced by a replica that lags; whoever writes waits for it
 *   CHECK_REPLAYS  so does whoever replays
 *
 * Mistakes (each must be found): NO_FENCE, COUNTER_TOKEN, NO_STATE_IN_RELEASE, RELEASE_ON_LOST_ACK,
 * CHECK_THEN_ACT, ERROR_EXECUTES, ANSWER_EARLY, LOST_COMMIT_IS_ROLLBACK, NO_QUIET, QUIET_ONCE,
 * LATE_EVIDENCE, NO_HORIZON, PRUNE_BY_AGE, NO_SKEW (with KEY_AHEAD=3), NO_WAIT.
 *
 * A REACH_… switch turns a good state into an error, to show that it is reached at all.
 */

#ifndef SERVERS
#define SERVERS 2
#endif
#ifndef DELIVERIES
#define DELIVERIES 4
#endif
#ifndef DEATHS
#define DEATHS 2
#endif

mtype:record = { absent, in_progress, released, completed, unknown };

/* ── what the store keeps ─────────────────────────────────────────────────────────────────────── */
mtype:record state = absent;
byte token;              /* of the attempt that holds the record, or held it last */
byte progress;           /* how many steps have finished */
byte stored;             /* the answer: which attempt made it */
bool leaseRanOut;
byte lastToken;          /* tokens are random: no two attempts have the same */

/* ── what the world has seen ──────────────────────────────────────────────────────────────────── */
byte effects;            /* of the call, or of the first step */
byte effects2;           /* of the second step */
byte effectBy;           /* the attempt that a provider with keys answers for */
byte answered;           /* what the first client was told */
bool everCompleted;
bool toldNotExecuted;

/* ── budgets, so that there is an end ─────────────────────────────────────────────────────────── */
byte deliveries;
byte deaths;
byte handling;           /* servers at work on a delivery */
byte acting;             /* those of them that were granted the record, and may still call out */

#define OVER (deliveries >= DELIVERIES && handling == 0)

/* I3: every answer is the first one. I11: none is given before it is stored. */
inline answer(value) {
    if
    :: answered == 0 -> answered = value
    :: else -> skip
    fi;
    assert(answered == value);
    assert(everCompleted)
}

/* I2: it takes effect once. */
inline takeEffect() {
#ifdef DOWNKEY
    if
    :: effects == 0 -> effects = 1
    :: else -> skip
    fi;
#else
    effects++;
#endif
    if
    :: effectBy == 0 -> effectBy = mine
    :: else -> skip
    fi;
    assert(effects <= 1);
    assert(!toldNotExecuted)
}

inline becomeCompleted(value) {
    state = completed;
    stored = value;
    everCompleted = true
}

inline becomeUnknown() {
    state = unknown;
#ifndef QUIET_ONCE
    wasQuiet = false
#endif
}

/* ── time, which only the store's clock tells ─────────────────────────────────────────────────── */
#ifdef PRUNE
#define RETENTION 2
#define SKEW 1
#ifndef KEY_AHEAD
#define KEY_AHEAD 0
#endif
byte now;
byte keepUntil;
#define KEY_EXPIRED (KEY_AHEAD + RETENTION < now)
#else
#define KEY_EXPIRED false
#endif

inline remember() {
#ifdef PRUNE
#ifdef PRUNE_BY_AGE
    keepUntil = now + RETENTION
#else
#ifdef NO_SKEW
    keepUntil = now + RETENTION + SKEW
#else
    keepUntil = (KEY_AHEAD > now -> KEY_AHEAD : now) + RETENTION + SKEW
#endif
#endif
#else
    skip
#endif
}

/* Redis and its kind: what a replica has not got is lost with the master. */
#ifdef FAILOVER
mtype:record replicaState = absent;
byte replicaToken; byte replicaStored; bool failedOver;
#define REPLICATED (failedOver || \
    (replicaState == state && replicaToken == token && replicaStored == stored))
#endif

/* ── the store's atomic decisions ─────────────────────────────────────────────────────────────── */
bool wasQuiet;

inline grant() {
#ifdef COUNTER_TOKEN
    mine = token + 1;
#else
    lastToken++;
    mine = lastToken;
#endif
    token = mine;
    remember();
    state = in_progress;
    leaseRanOut = false;
    done = progress;
    granted = true;
    acting++
}

inline replay() {
#ifdef CHECK_REPLAYS
    if
    :: REPLICATED -> answer(stored)
    :: else -> skip                     /* 503 */
    fi
#else
    answer(stored)
#endif
}

inline decide() {
    if
    :: state == absent && KEY_EXPIRED ->
#ifdef NO_HORIZON
        grant()
#else
        skip                            /* 410: it may have been executed and forgotten */
#endif
    :: state == absent && !KEY_EXPIRED -> grant()
    :: state == released -> grant()
    :: state == completed -> replay()
    :: state == unknown -> skip         /* 409: nobody knows */
    :: state == in_progress && !leaseRanOut -> skip
    :: state == in_progress && leaseRanOut ->
#ifdef REEXECUTE
        grant()
#else
        becomeUnknown()
#endif
    fi
}

#ifdef NO_FENCE
#define HOLDS_RECORD true
#define MAY_COMPLETE true
#else
#define HOLDS_RECORD (state == in_progress && token == mine)
/* A late holder may complete what became unknown meanwhile: nobody else was granted it. */
#define MAY_COMPLETE ((state == in_progress || state == unknown) && token == mine)
#endif

/* ── a server handles one delivery after the other ────────────────────────────────────────────── */
#define DIES atomic { deaths < DEATHS -> deaths++ }

#ifdef ATOMIC

byte lock;                              /* which connection has it; 0 for none */

active [SERVERS] proctype Server() {
    byte mine; bool granted; bool seen;
    do
    :: atomic { deliveries < DELIVERIES -> deliveries++; handling++ };
       granted = false; seen = false;
#ifdef CHECK_THEN_ACT
       seen = (state == completed);
#endif
       atomic {
           if
           :: lock == 0 -> lock = _pid + 1; granted = true
           :: else -> skip              /* 409 at once */
           fi
       };
       if
       :: granted ->
#ifndef CHECK_THEN_ACT
          seen = (state == completed);
#endif
          if
          :: seen ->
             atomic { answer(stored); lock = 0 }
          :: else ->
             atomic { lastToken++; mine = lastToken };
#ifdef ANSWER_EARLY
             atomic { answer(mine) };
#endif
             if
             :: DIES; lock = 0          /* dead connection: rolled back, and unlocked */
             :: lock = 0                /* as above, and the server lives on: 503 */
             :: atomic { takeEffect(); becomeCompleted(mine); lock = 0 };
                if
                :: DIES
                :: true ->              /* the answer to COMMIT is lost */
#ifdef LOST_COMMIT_IS_ROLLBACK
                   atomic { toldNotExecuted = true; assert(effects == 0) }
#else
                   skip                 /* 503: the next attempt reads the record */
#endif
                :: atomic { answer(mine) }
                fi
             fi
          fi
       :: else -> skip
       fi;
       handling--
    :: deliveries >= DELIVERIES -> break
    od
}

#else

active [SERVERS] proctype Server() {
    byte mine; byte done; bool granted; bool last;
    do
    :: atomic { deliveries < DELIVERIES -> deliveries++; handling++ };
       granted = false; mine = 0; done = 0;

       /* reserve */
#ifdef CHECK_THEN_ACT
       if
       :: state == absent -> atomic { grant() }
       :: else -> atomic { decide() }
       fi;
#else
       atomic { decide() };
#endif
       if
       :: true
       :: true ->                       /* the store's answer is lost */
#ifdef ERROR_EXECUTES
          atomic {
              if
              :: !granted && mine == 0 -> lastToken++; mine = lastToken; granted = true; acting++
              :: else -> skip
              fi
          }
#else
          /* 503, and the reservation is given back as well as can be */
          atomic {
              if
              :: granted && HOLDS_RECORD -> state = released
              :: else -> skip
              fi;
              acting = acting - granted;
              granted = false
          }
#endif
       fi;
#ifdef FAILOVER
#ifndef NO_WAIT
       if
       :: atomic { granted && !(REPLICATED && token == mine) -> granted = false; acting-- }  /* 503 */
       :: else -> skip
       fi;
#endif
#endif

       /* execute, and complete */
       if
       :: !granted
       :: atomic { granted && deaths < DEATHS -> deaths++ }
       :: granted ->
#ifdef STEPS
          do
          :: done < 2 ->
             atomic {
                 if
                 :: HOLDS_RECORD ->
                    if
                    :: done == 0 -> takeEffect()
                    :: else -> effects2++; assert(effects2 <= 1)
                    fi;
                    done++;
                    progress = done;
                    if
                    :: done == 2 -> becomeCompleted(mine)
                    :: else -> skip
                    fi
                 :: else -> break       /* fenced out: rolled back */
                 fi
             };
             if
             :: DIES -> break
             :: true
             :: atomic {                /* told to stop, or an error: gives the record back */
                    if
                    :: HOLDS_RECORD ->
                       state = released;
#ifdef COUNTER_TOKEN
                       token = 0        /* a released row is deleted, and the count with it */
#endif
                    :: else -> skip
                    fi
                } -> break
             fi
          :: done == 2 ->
             atomic {
                 if
                 :: state == completed -> answer(stored)
                 :: else -> skip
                 fi
             };
             break
          od
#else
          atomic { takeEffect() };
          if
          :: DIES
          :: true ->
             last = false;
             atomic {
                 if
                 :: MAY_COMPLETE -> becomeCompleted(mine); last = true
                 :: state == completed -> replay()             /* the winner's */
                 :: else -> skip
                 fi
             };
#ifdef FAILOVER
#ifndef NO_WAIT
             if
             :: !REPLICATED -> last = false                    /* 503 instead of an answer */
             :: else -> skip
             fi;
#endif
#endif
             if
             :: last -> atomic { answer(mine) }
             :: true ->                 /* the store's answer is lost: 503, or 409 unknown */
#ifdef RELEASE_ON_LOST_ACK
                atomic {
                    if
#ifdef NO_STATE_IN_RELEASE
                    :: token == mine -> state = released
#else
                    :: HOLDS_RECORD -> state = released
#endif
                    :: else -> skip
                    fi
                }
#else
                skip
#endif
             fi
          fi
#endif
       fi;
       atomic { acting = acting - granted; handling-- }
    :: deliveries >= DELIVERIES -> break
    od
}

/* A lease runs out at any moment: a pause, a slow handler, a dead server. */
active proctype Time() {
    do
    :: atomic { state == in_progress && !leaseRanOut -> leaseRanOut = true }
    /* the sweeper */
#ifdef DELETE
    :: atomic { state == in_progress && leaseRanOut -> state = absent }
#else
#ifdef REEXECUTE
    :: atomic { state == in_progress && leaseRanOut -> state = released }
#else
    :: atomic { state == in_progress && leaseRanOut -> becomeUnknown() }
#endif
#endif
    /* the quiet time of an unknown record passes only when nobody can act on it any more */
    :: atomic { state == unknown && acting == 0 && !wasQuiet -> wasQuiet = true }
    :: OVER -> break
    od
}

#endif

#ifdef RECONCILE
/* Looks at the provider, and settles by what it saw. */
active proctype Reconciler() {
    bool found; bool quietBefore;
    do
    :: state == unknown ->
       atomic { quietBefore = wasQuiet; found = effects > 0 };            /* the look */
       atomic {                                                           /* the settlement */
           if
           :: state == unknown && found -> becomeCompleted(effectBy)
#ifdef NO_QUIET
           :: state == unknown && !found -> state = released
#else
#ifdef LATE_EVIDENCE
           :: state == unknown && !found && wasQuiet -> state = released
#else
           :: state == unknown && !found && wasQuiet && quietBefore -> state = released
#endif
#endif
           :: else -> skip
           fi
       }
    :: OVER -> break
    od
}
#endif

#ifdef PRUNE
active proctype Pruner() {
    do
    :: atomic { now < 6 -> now++ }
    :: atomic { (state == completed || state == released) && keepUntil < now ->
                state = absent; stored = 0; token = 0; progress = 0 }
    :: OVER -> break
    od
}
#endif

#ifdef FAILOVER
active proctype Replica() {
    do
    :: atomic { !failedOver -> replicaState = state; replicaToken = token; replicaStored = stored }
    :: atomic { !failedOver -> failedOver = true;
                state = replicaState; token = replicaToken; stored = replicaStored;
#ifndef EFFECTS_ONLY
                /* I11: what was answered is still known */
                assert(answered == 0 || state == completed)
#endif
              }
    :: OVER -> break
    od
}
#endif

/* ── what must be possible, or the rest proves nothing ────────────────────────────────────────── */
#ifdef REACH_ANSWER
active proctype Reach() { (answered != 0) -> assert(false) }
#endif
#ifdef REACH_TAKEOVER
active proctype Reach() { (state == completed && stored == 3) -> assert(false) }
#endif
#ifdef REACH_UNKNOWN
active proctype Reach() { (state == unknown && effects == 1) -> assert(false) }
#endif
#ifdef REACH_SETTLED
active proctype Reach() { (state == completed && stored == 2 && wasQuiet) -> assert(false) }
#endif
#ifdef REACH_FORGOTTEN
active proctype Reach() { (state == absent && everCompleted && KEY_EXPIRED) -> assert(false) }
#endif
