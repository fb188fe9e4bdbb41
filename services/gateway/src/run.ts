import { type GatewayConfig, readGatewayConfig, startGateway } from "@conclave/gateway";
import {
  ConfigurationError,
  makeLogger,
  processWorld,
  refusedConnection,
  serviceStopping,
} from "@conclave/platform";

/** Timeout that ends a process whose shutdown hangs: longer than the shutdown of every part of it. */
const LAST_RESORT_MS = 2_000;

/** @param exit ends the process with a code */
export const runGateway = async (exit: (code: number) => never): Promise<void> => {
  const refuse = (error: unknown): never => {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`gateway: ${error.message}\n`);
    return exit(1);
  };
  const configure = (): GatewayConfig => {
    try {
      return readGatewayConfig(process.env);
    } catch (error) {
      return refuse(error);
    }
  };

  const config = configure();
  const logger = makeLogger({ name: "gateway", level: config.CONCLAVE_LOG_LEVEL });

  let asked = false;
  const starting = startGateway(config, logger, processWorld).catch((error: unknown) =>
    refuse(refusedConnection(error)),
  );
  const stop = async (signal: string): Promise<void> => {
    if (asked) return;
    asked = true;
    serviceStopping(logger, { signal });
    setTimeout(() => exit(1), LAST_RESORT_MS).unref();
    const gateway = await starting;
    await gateway.stop();
    exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  await starting;
};
