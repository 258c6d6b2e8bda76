import { pay, type PeerEntry, payment } from './peer.ts';

/** A workflow without steps, which is the least that it can remember under an id. */
export const dbos: PeerEntry = {
  name: 'dbos',
  library: '@dbos-inc/dbos-sdk',
  driver: 'pg',
  store: 'postgres',
  async open(url) {
    const { DBOS } = await import('@dbos-inc/dbos-sdk');
    DBOS.setConfig({
      ...{ name: 'bench', systemDatabaseUrl: url, logLevel: 'error', runAdminServer: false },
    });
    const workflow = DBOS.registerWorkflow((sent: typeof payment) => pay(sent), {
      name: 'pay',
    });
    await DBOS.launch();
    return {
      async deliver(key) {
        const handle = await DBOS.startWorkflow(workflow, { workflowID: key })(payment);
        return handle.getResult();
      },
      [Symbol.asyncDispose]: () => DBOS.shutdown(),
    };
  },
};
