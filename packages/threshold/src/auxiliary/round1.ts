import { decode, encode, fixedBytes } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import type { Round } from "../session/round.ts";
import type { AuxiliaryInfo, OwnAuxiliary } from "./auxiliary-info.ts";
import { COMMITMENT_BYTES, type Opening, openingCodec } from "./opening.ts";
import { round2 } from "./round2.ts";
import { type AuxiliaryRun, accuse, peersOf } from "./run.ts";

/**
 * Round 1 (Figure 7): receives the commitments V_j of all parties. The echo makes them agree, so that no party can choose
 * its parameters or ρ_j after it saw another's (P12). Then we open ours to all.
 */
export const round1 = (run: AuxiliaryRun, own: OwnAuxiliary, opening: Opening): Round<AuxiliaryInfo> => ({
  number: 1,
  expects: { broadcast: "echo", direct: "none", payloadBytesMax: COMMITMENT_BYTES },
  advance: (inbox) => {
    const commitments = new Map<PartyIndex, Uint8Array>();
    for (const peer of peersOf(run)) {
      const commitment = decode(fixedBytes(COMMITMENT_BYTES), inbox.broadcast(peer));
      if (!commitment.ok) return accuse(peer, `aux/1 decoding: ${commitment.reason}`);
      commitments.set(peer, commitment.value);
    }
    const payload = encode(openingCodec(run.parameters), opening);
    return {
      kind: "next",
      messages: [{ to: "all", payload }],
      round: round2(run, own, opening, commitments),
    };
  },
});
