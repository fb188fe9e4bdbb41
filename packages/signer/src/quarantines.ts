import type { Quarantined } from "@conclave/cluster";
import type { Logger } from "@conclave/platform/logger";
import { peerQuarantined } from "./log-events.ts";

/** Says at a start with which peers this signer signs nothing, for which evidence, and what lifts that. */
export const warnOfQuarantines = (quarantined: readonly Quarantined[], log: Pick<Logger, "warn">): void => {
  for (const { signer, check, evidence, auxiliaryEpoch, provenAtMs } of quarantined) {
    peerQuarantined(log, {
      signer,
      check,
      evidence,
      auxiliaryEpoch,
      proven: new Date(provenAtMs).toISOString(),
    });
  }
};
