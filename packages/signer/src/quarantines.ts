import type { Quarantined } from "@conclave/cluster";
import type { Logger } from "@conclave/platform/logger";

/** Says at a start with which peers this signer signs nothing, for which evidence, and what lifts that. */
export const warnOfQuarantines = (quarantined: readonly Quarantined[], log: Pick<Logger, "warn">): void => {
  for (const { signer, check, evidence, auxiliaryEpoch, provenAtMs } of quarantined) {
    log.warn(
      { signer, check, evidence, auxiliaryEpoch, proven: new Date(provenAtMs).toISOString() },
      "this signer proved a peer to cheat, and signs nothing with it. New auxiliary information lifts that (conclave refresh), or CONCLAVE_LIFT_QUARANTINE with the digest of this evidence (SECURITY.md, a proven cheat)",
    );
  }
};
