import type { Problem } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import type { Finding } from "./accusation.ts";
import { hearComplaint, type Pair, separate } from "./pairs.ts";
import { blame, lapse, type Standings, suspect } from "./standings.ts";

/**
 * The standings of signers after an accusation. Proof blames the culprit. Without it nobody else can find out which of
 * the two deviates or lies: neither is left out of quorums, but the two are kept apart, so that a liar cannot make
 * others avoid an honest signer (INV-7).
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

/**
 * The standings after a signer refuses to work with a peer that it proved to cheat (PeerFault). The refusal holds no
 * proof, so the two are kept apart. A refusal that names no peer of the session is not believed, and counts as the
 * signer's own failure.
 *
 * @param parties of the session
 */
export const standingsAfterPeerFault = (
  health: Standings,
  parties: readonly PartyIndex[],
  signer: PartyIndex,
  { details }: Problem,
  nowMs: number,
): Standings => {
  const culprit = parties.find((peer) => peer !== signer && peer === details["culprit"]);
  return culprit === undefined ? lapse(health, signer, nowMs) : separate(health, [[signer, culprit]], nowMs);
};
