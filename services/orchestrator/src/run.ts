import {
  connectSigners,
  type Orchestrator,
  readOrchestratorConfig,
  startOrchestrator,
} from "@conclave/orchestrator";
import {
  ConfigurationError,
  type Logger,
  makeLogger,
  processWorld,
  refusedConnection,
  serviceNotStarted,
  serviceReady,
  serviceStopping,
  warnOfCertificateEnd,
} from "@conclave/platform";

const stopOnSignal = (orchestrator: Orchestrator, logger: Logger, exit: (code: number) => never): void => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      serviceStopping(logger, { signal });
      void orchestrator.stop().then(() => exit(0));
    });
  }
};

const main = async (exit: (code: number) => never): Promise<void> => {
  const config = await readOrchestratorConfig(process.env);
  const logger = makeLogger({ name: "orchestrator", level: config.logLevel });
  warnOfCertificateEnd(config.tls, processWorld.nowMs(), logger);
  const orchestrator = await startOrchestrator({
    ...config,
    world: processWorld,
    signers: connectSigners(config),
    logger,
  });
  stopOnSignal(orchestrator, logger, exit);
  serviceReady(logger, { port: orchestrator.port });
};

/** @param exit ends the process with a code */
export const runOrchestrator = (exit: (code: number) => never): Promise<void> =>
  main(exit).catch((thrown: unknown) => {
    const error = refusedConnection(thrown);
    const err = error instanceof ConfigurationError ? error.message : error;
    serviceNotStarted(makeLogger({ name: "orchestrator", level: "info" }), { service: "orchestrator", err });
    exit(1);
  });
