import type { Effect } from '../effect.ts';
import { declarationOf } from './declaration.ts';
import { type AuditedRouter, guardsOf, type Procedure, proceduresOf } from './procedures-of.ts';

/** What an audit refuses, besides what cannot work. */
export interface AuditOptions {
  /** `all`: refuse a router that has a mutation without a guard. */
  require?: 'all';
  /** Paths of mutations that may be without one, such as signing out. */
  except?: readonly string[];
  /**
   * Says that clients send keys inside inputs, as over WebSockets. A mutation that does not unwrap
   * them would then take the envelope for its input, and is refused.
   */
  envelopes?: boolean;
}

/** What a router promises about its mutations. */
export interface RouterAudit {
  readonly mutations: readonly AuditedMutation[];
  /** The paths of those without a guard. */
  readonly undeclared: readonly string[];
}

/** What one mutation declares. */
export interface AuditedMutation {
  readonly path: string;
  /** `undefined` when there is no guard. */
  readonly effect: Effect | undefined;
  /** Whether it takes keys out of inputs before they are parsed. */
  readonly unwraps: boolean;
}

/** Lists the mutations of a router, and throws for what cannot work or was not wanted. */
export async function auditRouter(
  router: AuditedRouter,
  { require, except = [], envelopes = false }: AuditOptions = {},
): Promise<RouterAudit> {
  const procedures = await proceduresOf(router);
  const mutations = procedures.filter(([, { _def }]) => _def.type === 'mutation').map(describe);
  const undeclared = mutations.filter(({ effect }) => !effect).map(({ path }) => path);

  refuse('has a guard, which is for mutations only', procedures.filter(isMisplaced).map(pathOf));
  refuse(
    'has two guards, and one intent has one key',
    procedures.filter(isGuardedTwice).map(pathOf),
  );
  refuse('is in `except`, but is not a mutation without a guard', without(except, undeclared));
  if (require === 'all') {
    refuse('declares no effect: use `once.guard({ effect })`', without(undeclared, except));
  }
  if (envelopes) {
    const wrapped = mutations.filter(({ unwraps }) => !unwraps).map(({ path }) => path);
    refuse('must have `.use(once.unwrap)` before `.input()` and the guard', wrapped);
  }
  return { mutations, undeclared };
}

function describe([path, procedure]: [string, Procedure]): AuditedMutation {
  const [guard] = guardsOf(procedure);
  const { middlewares } = procedure._def;
  const unwrapAt = middlewares.findIndex((each) => declarationOf(each)?.kind === 'unwrap');
  const readAt = middlewares.findIndex(
    (each) => each._type === 'input' || declarationOf(each)?.kind === 'guard',
  );
  const unwraps = unwrapAt >= 0 && (readAt < 0 || unwrapAt < readAt);
  return { path, effect: guard?.effect, unwraps };
}

function isMisplaced([, procedure]: [string, Procedure]): boolean {
  return procedure._def.type !== 'mutation' && guardsOf(procedure).length > 0;
}

function isGuardedTwice([, procedure]: [string, Procedure]): boolean {
  return guardsOf(procedure).length > 1;
}

function pathOf([path]: [string, Procedure]): string {
  return path;
}

function without(paths: readonly string[], others: readonly string[]): string[] {
  return paths.filter((path) => !others.includes(path));
}

function refuse(why: string, paths: readonly string[]): void {
  if (paths.length === 0) return;
  throw new TypeError(`The router was refused. Each of these ${why}: ${paths.join(', ')}`);
}
