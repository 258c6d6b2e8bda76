/**
 * Plain HTTP: `createIdempotency(options).route(…)` for whatever answers a `Request` with a
 * `Response` (Next.js route handlers, Hono, Remix, Deno, workers), and `nodeHandler` to mount such a
 * route in Express or in Node's own server.
 */
export {
  createIdempotency,
  type Idempotency,
  type IdempotencyOptions,
  type RouteHandler,
  type RouteOptions,
} from './create-idempotency.ts';
export { type NodeHandler, nodeHandler } from './node-handler.ts';
export type { ProblemDetails } from './problem.ts';
