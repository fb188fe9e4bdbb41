import { decode } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { schnorrCodec, verifySchnorr } from "../proofs/schnorr.ts";
import { peersOf } from "../session/config.ts";
import type { Inbox, Round } from "../session/round.ts";
import type { FaultStep } from "../session/steps.ts";
import { checkNothing, proofBytes } from "./messages.ts";
import type { DealtEpoch } from "./new-info.ts";
import { round4 } from "./round4.ts";
import { accuseIn, type Redistributed, type RedistributionRun, shareContext } from "./run.ts";

/** Verifies ψ_j of a receiver: knowledge of x'_j; the message of any other party must be empty. */
const checkProof = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  { info, confirmation }: DealtEpoch<P>,
  inbox: Inbox,
  from: PartyIndex,
): FaultStep | undefined => {
  const { curve } = info.scheme;
  const payload = inbox.broadcast(from);
  const point = info.publicShares.get(from);
  if (point === undefined) return checkNothing(run, 3, from, payload);
  const proof = decode(schnorrCodec(curve), payload);
  if (!proof.ok) return accuseIn(run, from, `3 decoding: ${proof.reason}`);
  const statement = { point, salt: confirmation };
  const isProven = verifySchnorr(curve, shareContext(run, from), statement, proof.value);
  return isProven ? undefined : accuseIn(run, from, "3 Πsch");
};

/**
 * Round 3: verifies every receiver's proof that it knows its new share. Then each party confirms the new
 * epoch that it computed.
 */
export const round3 = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  dealt: DealtEpoch<P>,
): Round<Redistributed<P>> => ({
  number: 3,
  expects: { broadcast: "plain", direct: "none", payloadBytesMax: proofBytes(run.old.scheme.curve) },
  advance: (inbox) => {
    for (const peer of peersOf(run)) {
      const fault = checkProof(run, dealt, inbox, peer);
      if (fault !== undefined) return fault;
    }
    const payload = dealt.confirmation;
    return { kind: "next", messages: [{ to: "all", payload }], round: round4(run, dealt) };
  },
});
