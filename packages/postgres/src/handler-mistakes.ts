/** The handler sent a COMMIT or ROLLBACK of its own. */
export function endedTransaction(): Error {
  return new Error(
    'The handler ended the transaction it was handed. What it committed itself is not protected ' +
      'by the key, and may happen again. Leave BEGIN, COMMIT and ROLLBACK out of it, and use ' +
      'savepoints instead.',
  );
}

/** PostgreSQL's own words name neither the cause nor the remedy. */
export function swallowedFailure(cause: unknown): Error {
  return new Error(
    'A statement of the handler failed and its error was swallowed, so PostgreSQL had aborted ' +
      'the transaction. Nothing was executed. Let the error out of the handler, or wrap the ' +
      'statement in a savepoint.',
    { cause },
  );
}
