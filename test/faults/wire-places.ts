import type { Wire } from '../support/postgres-wire.ts';

/** Statements that may be held on their way, or stay unanswered after the server has done them. */
const statements = {
  reserve: /\bon conflict \(id\) do nothing\b/,
  step: /\bset body = coalesce\(body/,
  complete: /\bset state\s+= .*\boutcome\s+= \$3/s,
  commit: /^commit\b/,
  take: /\bmax_attempts as spent\b/,
  done: /\blast_error\s+= null\b/,
} as const;

export type WirePlace = `${keyof typeof statements}-${'held' | 'unanswered'}`;

export function isWirePlace(place: string): place is WirePlace {
  return /^\w+-(held|unanswered)$/.test(place);
}

/** Holds the statement of this place; resolves when as many as that are held. */
export function holdAt(place: WirePlace, wire: Wire, times = 1): Promise<void> {
  const [name, how] = place.split('-') as [keyof typeof statements, 'held' | 'unanswered'];
  const fate = how === 'held' ? 'is-held' : 'answer-is-held';
  wire.onSending = ({ texts }) =>
    texts.some((text) => statements[name].test(text)) ? fate : 'arrives';
  return new Promise((resolve) => {
    let held = 0;
    wire.onHeld = () => {
      if (++held === times) resolve();
    };
  });
}
