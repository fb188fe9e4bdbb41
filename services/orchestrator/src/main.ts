import {
  connectSigners,
  type Orchestrator,
  readOrchestratorConfig,
  startOrchestrator,
} from "@conclave/orchestrator";
import { ConfigurationError, makeLogger, processWorld } from "@conclave/platform";

const stopOnSignal = (orchestrator: Orchestrator): void => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      void orchestrator.stop().then(() => process.exit(0));
    });
  }
};

const main = async (): Promise<void> => {
  const config = await readOrchestratorConfig(process.env);
  const logger = makeLogger({ name: "orchestrator", level: config.logLevel });
  const orchestrator = await startOrchestrator({
    ...config,
    world: processWorld,
    signers: connectSigners(config),
    logger,
  });
  stopOnSignal(orchestrator);
  logger.info({ port: orchestrator.port }, "ready");
};

main().catch((error: unknown) => {
  const text = error instanceof ConfigurationError ? error.message : error;
  makeLogger({ name: "orchestrator", level: "info" }).fatal({ err: text }, "the orchestrator cannot start");
  process.exit(1);
});
