// Serves the playground. May be crashed at any time: the supervisor starts it again.
import { join } from 'node:path';
import { untilDatabaseAnswers } from './database/until-database-answers.ts';
import { requiredVariable } from './processes/required-variable.ts';
import { runKept } from './processes/run-kept.ts';
import { readPageFiles } from './service/page-files.ts';
import { startService } from './service/start-service.ts';

await runKept(async (stopping) => {
  const databaseUrl = requiredVariable('DATABASE_URL');
  await untilDatabaseAnswers(databaseUrl, { patienceMs: 30_000, stopping });
  return startService({
    databaseUrl,
    port: Number(requiredVariable('PORT')),
    host: requiredVariable('HOST'),
    page: readPageFiles(join(import.meta.dirname, 'page')),
    crash() {
      // No handler runs and nothing is tidied up, as in a power cut.
      process.kill(process.pid, 'SIGKILL');
      throw new Error('unreachable');
    },
  });
});
