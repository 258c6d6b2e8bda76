// Looks after PostgreSQL, and stops it however the playground ends.
//
//   supervisor ──fork──▶ this process ──spawn──▶ postgres
//
// In between, because a supervisor that is killed cannot stop anything any more.
import { createCluster } from './database/create-cluster.ts';
import { embeddedBinaries } from './database/embedded-binaries.ts';
import { stopFormerPostgres } from './database/former-postgres.ts';
import { preparePlace } from './database/postgres-place.ts';
import { startPostgres } from './database/start-postgres.ts';
import { requiredVariable } from './processes/required-variable.ts';
import { fail, runKept } from './processes/run-kept.ts';

await runKept(async () => {
  const place = preparePlace(requiredVariable('PLAYGROUND_DATA'), embeddedBinaries());
  await createCluster(place);
  await stopFormerPostgres(place.cluster);
  const postgres = await startPostgres(place, Number(requiredVariable('DATABASE_PORT')));
  let stopping = false;
  void postgres.ended.then((reason) => {
    if (!stopping) fail(reason);
  });
  return {
    stop() {
      stopping = true;
      return postgres.stop();
    },
  };
});
