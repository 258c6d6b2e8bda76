import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { addOutboxDiscard } from './outbox-discard.ts';
import { addOutboxDead, addOutboxList } from './outbox-list.ts';
import { addOutboxPrune } from './outbox-prune.ts';
import { addOutboxRetry } from './outbox-retry.ts';

export function addOutbox(program: Command, host: CommandHost): void {
  const outbox = program.command('outbox').description('jobs of the outbox');
  for (const add of [
    addOutboxList,
    addOutboxDead,
    addOutboxRetry,
    addOutboxDiscard,
    addOutboxPrune,
  ]) {
    add(outbox, host);
  }
}
