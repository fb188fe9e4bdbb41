import { ConfigurationError, makeLogger } from "@conclave/platform";
import { SignerClient } from "@conclave/platform/grpc";
import { partyIndex } from "@conclave/threshold";
import { type OrchestratorConfig, readConfig } from "./config.ts";
import { type Orchestrator, startOrchestrator } from "./orchestrator.ts";

const connectSigners = ({ roster, tls }: OrchestratorConfig): readonly SignerClient[] =>
  roster.signers.flatMap(({ index, address }) => {
    const party = partyIndex(index);
    return party === undefined ? [] : [new SignerClient({ index: party, address }, tls)];
  });

const stopOnSignal = (orchestrator: Orchestrator): void => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      void orchestrator.stop().then(() => process.exit(0));
    });
  }
};

const main = async (): Promise<void> => {
  const config = await readConfig(process.env);
  const logger = makeLogger({ name: "orchestrator", level: config.logLevel });
  const orchestrator = await startOrchestrator({ ...config, signers: connectSigners(config), logger });
  stopOnSignal(orchestrator);
  logger.info({ port: orchestrator.port }, "ready");
};

main().catch((error: unknown) => {
  const text = error instanceof ConfigurationError ? error.message : error;
  makeLogger({ name: "orchestrator", level: "info" }).fatal({ err: text }, "the orchestrator cannot start");
  process.exit(1);
});
