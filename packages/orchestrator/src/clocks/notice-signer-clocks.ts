import type { Logger } from "@conclave/platform";
import type { Signers } from "@conclave/platform/coordination";
import { signerClockAgrees, signerClockOff } from "../log/process-events.ts";

/** How often the clocks of signers are looked at. */
export const LOOKED_EVERY_MS = 1_000;

/**
 * Makes a round that logs a difference between a signer's clock and this process's by which one of them is wrong, and logs when they agree again.
 * Of one signer, its clock is wrong; of several alike, this process's is.
 *
 * @returns the round; it gives the milliseconds until the next one
 */
export const noticeSignerClocks = (
  signers: Pick<Signers, "view">,
  logger: Pick<Logger, "warn" | "info">,
): (() => Promise<number>) => {
  const off = new Set<string>();
  return async () => {
    for (const { id, clockAheadMs, isClockOff } of signers.view()) {
      if (clockAheadMs === undefined) continue;
      if (isClockOff && !off.has(id)) {
        off.add(id);
        signerClockOff(logger, { signer: id, aheadMs: clockAheadMs });
      }
      if (!isClockOff && off.delete(id)) signerClockAgrees(logger, { signer: id, aheadMs: clockAheadMs });
    }
    return LOOKED_EVERY_MS;
  };
};
