/** The handler sent a COMMIT or ROLLBACK of its own. */
export function endedTransaction(): Error {
  return new Error(
    'The handler ended the transaction it was handed. What it committed itself is not protected ' +
      'by the key, and may happen again. Leave BEGIN, COMMIT and ROLLBACK out of it, and use ' +
      'savepoints instead.',
  );
}

/** The same, noticed in time. */
export function refusedToEnd(): Error {
  return new Error(
    'A handler cannot begin, commit or roll back, nor let go of the connection: the transaction ' +
      'it was handed ends together with its key. Throw to undo everything, and use savepoints to ' +
      'undo a part.',
  );
}

/** A statement that comes too late would be committed by itself, whatever became of the key. */
export function usedAfterEnd(): Error {
  return new Error(
    'The transaction of a handler was used after the handler had ended, or had been given up. ' +
      'Wait for every statement before you return.',
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
