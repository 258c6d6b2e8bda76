import { simulate, type SimulationOptions, type SimulationReport } from './simulate.ts';

/** What a process of a run is asked, one seed at a time, by the process that prints. */
export type SeedRequest = SimulationOptions;

/** A report without its history, unless something went wrong. */
export type SeedReport = SimulationReport;

// Refusals are the rule here, and nobody reads where they were made.
Error.stackTraceLimit = 0;

process.on('message', (request: SeedRequest) => {
  void simulate(request).then((report) => {
    const history = report.violations.length > 0 ? report.history : [];
    process.send?.({ ...report, history } satisfies SeedReport);
  });
});
process.on('disconnect', () => process.exit());
