/**
 * How a mutation takes effect; the path it is sent to.
 *
 * What is on Redis is promised as far as a replica confirms each write. `redis-unwaited` asks for no
 * confirmation, and nothing is promised: it is there to show what that costs.
 */
export const forms = [
  'atomic',
  'transactional-steps',
  'outside-steps',
  'external',
  'brief',
  'declined',
  'left-to-operators',
  'redis-external',
  'redis-unwaited',
] as const;

export type Form = (typeof forms)[number];

const onRedis: ReadonlySet<Form> = new Set(['redis-external', 'redis-unwaited']);

/** Those whose effects a provider outside counts, and not the database. */
export const atProvider: ReadonlySet<Form> = new Set([
  'external',
  'left-to-operators',
  'redis-external',
  'redis-unwaited',
]);

/** Those that take so long, now and then, that customers press again. */
export const slow: ReadonlySet<Form> = new Set(['outside-steps', 'left-to-operators']);

/** Whom a customer turns to who gets no further: the path that helps, if there is one. */
export function helpWith(form: Form): string | undefined {
  if (onRedis.has(form)) return `/${form}/settle`;
  return form === 'declined' ? '/declined/bust' : undefined;
}

/**
 * How often each is chosen. Answers of `brief` are kept for a moment only; `declined` is declined
 * until an operator busts that answer; what becomes of `left-to-operators` nobody else can find out.
 */
const weights: Readonly<Record<Form, number>> = {
  atomic: 24,
  'transactional-steps': 3,
  'outside-steps': 3,
  external: 2,
  brief: 1,
  declined: 1,
  'left-to-operators': 2,
  'redis-external': 3,
  'redis-unwaited': 1,
};

export function pickForm(random: () => number, redis: boolean): Form {
  const possible = forms.filter((form) => redis || !onRedis.has(form));
  const total = possible.reduce((sum, form) => sum + weights[form], 0);
  let left = random() * total;
  for (const form of possible) {
    left -= weights[form];
    if (left < 0) return form;
  }
  return 'atomic';
}
