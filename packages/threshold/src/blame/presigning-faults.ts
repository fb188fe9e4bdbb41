import { equalBytes } from "@noble/curves/utils.js";
import {
  type PublicAuxiliary,
  publicAuxiliaryCodec,
  publicAuxiliaryDigest,
} from "../auxiliary/public-auxiliary.ts";
import { type Codec, decode } from "../codec.ts";
import { SECP256K1 } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { multiplyPublic, type Point, sumPoints } from "../group.ts";
import type { PublicKeyInfo } from "../keygen/key-share.ts";
import { flawOfCommitments } from "../presign/commitment-check.ts";
import { flawOfConversions } from "../presign/conversion-check.ts";
import { type Disputed, findCulprit, type Member } from "../presign/judgement.ts";
import {
  type Conversions,
  commitmentProofsCodec,
  commitmentsCodec,
  conversionProofsCodec,
  conversionsCodec,
  type DisputeOpening,
  type PresignCommitments,
  type Reveal,
  readDisputeOpening,
  revealCodec,
} from "../presign/messages.ts";
import { failedProduct } from "../presign/output.ts";
import { positionIn } from "../presign/run.ts";
import { verifyElGamalLog } from "../proofs/elgamal-log.ts";
import { CGGMP24 } from "../scheme.ts";
import { lagrangeAtZero } from "../sharing/lagrange.ts";
import { agreedAuxiliary } from "./agreed-values.ts";
import { keyOf } from "./key-material.ts";
import { agreedIn, broadcastOf, directOf, isShown, notShown, type SignedRecord } from "./signed-record.ts";

/** The public auxiliary info of the parties, checked against the digest that the session id binds. */
const auxiliaryOf = ({ attempt, material, parameters }: SignedRecord): PublicAuxiliary => {
  const decoded = decode(publicAuxiliaryCodec(parameters), material.auxiliary);
  if (!decoded.ok) return notShown("the auxiliary information is missing or malformed");
  const isAgreed = equalBytes(publicAuxiliaryDigest(decoded.value), agreedAuxiliary(attempt));
  return isAgreed ? decoded.value : notShown("the auxiliary information is not that of the session");
};

const peerIn = ({ peers }: PublicAuxiliary, party: PartyIndex) =>
  peers.get(party) ?? notShown(`party ${party} has no auxiliary information`);

/** λ_j·X_j among the signers. */
const weightedShare = (record: SignedRecord, key: PublicKeyInfo, party: PartyIndex): Point => {
  const { parties } = record.attempt;
  const coefficient = lagrangeAtZero(SECP256K1, parties)[parties.indexOf(party)];
  const share = key.publicShares.get(party);
  if (coefficient === undefined || share === undefined)
    return notShown(`party ${party} holds no share of the key`);
  return multiplyPublic(share, coefficient);
};

/** The signers' messages of a round with echo, decoded. */
const allOf = <T>(record: SignedRecord, round: number, codec: Codec<T>): ReadonlyMap<PartyIndex, T> =>
  new Map(
    [...agreedIn(record, round)].map(([party, payload]) => {
      const decoded = decode(codec, payload);
      return [party, decoded.ok ? decoded.value : notShown(`the broadcast of party ${party} is malformed`)];
    }),
  );

const inOf = <T>(all: ReadonlyMap<PartyIndex, T>, party: PartyIndex): T =>
  all.get(party) ?? notShown(`nothing of party ${party}`);

const contextOf = ({ session, attempt, accused }: SignedRecord) => ({
  session,
  epoch: attempt.epoch,
  prover: accused,
});

const round1 = (record: SignedRecord): string | undefined => {
  const { parameters, accused } = record;
  const broadcast = decode(commitmentsCodec(parameters), broadcastOf(record, 1, accused));
  if (!broadcast.ok) return `presign/1 decoding: ${broadcast.reason}`;
  const { to, payload } = directOf(record, 1);
  const proofs = decode(commitmentProofsCodec(parameters), payload);
  if (!proofs.ok) return `presign/1 decoding: ${proofs.reason}`;
  const auxiliary = auxiliaryOf(record);
  const context = { ...contextOf(record), verifier: to };
  const check = { context, commitments: broadcast.value, proofs: proofs.value };
  return flawOfCommitments(parameters, peerIn(auxiliary, to).pedersen, peerIn(auxiliary, accused), check);
};

const receivers = ({ attempt }: SignedRecord): number => attempt.parties.length - 1;

const commitmentsOf = (record: SignedRecord): ReadonlyMap<PartyIndex, PresignCommitments> =>
  allOf(record, 1, commitmentsCodec(record.parameters));
const conversionsOf = (record: SignedRecord): ReadonlyMap<PartyIndex, Conversions> =>
  allOf(record, 2, conversionsCodec(record.parameters, receivers(record)));
const revealsOf = (record: SignedRecord): ReadonlyMap<PartyIndex, Reveal> => allOf(record, 3, revealCodec);

const round2 = (record: SignedRecord): string | undefined => {
  const { parameters, accused, attempt } = record;
  const broadcast = decode(conversionsCodec(parameters, receivers(record)), broadcastOf(record, 2, accused));
  if (!broadcast.ok) return `presign/2 decoding: ${broadcast.reason}`;
  const { to, payload } = directOf(record, 2);
  const proofs = decode(conversionProofsCodec(parameters), payload);
  if (!proofs.ok) return `presign/2 decoding: ${proofs.reason}`;
  const auxiliary = auxiliaryOf(record);
  const commitments = commitmentsOf(record);
  const { Gamma, proof, pairs } = broadcast.value;
  const pair = pairs[positionIn(attempt.parties, accused, to)] ?? notShown("no ciphertexts for the receiver");
  return flawOfConversions(parameters, peerIn(auxiliary, to), peerIn(auxiliary, accused), {
    context: { ...contextOf(record), verifier: to },
    committed: inOf(commitments, accused),
    Gamma,
    proof,
    publicShare: weightedShare(record, keyOf(record, CGGMP24), accused),
    K: inOf(commitments, to).K,
    pair,
    proofs: proofs.value,
  });
};

const gammaOf = (conversions: ReadonlyMap<PartyIndex, Conversions>): Point =>
  sumPoints([...conversions.values()].map(({ Gamma }) => Gamma));

const round3 = (record: SignedRecord): string | undefined => {
  const { accused } = record;
  const reveal = decode(revealCodec, broadcastOf(record, 3, accused));
  if (!reveal.ok) return `presign/3 decoding: ${reveal.reason}`;
  const Gamma = gammaOf(conversionsOf(record));
  if (!reveal.value.Gamma.equals(Gamma)) return "presign/3 Γ";
  const { Y, A1, A2 } = inOf(commitmentsOf(record), accused);
  const statement = { L: A1, M: A2, X: Y, Y: reveal.value.Delta, H: Gamma };
  const context = { ...contextOf(record), verifier: "all", position: "presign/3 Δ" } as const;
  return verifyElGamalLog(context, statement, reveal.value.proof) ? undefined : "presign/3 Πelog of Δ";
};

/**
 * Judges a dispute as any of its parties does: from the openings of those parties that opened, each of which
 * must agree with its signer's earlier messages. If another party's opening is false, the values of the
 * accused prove nothing.
 */
const round4 = (record: SignedRecord): string | undefined => {
  const { accused, attempt } = record;
  const openings = new Map<PartyIndex, DisputeOpening>();
  for (const party of [accused, ...attempt.parties].filter((one) => isShown(record, 4, one))) {
    const opening = readDisputeOpening(record.parameters, receivers(record), broadcastOf(record, 4, party));
    if (!opening.ok) {
      return party === accused
        ? `presign/4 decoding: ${opening.reason}`
        : notShown(`the opening of party ${party} is malformed`);
    }
    openings.set(party, opening.value);
  }
  const key = keyOf(record, CGGMP24);
  const auxiliary = auxiliaryOf(record);
  const [conversions, reveals] = [conversionsOf(record), revealsOf(record)];
  const product =
    failedProduct(key.publicKey, reveals) ?? notShown("the joint checks hold: there was no dispute");
  const members = attempt.parties.map(
    (index): Member => ({
      index,
      paillier: peerIn(auxiliary, index).paillier,
      publicShare: weightedShare(record, key, index),
    }),
  );
  const disputed: Disputed = { product, members, conversions, reveals, Gamma: gammaOf(conversions) };
  const first = findCulprit(disputed, openings, [accused]);
  const isAboutOpening = first?.check.startsWith("presign/4 opening") ?? false;
  if (isAboutOpening) return first?.check;
  const found = findCulprit(disputed, openings, attempt.parties);
  if (found?.check.startsWith("presign/4 opening") ?? false)
    return notShown("the opening of another party is false");
  return first?.check;
};

/** The check that the accused fails in a round of presigning; undefined when it passes. */
export const presigningFault = (record: SignedRecord, round: number): string | undefined => {
  switch (round) {
    case 1:
      return round1(record);
    case 2:
      return round2(record);
    case 3:
      return round3(record);
    case 4:
      return round4(record);
    default:
      return notShown("presigning has no such round");
  }
};
