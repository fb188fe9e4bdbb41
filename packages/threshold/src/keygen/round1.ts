import { decode, encode, fixedBytes, scalarCodecOf } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { Outgoing, Round } from "../session/round.ts";
import { evaluate } from "../sharing/polynomial.ts";
import type { KeyShare } from "./key-share.ts";
import { COMMITMENT_BYTES, type Opening, openingCodec } from "./opening.ts";
import { round2 } from "./round2.ts";
import { accuse, type KeyGenerationRun, type OwnSecrets, peersOf } from "./run.ts";

/**
 * Round 1: receives the commitments V_j of all parties. The echo makes them agree, so that no party can choose its
 * polynomial after it saw another's, and bias the key (P12). Then we open ours to all, and send each party j its share
 * σ_{i,j} = f_i(j).
 */
export const round1 = <P extends GroupPoint<P>>(
  run: KeyGenerationRun<P>,
  own: OwnSecrets<P>,
  opening: Opening<P>,
): Round<KeyShare<P>> => ({
  number: 1,
  expects: { broadcast: "echo", direct: "none", payloadBytesMax: COMMITMENT_BYTES },
  advance: (inbox) => {
    const { curve } = run.scheme;
    const commitments = new Map<PartyIndex, Uint8Array>();
    for (const peer of peersOf(run)) {
      const commitment = decode(fixedBytes(COMMITMENT_BYTES), inbox.broadcast(peer));
      if (!commitment.ok) return accuse(peer, `keygen/1 decoding: ${commitment.reason}`);
      commitments.set(peer, commitment.value);
    }
    const shares: readonly Outgoing[] = peersOf(run).map((to) => ({
      to,
      payload: encode(scalarCodecOf(curve), evaluate(curve, own.polynomial, to)),
    }));
    const payload = encode(openingCodec(curve, run.threshold), opening);
    return {
      kind: "next",
      messages: [{ to: "all", payload }, ...shares],
      round: round2(run, own, opening, commitments),
    };
  },
});
