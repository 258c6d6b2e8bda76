/*
 * One thing a person wants, from the click to the moment they know: pages that write it down, send
 * it, are told the answer and die at any point; a server that executes each key once.
 *
 *   click ──▶ written down ──▶ marked as sent ──▶ sent ──▶ answer written ──▶ told ──▶ removed
 *                                   ▲              │
 *                                   └── waits ◀────┘
 *
 * The person clicks again only when a page shows neither the intent nor its outcome.
 *
 * Switches:
 *   PAGES=n       how many tabs share the journal
 *   OLD_KEYS      time passes, and the server forgets keys and refuses what may be forgotten
 *   TWO_USERS     another user may sign in on the same device
 *
 * Mistakes (each must be found): SEND_FIRST, REMOVE_FIRST, NEW_KEY_ON_TIMEOUT, UNMARKED, NO_DEADLINE,
 * ANY_USER.
 *
 * A REACH_… switch turns a good state into an error, to show that it is reached at all.
 */

#ifndef PAGES
#define PAGES 1
#endif
#define KEYS 4
#define SENDS 4
#define CLICKS 2
#define DEATHS 2

mtype:row = { none, queued, sent, settled };

/* ── on the device, durable ───────────────────────────────────────────────────────────────────── */
mtype:row row = none;
byte key;
bool told;               /* the application knows how it ended */

/* ── the server ───────────────────────────────────────────────────────────────────────────────── */
bool executed[KEYS];
byte effects;
bool keyIsOld;           /* too old to be sent; the server may forget it soon */
bool forgotten;          /* the server knows nothing of the first key any more */

/* ── the rest of the world ────────────────────────────────────────────────────────────────────── */
byte nextKey = 1;
byte sends; byte clicks; byte deaths;
bool sentByOther;        /* J8: one user's intent went out with another's session */
bool signedOut;

#define DIES atomic { deaths < DEATHS -> deaths++ }

/* J2, J5: whatever happens, one intent has one effect. */
inline arrive(k) {
    atomic {
        if
        :: forgotten && k == 1 ->
#ifdef NO_DEADLINE
           effects++                    /* the server has no horizon either: it executes again */
#else
           skip                         /* 410 */
#endif
        :: else ->
           if
           :: !executed[k] -> executed[k] = true; effects++
           :: else -> skip              /* a replay */
           fi
        fi;
        assert(effects <= 1)
    }
}

inline mint(into) {
    into = nextKey;
    nextKey++
}

active [PAGES] proctype Page() {
    byte k; bool heard;
opened:
    k = 0; heard = false;
    do
    :: told -> break

    /* a click, where nothing is pending */
    :: atomic { !told && row == none && clicks < CLICKS && nextKey < KEYS -> clicks++; mint(k) };
#ifdef SEND_FIRST
       arrive(k);
#endif
       if
       :: DIES; goto opened             /* nothing was written, and nothing sent */
       :: true
       fi;
       /* Two pages that were clicked for one intent join. */
       atomic {
           if
           :: row == none && !told -> row = queued; key = k
           :: else -> skip
           fi
       }

    /* an attempt: of what was clicked here, or what another page has left */
    :: atomic { !told && (row == queued || row == sent) && sends < SENDS -> sends++ };
#ifdef OLD_KEYS
       atomic {
           if
           :: keyIsOld && row == queued && nextKey < KEYS ->
              mint(key); keyIsOld = false          /* no server has seen it: a fresh key is safe */
#ifndef NO_DEADLINE
           :: keyIsOld && row == sent -> goto unresolved
#endif
           :: else -> skip
           fi
       };
#endif
#ifdef TWO_USERS
#ifndef ANY_USER
       if
       :: signedOut -> goto opened
       :: else -> skip
       fi;
#endif
#endif
       atomic {
           k = key;
#ifndef UNMARKED
           if
           :: row == queued -> row = sent
           :: else -> skip
           fi
#endif
       };
       if
       :: DIES; goto opened
       :: true
       fi;
#ifdef TWO_USERS
       /* Writing takes its time: who is signed in is asked again before a byte leaves. */
       atomic {
           if
#ifndef ANY_USER
           :: signedOut -> goto opened
#endif
           :: else -> sentByOther = signedOut
           fi;
           assert(!sentByOther)
       };
#endif
       heard = false;
       if
       :: true -> arrive(k); heard = true
       :: true -> arrive(k)             /* the answer is lost */
       :: true                          /* the request is lost */
       fi;
       if
       :: DIES; goto opened
       :: true
       fi;
       if
       :: heard && executed[k] ->
#ifdef REMOVE_FIRST
          row = none;
          if
          :: DIES; goto opened
          :: true
          fi;
          told = true
#else
          atomic {
              if
              :: row != none -> row = settled
              :: else -> skip
              fi
          }
#endif
       :: else ->
#ifdef NEW_KEY_ON_TIMEOUT
          atomic {
              if
              :: nextKey < KEYS -> mint(key)
              :: else -> skip
              fi
          }
#else
          skip
#endif
       fi

    /* what has settled is handed over, and then removed */
    :: row == settled ->
       if
       :: DIES; goto opened
       :: true
       fi;
       told = true;
       if
       :: DIES; goto opened
       :: true
       fi;
       row = none

    :: sends >= SENDS || (row == none && (clicks >= CLICKS || nextKey >= KEYS)) -> break
    od;
unresolved:
    /* J4: what took effect is known, or still written down. */
    assert(effects == 0 || told || row != none)
}

#ifdef OLD_KEYS
active proctype Time() {
    do
    :: atomic { !keyIsOld && row != none && key == 1 -> keyIsOld = true }
    :: atomic { keyIsOld && key == 1 && !forgotten -> forgotten = true; executed[1] = false }
    :: told || sends >= SENDS -> break
    od
}
#endif

#ifdef TWO_USERS
active proctype Session() {
    signedOut = true;
    signedOut = false
}
#endif

#ifdef REACH_TOLD
active proctype Reach() { (told && effects == 1 && deaths == 2) -> assert(false) }
#endif
#ifdef REACH_FRESH_KEY
active proctype Reach() { (told && forgotten) -> assert(false) }
#endif
