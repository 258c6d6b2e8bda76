import { DBOS } from '@dbos-inc/dbos-sdk';
import type { Call, Contender } from './contender.ts';
import { readCall } from './read-call.ts';

/** A workflow whose id is the key. Its effect is inline, as in all other servers. */
export const dbos: Contender = {
  name: '@dbos-inc/dbos-sdk',
  packages: ['@dbos-inc/dbos-sdk'],
  store: 'postgres',
  choices: {
    'second user': 'documented: an id is unique in the whole application',
    'wrong body': 'an id returns the outcome of its workflow, inputs are not compared',
    'wrong type': 'inputs are not compared',
    'hidden member': 'inputs are not compared',
    'other operation': 'documented: an id is unique in the whole application',
    'in progress': 'a duplicate waits for the workflow',
    crash: 'documented: recovered, and executed again, when its executor is restarted',
    'slow owner': 'there is no lease: an executor that is silent is not replaced',
    'store down': 'it goes on trying until the database is back',
    'no key': 'an id is optional',
    'late key': 'ids have no age',
  },
  async open({ url, instance, handle }) {
    DBOS.setConfig({
      ...{ name: 'compare', systemDatabaseUrl: url, logLevel: 'error', runAdminServer: false },
      // Of its own, or the second to start would run again what the first one has begun.
      executorID: instance,
      applicationVersion: '1',
    });
    const workflow = DBOS.registerWorkflow((call: Call) => handle(call), { name: 'mutation' });
    await DBOS.launch();
    return (request, response) => {
      void (async () => {
        const { key, ...call } = await readCall(request);
        const handle = await DBOS.startWorkflow(workflow, key ? { workflowID: key } : {})(call);
        const body = await handle.getResult();
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      })().catch((error: unknown) => {
        response.writeHead(500);
        response.end(String(error));
      });
    };
  },
};
