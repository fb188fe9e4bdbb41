import { attend } from "../postgres/attend.ts";
import { ATTESTED_KEYS_CHANNEL, readAttestedKeys, type Subscription } from "../postgres/index.ts";
import { type Activation, activateTold } from "./activate.ts";

export type { Activation } from "./activate.ts";

const BATCH = 64;

/** Activates keys as orchestrators tell of them, until stopped. Many may run: one of them has each key. */
export const startKeyActivation = (activation: Activation): Subscription =>
  attend({
    database: activation.database,
    channel: ATTESTED_KEYS_CHANNEL,
    round: () => activateAll(activation),
    onFailure: (error) => activation.logger.warn({ err: error }, "a key that was made waits to be activated"),
  });

/** @throws the first failure, after the others have been looked at */
const activateAll = async (activation: Activation): Promise<number> => {
  const failures: unknown[] = [];
  let activated = 0;
  for (const keyId of await readAttestedKeys(activation.database, BATCH)) {
    try {
      if (await activateTold(activation, keyId)) activated += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return activated;
};
