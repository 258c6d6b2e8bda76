import type pg from 'pg';

/**
 * Creates what is missing of the shop's own tables.
 *
 * `payments` is the shop's. `bookings`, `charges`, `messages` and `profiles` stand for systems of
 * somebody else: they are written through connections of their own, outside any transaction of
 * the kit. `ledger` has a line for every effect, `faults_done` one for every fault that struck, and
 * `sightings` one for every request that the page follows.
 */
export async function createTables(pool: pg.Pool): Promise<void> {
  // One statement list is one transaction; the lock is for two servers that start at a time.
  await pool.query(`
    select pg_advisory_xact_lock(hashtext('onceward playground tables'));

    create table if not exists ledger (
      id          bigint generated always as identity primary key,
      user_name   text        not null,
      mutation    text        not null,
      key         text        not null,
      happened_at timestamptz not null default clock_timestamp()
    );
    create index if not exists ledger_by_user on ledger (user_name, mutation);

    create table if not exists payments (
      id           uuid        primary key default gen_random_uuid(),
      payer        text        not null,
      recipient    text        not null,
      amount_cents integer     not null check (amount_cents > 0),
      note         text,
      paid_at      timestamptz not null default clock_timestamp()
    );
    create index if not exists payments_by_payer on payments (payer, paid_at);

    create table if not exists bookings (
      key       uuid    primary key,
      passenger text    not null,
      trip      text    not null,
      confirmed boolean not null default false
    );

    create table if not exists charges (
      key          uuid        primary key,
      payer        text        not null,
      amount_cents integer     not null check (amount_cents > 0)
    );

    create table if not exists messages (
      id        uuid        primary key default gen_random_uuid(),
      sender    text        not null,
      recipient text        not null,
      text      text        not null,
      sent_at   timestamptz not null default clock_timestamp()
    );

    create table if not exists profiles (
      user_name text primary key,
      name      text not null
    );

    create table if not exists faults_done (
      user_name text not null,
      key       text not null,
      fault     text not null,
      primary key (user_name, key, fault)
    );

    create table if not exists sightings (
      id        uuid    primary key,
      user_name text    not null,
      server    text    not null,
      executing boolean not null default false,
      status    integer,
      replayed  boolean not null default false
    );
  `);
}
