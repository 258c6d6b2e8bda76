import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { crashPayments } from './crash-payments.ts';
import type { Example } from './shop-process.ts';

const crashes = 40;

/** The short form of `npm run crashes -- --crashes 1000`. */
test.each<Example>(['payments-with-keys', 'payments-without-keys'])(
  `examples/%s charges every order once through ${crashes} crashes`,
  { timeout: 180_000 },
  async (example) => {
    await using database = await openEmptyDatabase();
    const seed = Number(process.env['ONCEWARD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
    const report = await crashPayments({ example, crashes, databaseUrl: database.url, seed });
    console.log(`ONCEWARD_SEED=${seed}`, report);

    expect(report.charges).toEqual({ 1: report.orders });
    expect(report).toMatchObject({ wrongAnswers: 0, unfinished: 0 });
    expect(report.orders).toBeGreaterThan(crashes / 4);
    // Else nothing died in the middle of anything, and nothing was shown.
    const settled = Object.values(report.settled).reduce((sum, count) => sum + count, 0);
    if (example === 'payments-with-keys') expect(settled).toBe(0);
    else expect(settled).toBeGreaterThan(0);
    expect(report.answers[0]).toBeGreaterThan(crashes / 4);
  },
);

async function openEmptyDatabase() {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}
