import { standsUnless } from "../checks/check-result.ts";
import { checkOf } from "../checks/job.ts";
import { decode, encode } from "../codec.ts";
import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import { GENERATOR, multiplyBase } from "../group.ts";
import { proveElGamalLog } from "../proofs/elgamal-log.ts";
import { examinedRound } from "../session/examination.ts";
import type { Inbox, Outgoing, PeerCheck, Round, Step } from "../session/round.ts";
import { accuse } from "../session/steps.ts";
import { flawOfCommitments } from "./commitment-check.ts";
import type { Committed } from "./commitment-secrets.ts";
import { convertWith, prepareConversion } from "./conversion.ts";
import {
  type Conversions,
  commitmentProofsCodec,
  commitmentsCodec,
  conversionProofsCodec,
  conversionsCodec,
  type PresignCommitments,
  payloadBytesMax,
} from "./messages.ts";
import type { Presignature } from "./presignature.ts";
import { type Masks, round2 } from "./round2.ts";
import { contextOf, type Peer, type PresignRun, proverContextOf } from "./run.ts";

/** The messages of a peer, or the name of the check that fails when they are decoded. */
type Reading =
  | { readonly kind: "read"; readonly commitments: PresignCommitments; readonly check: PeerCheck }
  | { readonly kind: "fails"; readonly check: string };

const read = (run: PresignRun, peer: Peer, inbox: Inbox): Reading => {
  const { parameters, own } = run;
  const broadcast = decode(commitmentsCodec(parameters), inbox.broadcast(peer.index));
  if (!broadcast.ok) return { kind: "fails", check: `presign/1 decoding: ${broadcast.reason}` };
  const direct = decode(commitmentProofsCodec(parameters), inbox.direct(peer.index));
  if (!direct.ok) return { kind: "fails", check: `presign/1 decoding: ${direct.reason}` };
  const commitments = broadcast.value;
  const check = { context: proverContextOf(run, peer.index), commitments, proofs: direct.value };
  const perform = () =>
    standsUnless(flawOfCommitments(parameters, own.pedersen.parameters, peer, check, own.pedersen));
  return {
    kind: "read",
    commitments,
    check: checkOf(parameters, peer.index, { kind: "commitments", check }, perform),
  };
};

/**
 * Round 1 (Figure 8): receives the commitments of all signers, agreed on by echo (P12), each with Πenc-elg
 * for this party. Then this party publishes Γ_i, and converts the products of its γ_i and x_i with every
 * peer's k_j to sums.
 */
export const round1 = (run: PresignRun, own: Committed): Round<Presignature> =>
  examinedRound({
    number: 1,
    expects: {
      broadcast: "echo",
      direct: "plain",
      payloadBytesMax: payloadBytesMax(run.parameters, run.peers.length).round1,
    },
    examine: (inbox) => {
      const readings = run.peers.map((peer) => [peer.index, read(run, peer, inbox)] as const);
      return {
        checks: readings.flatMap(([, reading]) => (reading.kind === "read" ? [reading.check] : [])),
        conclude: (resultOf, entropy) => {
          const commitments = new Map<PartyIndex, PresignCommitments>([[run.self, own.commitments]]);
          for (const [index, reading] of readings) {
            if (reading.kind === "fails") return accuse(index, reading.check);
            const result = resultOf(index);
            if (result.kind === "fails") return accuse(index, result.check);
            commitments.set(index, reading.commitments);
          }
          return multiplyShares(run, own, commitments, entropy);
        },
      };
    },
  });

const multiplyShares = (
  run: PresignRun,
  { secrets, commitments: { Y, B1, B2 } }: Committed,
  commitments: ReadonlyMap<PartyIndex, PresignCommitments>,
  entropy: Entropy,
): Step<Presignature> => {
  const { gamma, y, b } = secrets;
  const Gamma = multiplyBase(gamma);
  const proof = proveElGamalLog(
    contextOf(run, run.self, "all", "presign/2 Γ"),
    { L: B1, M: B2, X: Y, Y: Gamma, H: GENERATOR },
    { y: gamma, lambda: b, x: y },
    entropy,
  );

  const masks = new Map<PartyIndex, Masks>();
  const pairs = [];
  const proofs: Outgoing[] = [];
  for (const peer of run.peers) {
    const K = commitments.get(peer.index)?.K;
    if (K === undefined) throw new Error("round 1 keeps the commitments of every peer");
    const prepared = () => prepareConversion(run.parameters, run.own, peer, entropy);
    const [forNonce = prepared(), forKey = prepared()] = run.masks.peers.get(peer.index)?.conversions ?? [];
    const nonce = convertWith(run, peer, K, gamma, Gamma, "presign/2 D", forNonce);
    const key = convertWith(run, peer, K, run.share, run.publicShare, "presign/2 D^", forKey);
    masks.set(peer.index, { nonce: nonce.beta, key: key.beta });
    pairs.push({ nonce: nonce.conversion, key: key.conversion });
    const payload = encode(conversionProofsCodec(run.parameters), { nonce: nonce.proof, key: key.proof });
    proofs.push({ to: peer.index, payload });
  }
  const said: Conversions = { Gamma, proof, pairs };
  const payload = encode(conversionsCodec(run.parameters, run.peers.length), said);
  return {
    kind: "next",
    messages: [{ to: "all", payload }, ...proofs],
    round: round2({ run, secrets, commitments, masks, own: said }),
  };
};
