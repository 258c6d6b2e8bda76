import type { AnyTRPCMutationProcedure, AnyTRPCProcedure, AnyTRPCRouter } from '@trpc/server';

/** The paths of a router's mutations: `pay`, `orders.create`. */
export type MutationPath<TRouter extends AnyTRPCRouter> = AnyTRPCRouter extends TRouter
  ? string
  : PathIn<TRouter['_def']['record']>;

type PathIn<TRecord> = {
  [Name in keyof TRecord & string]: TRecord[Name] extends AnyTRPCMutationProcedure
    ? Name
    : TRecord[Name] extends AnyTRPCProcedure
      ? never
      : `${Name}.${PathIn<TRecord[Name]>}`;
}[keyof TRecord & string];

/** What is at a path of nested outputs. */
export type OutputAt<TOutputs, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof TOutputs
    ? OutputAt<TOutputs[Name], Rest>
    : unknown
  : Path extends keyof TOutputs
    ? TOutputs[Path]
    : unknown;
