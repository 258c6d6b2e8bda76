/**
 * GraphQL, whichever server runs it.
 *
 * For users: `idempotentTypeDefs` or `idempotentDirective()`, `auditSchema(schema, options)`, `wrapExecute(execute, options)`,
 * `idempotentSchema(schema, options)`, which is field mode, and the types of contexts, options and
 * `extensions.idempotency`.
 *
 * For adapters, which only translate (each in the file of its name):
 *
 *   const idempotency = createIdempotency(options);       idempotency.ts
 *   idempotency.policyOf(schema)                          throws at start-up for what is unsafe
 *   const call = idempotency.callOf(incoming)             undefined: execute as ever
 *   const begun = await call.begin()                      answered | execute
 *     begun.execution.attempt                             what resolvers get as context.idempotency
 *     begun.execution.within(() => execute(args))         as the current intent
 *     await begun.execution.finish({ raw, answer })       raw: before masking; answer: after it
 *     await begun.execution.fail(error)                   there is no result
 *     await begun.execution.giveBack()                    nothing was executed
 *   answeredResult(answer, http), refusedResult(error, http)   answered-result.ts
 *   using lent = lendAttempt(context, attempt)            attempt-in-context.ts
 *   collected(result), refuseIncremental(sent)            incremental.ts
 *
 * `callOf`, `begin`, `finish` and `fail` throw an `IdempotencyError` to refuse.
 */
export { auditSchema, type SchemaAudit, type SchemaAuditOptions } from './audit-schema.ts';
export type { FieldMark } from './field-mark.ts';
export type { ReplayFacts } from './answer-facts.ts';
export type { IdempotencyContext } from './attempt-in-context.ts';
export { fieldKey } from './field-mode/field-key.ts';
export { idempotentDirective } from './idempotent-directive.ts';
export { idempotentSchema, type IdempotentSchemaOptions } from './field-mode/idempotent-schema.ts';
export type { FieldOptions, IdempotencyOptions, ScopeCall } from './idempotency-options.ts';
export type { KeySource } from './incoming-key.ts';
export { mutationsOf } from './mutations-of.ts';
export { idempotentTypeDefs } from './type-defs.ts';
export { type Execute, wrapExecute, type WrapExecuteOptions } from './wrap-execute.ts';
