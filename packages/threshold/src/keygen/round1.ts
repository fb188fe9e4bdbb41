import { decode, encode, fixedBytes, scalarCodec } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import type { Outgoing, Round } from "../session/round.ts";
import { evaluate } from "../sharing/polynomial.ts";
import type { KeyShare } from "./key-share.ts";
import { COMMITMENT_BYTES, type Opening, openingCodec } from "./opening.ts";
import { round2 } from "./round2.ts";
import { accuse, type KeyGenerationRun, type OwnSecrets, peersOf } from "./run.ts";

/**
 * Round 1: the commitments V_j of all, agreed upon by echo, so that nobody can choose its polynomial after it
 * saw another's and bias the key (P12). Then we open ours to all, and give to each party j its σ_{i,j} = f_i(j).
 */
export const round1 = (run: KeyGenerationRun, own: OwnSecrets, opening: Opening): Round<KeyShare> => ({
  number: 1,
  expects: { broadcast: "echo", direct: "none", payloadBytesMax: COMMITMENT_BYTES },
  advance: (inbox) => {
    const commitments = new Map<PartyIndex, Uint8Array>();
    for (const peer of peersOf(run)) {
      const commitment = decode(fixedBytes(COMMITMENT_BYTES), inbox.broadcast(peer));
      if (!commitment.ok) return accuse(peer, `keygen/1 decoding: ${commitment.reason}`);
      commitments.set(peer, commitment.value);
    }
    const shares: readonly Outgoing[] = peersOf(run).map((to) => ({
      to,
      payload: encode(scalarCodec, evaluate(own.polynomial, to)),
    }));
    const payload = encode(openingCodec(run.threshold), opening);
    return {
      kind: "next",
      messages: [{ to: "all", payload }, ...shares],
      round: round2(run, own, opening, commitments),
    };
  },
});
