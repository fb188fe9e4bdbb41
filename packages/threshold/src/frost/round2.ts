import { decode, scalarCodecOf } from "../codec.ts";
import { type GroupPoint, SCALAR_BYTES } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { Round } from "../session/round.ts";
import { type AbortStep, abort, accuse, type FaultStep } from "../session/steps.ts";
import type { FrostRun } from "./run.ts";
import { aggregate, isSignatureShare, type SharedChallenge } from "./signature-share.ts";

/** The fault of the first peer whose z_j does not fit its commitments; an abort when only our own z_i is wrong. */
const findCheat = <P extends GroupPoint<P>>(
  run: FrostRun<P>,
  challenge: SharedChallenge<P>,
  shares: ReadonlyMap<PartyIndex, bigint>,
): AbortStep | FaultStep => {
  const { publicShares } = run.key.info;
  for (const peer of run.peers) {
    const [publicShare, z] = [publicShares.get(peer), shares.get(peer)];
    if (publicShare === undefined || z === undefined)
      throw new Error("every signer has a share of each kind");
    if (!isSignatureShare(challenge, peer, publicShare, z))
      return accuse(peer, "frost/2 z·G = ±(D + ρ·E) + λ·c·S");
  }
  return abort("frost/2 signature under the public key");
};

/**
 * Round 2: receives the z_j of all signers. A library verifies their sum before it is released (P19). Only
 * when the sum is wrong is each z_j checked (RFC 9591, section 5.4): a sum that verifies has no culprit.
 */
export const round2 = <P extends GroupPoint<P>>(
  run: FrostRun<P>,
  challenge: SharedChallenge<P>,
  own: bigint,
): Round<Uint8Array> => ({
  number: 2,
  expects: { broadcast: "plain", direct: "none", payloadBytesMax: SCALAR_BYTES },
  advance: (inbox) => {
    const { suite, self, peers, signingKey, message } = run;
    const shares = new Map([[self, own]]);
    for (const peer of peers) {
      const z = decode(scalarCodecOf(suite.curve), inbox.broadcast(peer));
      if (!z.ok) return accuse(peer, `frost/2 decoding: ${z.reason}`);
      shares.set(peer, z.value);
    }
    const signature = aggregate(challenge, shares.values());
    const publicKey = suite.pointBytes(signingKey.publicKey);
    return suite.verify(signature, message, publicKey)
      ? { kind: "output", output: signature }
      : findCheat(run, challenge, shares);
  },
});
