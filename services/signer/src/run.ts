import { ERRORS, type Problem } from "@conclave/custody";
import { makeLogger, serviceNotStarted, serviceReady, serviceStopping } from "@conclave/platform/logger";
import { processWorld } from "@conclave/platform/world";
import { loadSettings, type SignerOptions, startSigner } from "@conclave/signer";

type Exit = (code: number) => never;

/** Ends a process that cannot start, after one line with the reason and the remedy. */
const giveUp = ({ code, message }: Problem, exit: Exit): never => {
  process.stderr.write(`signer: ${message} ${ERRORS[code].remedy} (${code})\n`);
  return exit(1);
};

/**
 * @param exit ends the process with a code
 * @param parts replacements for parts of the process, such as its store
 */
export const runSigner = async (exit: Exit, parts: Pick<SignerOptions, "openStore"> = {}): Promise<void> => {
  const settings = await loadSettings(process.env).catch((error: Error) => {
    process.stderr.write(`signer: ${error.message}\n`);
    return exit(1);
  });
  if (!settings.ok) return giveUp(settings.problem, exit);
  const { id, logLevel, machine } = settings.value;
  const log = makeLogger({ name: id, level: logLevel });
  const started = await startSigner(settings.value, {
    ...parts,
    world: processWorld,
    log,
    failed: () => exit(1),
  }).catch((err: unknown) => {
    // for example, the disk does not accept writes
    serviceNotStarted(log, { service: "signer", err });
    return exit(1);
  });
  if (!started.ok) return giveUp(started.problem, exit);
  const signer = started.value;
  const { auxiliaryEpoch, keyCount: keys } = signer.status();
  const { parameters } = machine;
  serviceReady(log, { port: signer.port, parameters, auxiliaryEpoch, keys });

  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) return;
    isStopping = true;
    serviceStopping(log, { signal });
    signer.stop().then(
      () => exit(0),
      () => exit(1),
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
};
