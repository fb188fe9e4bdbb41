import { type RunningLedger, SYSTEM_CLOCK } from "@conclave/ledgers";
import { ConfigurationError } from "@conclave/platform/environment";
import { makeLogger, serviceNotStarted, serviceReady } from "@conclave/platform/logger";
import { readLedgerConfig } from "./config.ts";

const stopOnSignal = (ledger: RunningLedger): void => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      void ledger.stop().then(() => process.exit(0));
    });
  }
};

const main = async (): Promise<void> => {
  const { kind, options, logLevel } = readLedgerConfig(process.env);
  const logger = makeLogger({ name: "ledger", level: logLevel });
  const ledger = await kind.start({ ...options, clock: SYSTEM_CLOCK });
  stopOnSignal(ledger);
  serviceReady(logger, { chain: options.chain, url: ledger.url, adminUrl: ledger.adminUrl });
};

main().catch((error: unknown) => {
  const err = error instanceof ConfigurationError ? error.message : error;
  serviceNotStarted(makeLogger({ name: "ledger", level: "info" }), { service: "ledger", err });
  process.exit(1);
});
