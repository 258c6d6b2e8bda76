/**
 * Makes a function that runs tasks in the order they come, at most `count` of them at once.
 *
 * @param {number} count
 * @returns {<T>(task: () => Promise<T>) => Promise<T>}
 */
export function atMost(count) {
  let free = count;
  /** @type {(() => void)[]} */
  const queue = [];
  return async (task) => {
    if (free > 0) free--;
    else await new Promise((resolve) => queue.push(() => resolve(undefined)));
    try {
      return await task();
    } finally {
      // The place goes to the next in line rather than back, so that nobody can push in.
      const next = queue.shift();
      if (next) next();
      else free++;
    }
  };
}
