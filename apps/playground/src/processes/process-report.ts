/** What a kept process tells the one that keeps it. */
export type ProcessReport =
  | { readonly kind: 'ready' }
  /** It is about to end, and knows why. */
  | { readonly kind: 'failed'; readonly reason: string };
