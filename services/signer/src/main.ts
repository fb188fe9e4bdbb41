import { ERRORS, type Problem } from "@conclave/custody";
import { makeLogger } from "@conclave/platform/logger";
import { processWorld } from "@conclave/platform/world";
import { loadSettings, startSigner } from "@conclave/signer";

/** A process that cannot begin says why, and what helps, in one line. */
const giveUp = ({ code, message }: Problem): never => {
  process.stderr.write(`signer: ${message} ${ERRORS[code].remedy} (${code})\n`);
  process.exit(1);
};

const settings = await loadSettings(process.env).catch((error: Error) => {
  process.stderr.write(`signer: ${error.message}\n`);
  process.exit(1);
});
if (!settings.ok) giveUp(settings.problem);
else {
  const { id, logLevel, brain } = settings.value;
  const log = makeLogger({ name: id, level: logLevel });
  const started = await startSigner(settings.value, {
    world: processWorld,
    log,
    failed: () => process.exit(1),
  });
  if (!started.ok) giveUp(started.problem);
  else {
    const signer = started.value;
    const { auxiliaryEpoch, keyCount: keys } = signer.status();
    const { parameters } = brain;
    log.info({ port: signer.port, parameters, auxiliaryEpoch, keys }, "ready");

    let isStopping = false;
    const stop = (signal: NodeJS.Signals): void => {
      if (isStopping) return;
      isStopping = true;
      log.info({ signal }, "stopping");
      signer.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  }
}
