import type { CliContext } from './cli-context.ts';
import { CliFailure } from './cli-failure.ts';
import { exitCode } from './exit-code.ts';

/** Who acts, for the audit trail: as said, or whoever is logged in. Nobody acts without a name. */
export function actorOf(given: string | undefined, { env }: CliContext): string {
  const actor = (given ?? env['ONCEWARD_ACTOR'] ?? env['USER'] ?? env['LOGNAME'] ?? '').trim();
  if (actor !== '') return actor;
  throw new CliFailure(exitCode.usage, 'Nobody is named for the audit trail.', {
    advice: 'Pass --actor, or set ONCEWARD_ACTOR.',
  });
}
