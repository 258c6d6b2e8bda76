export { idempotencyPlugin, type IdempotencyPluginOptions } from './idempotency-plugin.ts';
