/**
 * Keeps this process from sleeping until it is disposed of.
 *
 * Whoever answers a process that sleeps has to wake it up, and that counts as their work. How often it
 * sleeps depends on when it is answered: without this, a server's work for one request differs by a
 * third from turn to turn.
 */
export function stayAwake(): Disposable {
  let awake = true;
  const turn = () => {
    if (awake) setImmediate(turn);
  };
  turn();
  return {
    [Symbol.dispose]() {
      awake = false;
    },
  };
}
