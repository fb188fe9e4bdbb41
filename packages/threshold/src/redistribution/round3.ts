import { decode } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { PublicKeyInfo } from "../keygen/key-share.ts";
import { peersOf, type Refusal } from "../keygen/run.ts";
import { schnorrCodec, verifySchnorr } from "../proofs/schnorr.ts";
import type { Secret } from "../secret.ts";
import type { Inbox, Round } from "../session/round.ts";
import { checkNothing, proofBytes } from "./messages.ts";
import { round4 } from "./round4.ts";
import { accuse, type Redistributed, type RedistributionRun, shareContext } from "./run.ts";

/** The new epoch once all shares are dealt, before any party proved or confirmed anything. */
export interface Dealt<P extends GroupPoint<P>> {
  readonly info: PublicKeyInfo<P>;
  /** x'_i; undefined when we are no receiver */
  readonly secretShare: Secret<bigint> | undefined;
  readonly confirmation: Uint8Array;
}

/** Verifies ψ_j of a receiver: knowledge of x'_j; the message of any other party must be empty. */
const checkProof = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  { info, confirmation }: Dealt<P>,
  inbox: Inbox,
  from: PartyIndex,
): Refusal | undefined => {
  const { curve } = info.scheme;
  const payload = inbox.broadcast(from);
  const point = info.publicShares.get(from);
  if (point === undefined) return checkNothing(run, 3, from, payload);
  const proof = decode(schnorrCodec(curve), payload);
  if (!proof.ok) return accuse(run, from, `3 decoding: ${proof.reason}`);
  const statement = { point, salt: confirmation };
  const isProven = verifySchnorr(curve, shareContext(run, from), statement, proof.value);
  return isProven ? undefined : accuse(run, from, "3 Πsch");
};

/** Round 3: verifies every receiver's proof that it knows its new share. Then all confirm which new epoch they computed. */
export const round3 = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  dealt: Dealt<P>,
): Round<Redistributed<P>> => ({
  number: 3,
  expects: { broadcast: "plain", direct: "none", payloadBytesMax: proofBytes(run.old.scheme.curve) },
  advance: (inbox) => {
    for (const peer of peersOf(run)) {
      const refusal = checkProof(run, dealt, inbox, peer);
      if (refusal !== undefined) return refusal;
    }
    const payload = dealt.confirmation;
    return { kind: "next", messages: [{ to: "all", payload }], round: round4(run, dealt) };
  },
});
