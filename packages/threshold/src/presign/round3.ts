import { decode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import type { Point } from "../group.ts";
import { verifyElGamalLog } from "../proofs/elgamal-log.ts";
import type { Inbox, Round, Step } from "../session/round.ts";
import { type Commitments, payloadBytesMax, type Reveal, revealCodec } from "./messages.ts";
import { presignatureFrom } from "./output.ts";
import type { NonceShares, Presignature } from "./presignature.ts";
import { accuse, contextOf, type Peer, type PresignRun } from "./run.ts";

/** What round 2 leaves to round 3. */
export interface Revealed {
  readonly run: PresignRun;
  readonly commitments: ReadonlyMap<PartyIndex, Commitments>;
  /** Γ = Σ Γ_j, not the identity */
  readonly Gamma: Point;
  /** k_i and χ_i, not yet divided by δ */
  readonly shares: NonceShares;
  readonly own: Reveal;
}

const receive = ({ run, commitments, Gamma }: Revealed, peer: Peer, inbox: Inbox): Reveal | Step<never> => {
  const { index } = peer;
  const broadcast = decode(revealCodec, inbox.broadcast(index));
  if (!broadcast.ok) return accuse(index, `presign/3 decoding: ${broadcast.reason}`);
  const committed = commitments.get(index);
  if (committed === undefined) throw new Error("round 1 keeps the commitments of every peer");
  const { Y, A1, A2 } = committed;
  const statement = { L: A1, M: A2, X: Y, Y: broadcast.value.Delta, H: Gamma };
  return verifyElGamalLog(contextOf(run, index, "all", "presign/3 Δ"), statement, broadcast.value.proof)
    ? broadcast.value
    : accuse(index, "presign/3 Πelog of Δ");
};

/** Round 3 (Figure 8): every peer's δ_j, S_j and Δ_j, the last with Πelog. Then the joint checks. */
export const round3 = (state: Revealed): Round<Presignature> => ({
  number: 3,
  expects: {
    broadcast: "plain",
    direct: "none",
    payloadBytesMax: payloadBytesMax(state.run.parameters, state.run.peers.length).round3,
  },
  advance: (inbox) => {
    const reveals = new Map<PartyIndex, Reveal>([[state.run.self, state.own]]);
    for (const peer of state.run.peers) {
      const result = receive(state, peer, inbox);
      if ("kind" in result) return result;
      reveals.set(peer.index, result);
    }
    return presignatureFrom(state.run, state.Gamma, state.shares, reveals);
  },
});
