import { declarationOf, type GuardDeclaration } from './declaration.ts';

/** A router, as far as it is read. */
export interface AuditedRouter {
  readonly _def: {
    readonly procedures: unknown;
    readonly lazy?: Readonly<Record<string, { load(): Promise<void> }>>;
  };
}

/** All procedures of a router by their paths, also those that are loaded when they are called. */
export async function proceduresOf(router: AuditedRouter): Promise<[string, Procedure][]> {
  await loadLazyRouters(router);
  return Object.entries(router._def.procedures as Record<string, Procedure>);
}

/** A procedure, as far as it is read. */
export interface Procedure {
  readonly _def: {
    readonly type: string;
    readonly middlewares: readonly (object & { readonly _type?: string })[];
  };
}

/** Loading one may bring others, which register under the same names until they are loaded. */
async function loadLazyRouters({ _def }: AuditedRouter): Promise<void> {
  for (;;) {
    const [loader] = Object.values(_def.lazy ?? {});
    if (!loader) return;
    await loader.load();
  }
}

export function guardsOf({ _def }: Procedure): GuardDeclaration[] {
  return _def.middlewares.map(declarationOf).filter((declaration) => declaration?.kind === 'guard');
}
