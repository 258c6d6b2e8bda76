import { DeliveryError } from '@onceward/client';
import { IdempotencyError } from '@onceward/core';
import { DeclinedError } from './simulated-network.ts';

/** How somebody was told that their intent ended. */
export type Told =
  | { readonly kind: 'succeeded'; readonly number: number }
  | { readonly kind: 'declined' }
  /** It took effect, and its answer is gone. */
  | { readonly kind: 'executed' }
  /** Nobody knows, and it is not sent again. */
  | { readonly kind: 'unresolved' }
  /** By the kit, which says that it did not take effect. */
  | { readonly kind: 'refused'; readonly code: string }
  /** It was refused before anything was sent: nothing was written down. */
  | { readonly kind: 'not accepted' };

/** What an application reads from an error of a delivery, with or without a journal. */
export function toldByError(error: unknown): Told {
  if (error instanceof DeclinedError) return { kind: 'declined' };
  if (IdempotencyError.is(error)) return { kind: 'refused', code: error.code };
  if (DeliveryError.is(error) && error.reason === 'executed') return { kind: 'executed' };
  return { kind: 'unresolved' };
}
