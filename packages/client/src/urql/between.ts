import type { ExchangeIO, Operation, OperationResult } from '@urql/core';

/** What an exchange that stands between others does with what comes by. */
export interface Station {
  /** An operation came from above. */
  operation(operation: Operation): void;
  /** A result came from below. */
  result(result: OperationResult): void;
}

/** How it passes on whatever it likes, whenever it likes. */
export interface Lines {
  readonly down: (operation: Operation) => void;
  readonly up: (result: OperationResult) => void;
}

/**
 * Puts a station between the exchanges above and below.
 *
 * The streams of urql are those of wonka, which it depends on but does not export: an import of
 * it would resolve only where a package manager happens to put it in reach. So this speaks its
 * protocol, of which an exchange needs little.
 */
export function between(forward: ExchangeIO, open: (lines: Lines) => Station): ExchangeIO {
  return (operations) => {
    let close = () => {};
    const below = createSubject<Operation>();
    const above = createSubject<OperationResult>(() => close());
    const answers = forward(below.source as never) as unknown as Source<OperationResult>;
    const station = open({ down: below.next, up: above.next });

    const source: Source<OperationResult> = (sink) => {
      above.source(sink);
      const stops = [
        listen(answers, (result) => station.result(result), above.complete),
        listen(
          operations as never,
          (operation: Operation) => station.operation(operation),
          below.complete,
        ),
      ];
      close = () => stops.forEach((stop) => stop());
    };
    return source as never;
  };
}

type Source<T> = (sink: Sink<T>) => void;
type Sink<T> = (signal: Signal<T>) => void;
type Signal<T> =
  { readonly tag: 0; readonly 0: Talkback } | { readonly tag: 1; readonly 0: T } | typeof ended;
type Talkback = (kind: typeof pull | typeof closed) => void;

const ended = 0;
const pull = 0;
const closed = 1;

/** Receives every value of a stream, until the returned function is called. */
function listen<T>(source: Source<T>, next: (value: T) => void, complete: () => void): () => void {
  let talkback: Talkback = () => {};
  source((signal) => {
    if (signal === ended) return complete();
    if (signal.tag === 0) talkback = signal[0];
    else next(signal[0]);
    talkback(pull);
  });
  return () => talkback(closed);
}

/** A stream that is written to. */
function createSubject<T>(onClose: () => void = () => {}) {
  let sinks: Sink<T>[] = [];
  const send = (signal: Signal<T>) => sinks.forEach((sink) => sink(signal));
  const source: Source<T> = (sink) => {
    sinks = [...sinks, sink];
    const talkback: Talkback = (kind) => {
      if (kind !== closed) return;
      sinks = sinks.filter((other) => other !== sink);
      onClose();
    };
    sink({ tag: 0, 0: talkback });
  };
  const next = (value: T) => send({ tag: 1, 0: value });
  return { source, next, complete: () => send(ended) };
}
