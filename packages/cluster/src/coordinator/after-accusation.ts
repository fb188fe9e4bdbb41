import type { PartyIndex } from "@conclave/threshold";
import type { Finding } from "./accusation.ts";
import { hearComplaint, type Pair } from "./pairs.ts";
import { blame, type Standings, suspect } from "./standings.ts";

/**
 * How signers stand after an accusation. Proof blames the culprit. Without it nobody else can tell which of the two deviates
 * or lies: neither is left out, and they are kept apart, so that no liar gets an honest signer avoided (INV-7).
 *
 * @param parties of the session
 */
export const standingsAfter = (
  health: Standings,
  finding: Finding,
  parties: readonly PartyIndex[],
  [reporter, accused]: Pair,
  nowMs: number,
): Standings =>
  finding.kind === "proven"
    ? suspect(blame(health, finding.verdict.culprit, nowMs), [reporter], nowMs)
    : hearComplaint(health, parties, [reporter, accused], nowMs);
