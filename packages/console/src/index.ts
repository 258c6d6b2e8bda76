export type { AuditedAction } from './audited.ts';
export type { ConsoleOptions } from './console-options.ts';
export { type ConsoleHandler, createConsole } from './create-console.ts';
export type { Authorize, Operator, Permission } from './guards/operator.ts';
