import type { Logger } from "@conclave/platform";
import type { Signers } from "@conclave/platform/coordination";

/** A signer's clock that differs by more is said to be wrong: half of what signers allow one another (CLOCK_SKEW_MS_MAX of the cluster). */
export const CLOCK_OFF_MS = 30_000;
/** How often the clocks of signers are looked at. */
export const LOOKED_EVERY_MS = 1_000;

/**
 * Makes a round that says when a signer's clock and this process's come apart by more than CLOCK_OFF_MS, and when they agree again.
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
    for (const { id, clockAheadMs } of signers.view()) {
      if (clockAheadMs === undefined) continue;
      const isOff = Math.abs(clockAheadMs) > CLOCK_OFF_MS;
      if (isOff && !off.has(id)) {
        off.add(id);
        logger.warn({ signer: id, aheadMs: clockAheadMs }, "a signer's clock is another than this process's");
      }
      if (!isOff && off.delete(id))
        logger.info({ signer: id, aheadMs: clockAheadMs }, "a signer's clock agrees again");
    }
    return LOOKED_EVERY_MS;
  };
};
