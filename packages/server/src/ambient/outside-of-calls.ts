import { AsyncResource } from 'node:async_hooks';

/**
 * Runs what belongs to no call, such as a timer that many share. Whatever it leads to would
 * otherwise find the user, the request and the trace of the call that happened to start it.
 */
export function outsideOfCalls(run: () => void): void {
  outside.runInAsyncScope(run);
}

/** Made when this file is loaded: at the first use there may be a call around it. */
const outside = new AsyncResource('onceward');
