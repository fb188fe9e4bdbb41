import { absolute, isUnit } from "../arithmetic/integers.ts";
import type { Accusation, PartyIndex } from "../fault.ts";
import { combinePublic, GENERATOR, multiplyBase, multiplyPublic, type Point, scalar } from "../group.ts";
import { type Ciphertext, encrypt, type PaillierPublicKey } from "../paillier.ts";
import type { Conversions, DisputeOpening, Plaintext, Product, Reveal } from "./messages.ts";
import { type Peer, positionIn } from "./run.ts";

/** The public values by which a signer is judged: index, Paillier key and λ_i·X_i. */
export type Member = Pick<Peer, "index" | "paillier" | "publicShare">;

/** The values that all signers agreed on by echo before the joint check of this product failed; all public. */
export interface Disputed {
  readonly product: Product;
  /** every signer, ascending */
  readonly members: readonly Member[];
  readonly conversions: ReadonlyMap<PartyIndex, Conversions>;
  readonly reveals: ReadonlyMap<PartyIndex, Reveal>;
  /** Γ = Σ Γ_j, not the identity */
  readonly Gamma: Point;
}

type Openings = ReadonlyMap<PartyIndex, DisputeOpening>;

const of = <T>(all: ReadonlyMap<number, T>, index: number): T => {
  const one = all.get(index);
  if (one === undefined) throw new Error("a dispute has the messages of every signer");
  return one;
};

/** D_ij or D^_ij: the ciphertext that the sender made for the receiver, under the receiver's key. */
export const ciphertextFor = (
  signers: readonly PartyIndex[],
  conversions: ReadonlyMap<number, Conversions>,
  sender: PartyIndex,
  receiver: PartyIndex,
  product: Product,
): Ciphertext => {
  const pair = of(conversions, sender).pairs[positionIn(signers, sender, receiver)];
  if (pair === undefined) throw new Error("the codec fixes the length of the list");
  return pair[product].D;
};

/** F_ij of the nonce's conversion, under the sender's own key: it encrypts the -β_ij that D_ij adds. */
export const offsetFor = (
  signers: readonly PartyIndex[],
  conversions: ReadonlyMap<number, Conversions>,
  sender: PartyIndex,
  receiver: PartyIndex,
): Ciphertext => {
  const pair = of(conversions, sender).pairs[positionIn(signers, sender, receiver)];
  if (pair === undefined) throw new Error("the codec fixes the length of the list");
  return pair.nonce.F;
};

const CIPHERTEXT_NAMES = { nonce: "D", key: "D^" } as const satisfies Record<Product, string>;

const isPlaintextOf = (key: PaillierPublicKey, D: Ciphertext, { alpha, root }: Plaintext): boolean =>
  2n * absolute(alpha) < key.n && isUnit(root, key.n) && encrypt(key, alpha, root) === D;

/** The first part of an opening that contradicts the signer's earlier messages; undefined when none does. */
const lieIn = (
  disputed: Disputed,
  { index, paillier }: Member,
  opening: DisputeOpening,
): string | undefined => {
  const { product, members, conversions, reveals, Gamma } = disputed;
  if (!multiplyBase(opening.gamma).equals(of(conversions, index).Gamma)) return "opening of γ";
  if (!multiplyPublic(Gamma, opening.k).equals(of(reveals, index).Delta)) return "opening of k";
  const signers = members.map((member) => member.index);
  const senders = signers.filter((signer) => signer !== index);
  const isOpen = senders.every((sender, at) => {
    const D = ciphertextFor(signers, conversions, sender, index, product);
    const plaintext = opening.plaintexts[at];
    return plaintext !== undefined && isPlaintextOf(paillier, D, plaintext);
  });
  if (!isOpen) return `opening of ${CIPHERTEXT_NAMES[product]}`;
  const isOffset = (offset: Plaintext, at: number): boolean => {
    const receiver = senders[at];
    return (
      receiver !== undefined &&
      isPlaintextOf(paillier, offsetFor(signers, conversions, index, receiver), offset)
    );
  };
  return opening.offsets.every(isOffset) ? undefined : "opening of F";
};

/** Σ_j (α_ij - α_ji): the signer's sum minus its own factor times k. */
const balanceOf = (openings: Openings, signers: readonly PartyIndex[], index: PartyIndex): bigint => {
  const received = of(openings, index).plaintexts.reduce((sum, { alpha }) => sum + alpha, 0n);
  const given = signers
    .filter((signer) => signer !== index)
    .map((signer) => of(openings, signer).plaintexts[positionIn(signers, signer, index)]?.alpha ?? 0n)
    .reduce((sum, alpha) => sum + alpha, 0n);
  return received - given;
};

const sumOver = (openings: Openings, part: "k" | "gamma"): bigint =>
  [...openings.values()].reduce((sum, opening) => sum + opening[part], 0n);

/**
 * Whether a signer's δ_i follows from the openings of all others, which passed their own checks. Uses no
 * opening of the signer itself: with the k_i that Πelog bound to Δ_i = k_i·Γ,
 *
 *   δ_i·G = Δ_i + Σ_j (k_j·Γ_i - α_ji·G - β_ji·G)      because α_ij = γ_j·k_i - β_ji and β_ij = γ_i·k_j - α_ji
 */
const isDeltaOf = (
  { members, conversions, reveals }: Disputed,
  index: PartyIndex,
  openings: Openings,
): boolean => {
  const signers = members.map((member) => member.index);
  const { Gamma } = of(conversions, index);
  const { delta, Delta } = of(reveals, index);
  let [k, offset] = [0n, 0n];
  for (const other of signers.filter((signer) => signer !== index)) {
    const opening = of(openings, other);
    const at = positionIn(signers, other, index);
    k += opening.k;
    offset += (opening.offsets[at]?.alpha ?? 0n) - (opening.plaintexts[at]?.alpha ?? 0n);
  }
  return Delta.add(combinePublic(Gamma, scalar(k), GENERATOR, scalar(offset))).equals(multiplyBase(delta));
};

/**
 * Whether judging a signer's part needs its own opening: S always does, δ only if another's opening, of an
 * older version, lacks offsets.
 */
const takesOwnOpening = ({ product }: Disputed, index: PartyIndex, openings: Openings): boolean =>
  product === "key" || [...openings].some(([other, { offsets }]) => other !== index && offsets.length === 0);

/** Whether all openings have arrived that are needed to judge a signer's part. */
const isJudgeable = (disputed: Disputed, index: PartyIndex, openings: Openings): boolean =>
  disputed.members.every(
    (member) =>
      openings.has(member.index) || (member.index === index && !takesOwnOpening(disputed, index, openings)),
  );

/** Whether a signer's part of the product follows from the openings, which passed their own checks. */
const isPartOf = (disputed: Disputed, { index, publicShare }: Member, openings: Openings): boolean => {
  const { product, members, reveals } = disputed;
  const signers = members.map((member) => member.index);
  if (!takesOwnOpening(disputed, index, openings)) return isDeltaOf(disputed, index, openings);
  const balance = balanceOf(openings, signers, index);
  const k = sumOver(openings, "k");
  const { delta, S } = of(reveals, index);
  switch (product) {
    case "nonce":
      return scalar(of(openings, index).gamma * k + balance) === delta;
    case "key": {
      const chi = combinePublic(publicShare, k, GENERATOR, balance);
      return multiplyPublic(chi, sumOver(openings, "gamma")).equals(S);
    }
  }
};

const PART_NAMES = { nonce: "δ", key: "S" } as const satisfies Record<Product, string>;

/**
 * Finds the signer that made a joint check fail: first a signer whose opening contradicts its earlier
 * messages, because the judgement of every part uses it; then a signer whose part does not follow from the
 * openings. A part of the nonce is judged without its signer's own opening. All inputs are public values, so
 * third parties find the same culprit.
 *
 * @param openings of those members that opened, with one plaintext and one offset for every other member,
 * ascending
 * @param suspects the members that may be named; a judging party leaves itself out
 * @returns undefined when the openings and parts of all suspects are right; those of all members never are
 * (dispute.ts)
 */
export const findCulprit = (
  disputed: Disputed,
  openings: Openings,
  suspects: readonly PartyIndex[],
): Accusation | undefined => {
  const judged = disputed.members.filter(({ index }) => suspects.includes(index));
  for (const member of judged) {
    const opening = openings.get(member.index);
    const lie = opening && lieIn(disputed, member, opening);
    if (lie !== undefined) return { culprit: member.index, check: `presign/4 ${lie}` };
  }
  const wrong = judged.find(
    (member) => isJudgeable(disputed, member.index, openings) && !isPartOf(disputed, member, openings),
  );
  return wrong && { culprit: wrong.index, check: `presign/4 ${PART_NAMES[disputed.product]}` };
};
