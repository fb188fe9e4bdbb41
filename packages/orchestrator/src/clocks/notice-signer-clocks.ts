import type { Logger } from "@conclave/platform";
import type { Signers } from "@conclave/platform/coordination";
import { signerClockAgrees, signerClockOff } from "../log/process-events.ts";

/** How often the clocks of signers are compared with this process's. */
export const LOOKED_EVERY_MS = 1_000;

/**
 * Makes a round that logs when a signer's clock differs from this process's so much that one of them is wrong, and when
 * they agree again. If one signer differs, its clock is wrong; if several differ alike, this process's is.
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
