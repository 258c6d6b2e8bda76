/** Why anybody would want a key, for somebody who has never heard of one. */
export function Explanation() {
  return (
    <header>
      <p className="brand">onceward playground</p>
      <h1>Press it as often as you like. It happens once.</h1>
      <div className="explanation">
        <section>
          <h2>The problem</h2>
          <p>
            You pay, and no answer comes. Did the request get lost, or only the answer? The browser
            cannot tell. If it gives up, you may not have paid. If it asks again, you may pay twice.
          </p>
        </section>
        <section>
          <h2>The key</h2>
          <p>
            So each wish gets a name of its own, an <strong>idempotency key</strong>, which travels
            with every attempt. The server does the work for the first one, keeps the answer under
            the key, and gives that same answer to every attempt that follows.
          </p>
        </section>
        <section>
          <h2>Try it</h2>
          <p>
            Choose what goes wrong, and pay. Press twice, pull the plug, kill the server, reload.
            Then count the charges in the ledger. Switch onceward off, and do the same again.
          </p>
        </section>
      </div>
    </header>
  );
}
