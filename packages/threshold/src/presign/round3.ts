import { decode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { type Point, scalar } from "../group.ts";
import { verifyElGamalLog } from "../proofs/elgamal-log.ts";
import type { Inbox, Round, Step } from "../session/round.ts";
import { accuse } from "../session/steps.ts";
import type { CommitmentSecrets } from "./commitment-secrets.ts";
import { openDispute } from "./dispute.ts";
import {
  type Conversions,
  type PresignCommitments,
  payloadBytesMax,
  type Reveal,
  revealCodec,
} from "./messages.ts";
import { failedProduct, presignatureFrom } from "./output.ts";
import type { Presignature } from "./presignature.ts";
import { contextOf, type Peer, type PresignRun } from "./run.ts";

/** The state of round 3; a dispute needs the secrets and the conversions. */
interface Revealed {
  readonly run: PresignRun;
  readonly secrets: Pick<CommitmentSecrets, "k" | "gamma">;
  readonly commitments: ReadonlyMap<PartyIndex, PresignCommitments>;
  /** of every signer, self included */
  readonly conversions: ReadonlyMap<PartyIndex, Conversions>;
  /** Γ = Σ Γ_j, not the identity */
  readonly Gamma: Point;
  /** χ_i, not yet divided by δ */
  readonly chi: bigint;
  readonly own: Reveal;
}

const receive = ({ run, commitments, Gamma }: Revealed, peer: Peer, inbox: Inbox): Reveal | Step<never> => {
  const { index } = peer;
  const broadcast = decode(revealCodec, inbox.broadcast(index));
  if (!broadcast.ok) return accuse(index, `presign/3 decoding: ${broadcast.reason}`);
  if (!broadcast.value.Gamma.equals(Gamma)) return accuse(index, "presign/3 Γ");
  const committed = commitments.get(index);
  if (committed === undefined) throw new Error("round 1 keeps the commitments of every peer");
  const { Y, A1, A2 } = committed;
  const statement = { L: A1, M: A2, X: Y, Y: broadcast.value.Delta, H: Gamma };
  return verifyElGamalLog(contextOf(run, index, "all", "presign/3 Δ"), statement, broadcast.value.proof)
    ? broadcast.value
    : accuse(index, "presign/3 Πelog of Δ");
};

/**
 * Round 3 (Figure 8): receives every peer's δ_j, S_j and Δ_j, the last with Πelog. The joint checks then
 * decide between the output and a dispute. All honest signers decide alike, because the echo makes them check
 * the same values.
 */
export const round3 = (state: Revealed): Round<Presignature> => ({
  number: 3,
  expects: {
    broadcast: "echo",
    direct: "none",
    payloadBytesMax: payloadBytesMax(state.run.parameters, state.run.peers.length).round3,
  },
  advance: (inbox) => {
    const { run, secrets, conversions, Gamma, chi } = state;
    const reveals = new Map<PartyIndex, Reveal>([[run.self, state.own]]);
    for (const peer of run.peers) {
      const result = receive(state, peer, inbox);
      if ("kind" in result) return result;
      reveals.set(peer.index, result);
    }
    const product = failedProduct(run.key.publicKey, reveals);
    return product === undefined
      ? presignatureFrom(run, Gamma, { k: scalar(secrets.k), chi }, reveals, inbox.signed?.() ?? [])
      : openDispute(run, secrets, { product, conversions, reveals, Gamma });
  },
});
