import { checkOf } from "../checks/job.ts";
import { decode, encode } from "../codec.ts";
import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import { multiply, scalar, sumPoints } from "../group.ts";
import { proveElGamalLog } from "../proofs/elgamal-log.ts";
import { examinedRound } from "../session/examination.ts";
import type { Inbox, PeerCheck, Round, Step } from "../session/round.ts";
import { abort, accuse } from "../session/steps.ts";
import type { CommitmentSecrets } from "./commitment-secrets.ts";
import { judgeConversions } from "./conversion-check.ts";
import {
  type Conversions,
  conversionProofsCodec,
  conversionsCodec,
  type PresignCommitments,
  payloadBytesMax,
  type Reveal,
  revealCodec,
} from "./messages.ts";
import type { Presignature } from "./presignature.ts";
import { round3 } from "./round3.ts";
import { contextOf, type Peer, type PresignRun, positionIn, proverContextOf } from "./run.ts";

/** β_ij and β^_ij of the conversions with one peer. */
export interface Masks {
  readonly nonce: bigint;
  readonly key: bigint;
}

/** The state of round 2. */
interface Multiplied {
  readonly run: PresignRun;
  readonly secrets: CommitmentSecrets;
  /** of every signer, self included */
  readonly commitments: ReadonlyMap<PartyIndex, PresignCommitments>;
  readonly masks: ReadonlyMap<PartyIndex, Masks>;
  /** our broadcast of this round */
  readonly own: Conversions;
}

/** The result of a peer's round 2: its broadcast, and our parts α_ij, α^_ij of the products. */
interface Received {
  readonly said: Conversions;
  readonly nonce: bigint;
  readonly key: bigint;
}

const commitmentsOf = (state: Multiplied, index: PartyIndex): PresignCommitments => {
  const commitments = state.commitments.get(index);
  if (commitments === undefined) throw new Error("round 1 keeps the commitments of every signer");
  return commitments;
};

/** The messages of a peer, or the name of the check that fails when they are decoded. */
type Reading =
  | { readonly kind: "read"; readonly said: Conversions; readonly check: PeerCheck }
  | { readonly kind: "fails"; readonly check: string };

const read = (state: Multiplied, peer: Peer, inbox: Inbox): Reading => {
  const { run } = state;
  const { index, publicShare } = peer;
  const broadcast = decode(conversionsCodec(run.parameters, run.peers.length), inbox.broadcast(index));
  if (!broadcast.ok) return { kind: "fails", check: `presign/2 decoding: ${broadcast.reason}` };
  const direct = decode(conversionProofsCodec(run.parameters), inbox.direct(index));
  if (!direct.ok) return { kind: "fails", check: `presign/2 decoding: ${direct.reason}` };

  const { Gamma, proof, pairs } = broadcast.value;
  const pair = pairs[positionIn(run.signers, index, run.self)];
  if (pair === undefined) throw new Error("the codec fixes the length of the list");
  const { Y, B1, B2 } = commitmentsOf(state, index);
  const check = {
    context: proverContextOf(run, index),
    committed: { Y, B1, B2 },
    Gamma,
    proof,
    publicShare,
    K: commitmentsOf(state, run.self).K,
    pair,
    proofs: direct.value,
  };
  const perform = () => judgeConversions(run.parameters, run.own, peer, check, state.secrets.k);
  return {
    kind: "read",
    said: broadcast.value,
    check: checkOf(run.parameters, index, { kind: "conversions", check }, perform),
  };
};

/** The result of a peer's round 2, once its check has passed. */
const receive = (said: Conversions, found: readonly bigint[]): Received => {
  const [nonce, key] = found;
  if (nonce === undefined || key === undefined)
    throw new Error("the check of conversions finds two plaintexts");
  return { said, nonce, key };
};

/**
 * Round 2 (Figure 8): receives every peer's Γ_j with Πelog, and its two conversions with Πaff-g. Then this
 * party publishes its part δ_i of δ = γ·k, and Δ_i and S_i, which bind its parts of k and of χ = k·x to Γ.
 * The paper sends the ciphertexts without echo; a dispute needs agreement on them, because a sender of
 * different ones could get the honest receiver named.
 */
export const round2 = (state: Multiplied): Round<Presignature> =>
  examinedRound({
    number: 2,
    expects: {
      broadcast: "echo",
      direct: "plain",
      payloadBytesMax: payloadBytesMax(state.run.parameters, state.run.peers.length).round2,
    },
    examine: (inbox) => {
      const readings = state.run.peers.map((peer) => [peer.index, read(state, peer, inbox)] as const);
      return {
        checks: readings.flatMap(([, reading]) => (reading.kind === "read" ? [reading.check] : [])),
        conclude: (resultOf, entropy) => {
          const received = new Map<PartyIndex, Received>();
          for (const [index, reading] of readings) {
            if (reading.kind === "fails") return accuse(index, reading.check);
            const result = resultOf(index);
            if (result.kind === "fails") return accuse(index, result.check);
            received.set(index, receive(reading.said, result.found.reveal()));
          }
          return reveal(state, received, entropy);
        },
      };
    },
  });

const reveal = (
  state: Multiplied,
  received: ReadonlyMap<PartyIndex, Received>,
  entropy: Entropy,
): Step<Presignature> => {
  const { run, secrets, masks } = state;
  const conversions = new Map<PartyIndex, Conversions>([[run.self, state.own]]);
  for (const [index, { said }] of received) conversions.set(index, said);
  const { k, gamma, y, a } = secrets;
  const Gamma = sumPoints([...conversions.values()].map((one) => one.Gamma));
  if (Gamma.is0()) return abort("presign/2 Γ is the identity"); // P9

  // δ_i = γ_i·k_i + Σ (α_ij + β_ij), χ_i = x_i·k_i + Σ (α^_ij + β^_ij), over signed integers, then mod q (P18)
  let deltaSum = gamma * k;
  let chiSum = run.share * k;
  for (const [index, alpha] of received) {
    const beta = masks.get(index);
    if (beta === undefined) throw new Error("round 1 keeps the masks of every peer");
    deltaSum += alpha.nonce + beta.nonce;
    chiSum += alpha.key + beta.key;
  }
  const chi = scalar(chiSum);
  const Delta = multiply(Gamma, k);
  const { Y, A1, A2 } = commitmentsOf(state, run.self);
  const proof = proveElGamalLog(
    contextOf(run, run.self, "all", "presign/3 Δ"),
    { L: A1, M: A2, X: Y, Y: Delta, H: Gamma },
    { y: k, lambda: a, x: y },
    entropy,
  );
  const own: Reveal = { Gamma, delta: scalar(deltaSum), S: multiply(Gamma, chi), Delta, proof };
  return {
    kind: "next",
    messages: [{ to: "all", payload: encode(revealCodec, own) }],
    round: round3({ run, secrets, commitments: state.commitments, conversions, Gamma, chi, own }),
  };
};
