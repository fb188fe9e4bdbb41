import { warmModulus } from "../arithmetic/openssl.ts";
import type { AuxiliaryInfo } from "../auxiliary/auxiliary-info.ts";
import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import { preparePaillierElGamal } from "../proofs/paillier-elgamal.ts";
import type { Secret } from "../secret.ts";
import { type Committed, prepareCommitments } from "./commitment-secrets.ts";
import { prepareConversion } from "./conversion.ts";
import { MASKS_PER_PEER, type PeerMasks, type PresignMasks } from "./masks.ts";

/** A store is full when it has the masks of so many presignings with every peer: some 10 KB each and peer. */
export const MASKED_RUNS_MAX = 2;

/** Masks that wait for their presignings: a value, for one auxiliary info. Never stored, never sent. */
export interface MaskStore {
  readonly auxiliary: AuxiliaryInfo;
  /** whose first power has still to be paid for */
  readonly coldModuli: readonly bigint[];
  readonly commitments: readonly Secret<Committed>[];
  /** every other party */
  readonly peers: ReadonlyMap<PartyIndex, PeerMasks>;
}

/** All moduli of a presigning's powers, ours and our peers'. */
const moduliOf = ({ own, peers, self }: AuxiliaryInfo): readonly bigint[] => {
  const { paillier, pedersen } = own.reveal();
  const { p, q, pSquared, qSquared } = paillier.factors;
  const theirs = [...peers].filter(([index]) => index !== self).map(([, peer]) => peer);
  return [
    ...[p, q, pSquared, qSquared, pedersen.factors.p, pedersen.factors.q],
    ...theirs.flatMap((peer) => [peer.paillier.n, peer.paillier.nSquared, peer.pedersen.n]),
  ];
};

/** An empty store. */
export const openMaskStore = (auxiliary: AuxiliaryInfo): MaskStore => ({
  auxiliary,
  coldModuli: moduliOf(auxiliary),
  commitments: [],
  peers: new Map(
    auxiliary.parties
      .filter((index) => index !== auxiliary.self)
      .map((index) => [index, { proofs: [], conversions: [] }]),
  ),
});

/** What somebody wants to find in a store. */
export interface MaskDemand {
  /** those that it is for; a party that the store does not know counts for nothing */
  readonly peers: readonly PartyIndex[];
  /** presignings with all of them */
  readonly runs: number;
}

const everything = ({ peers }: MaskStore): MaskDemand => ({
  peers: [...peers.keys()],
  runs: MASKED_RUNS_MAX,
});

type Lack =
  | { readonly kind: "warmth"; readonly modulus: bigint }
  | { readonly kind: "commitments" }
  | { readonly kind: keyof PeerMasks; readonly index: PartyIndex };

/** What is missing most: all that one presigning needs comes before anything of the next. */
const lackOf = (store: MaskStore, demand: MaskDemand = everything(store)): Lack | undefined => {
  const { coldModuli, commitments, peers } = store;
  const [modulus] = coldModuli;
  if (modulus !== undefined) return { kind: "warmth", modulus };
  const wanted = [...peers].filter(([index]) => demand.peers.includes(index));
  for (let runs = 1; runs <= demand.runs; runs++) {
    if (commitments.length < runs) return { kind: "commitments" };
    for (const [index, { proofs, conversions }] of wanted) {
      if (proofs.length < runs * MASKS_PER_PEER) return { kind: "proofs", index };
      if (conversions.length < runs * MASKS_PER_PEER) return { kind: "conversions", index };
    }
  }
  return undefined;
};

/** Whether nothing is left to be made ahead, of all that a store holds or of what is wanted. */
export const isFull = (store: MaskStore, demand?: MaskDemand): boolean => lackOf(store, demand) === undefined;

/** How many masks of proofs and conversions wait. */
export const masksHeld = ({ peers }: MaskStore): number =>
  [...peers.values()].reduce((sum, { proofs, conversions }) => sum + proofs.length + conversions.length, 0);

/** The store with one thing more of what it lacks: at 3072 bits below 0.15 s of work. The same store when it is full. */
export const fillMaskStore = (store: MaskStore, entropy: Entropy, demand?: MaskDemand): MaskStore => {
  const lack = lackOf(store, demand);
  if (lack === undefined) return store;
  switch (lack.kind) {
    case "warmth":
      warmModulus(lack.modulus);
      return { ...store, coldModuli: store.coldModuli.slice(1) };
    case "commitments": {
      const made = prepareCommitments(store.auxiliary.own.reveal(), entropy);
      return { ...store, commitments: [...store.commitments, made] };
    }
    case "proofs":
    case "conversions":
      return fillForPeer(store, lack.index, lack.kind, entropy);
  }
};

const fillForPeer = (
  store: MaskStore,
  index: PartyIndex,
  kind: keyof PeerMasks,
  entropy: Entropy,
): MaskStore => {
  const { parameters, own, peers } = store.auxiliary;
  const peer = peers.get(index);
  const held = store.peers.get(index);
  if (peer === undefined || held === undefined)
    throw new Error("a mask store is of the parties of its auxiliary info");
  const mine = own.reveal();
  const filled: PeerMasks =
    kind === "proofs"
      ? {
          ...held,
          proofs: [...held.proofs, preparePaillierElGamal(parameters, mine.paillier, peer.pedersen, entropy)],
        }
      : { ...held, conversions: [...held.conversions, prepareConversion(parameters, mine, peer, entropy)] };
  return { ...store, peers: new Map(store.peers).set(index, filled) };
};

/** What a presigning with these signers can use of what is there, and the store without it. */
export const takeMasks = (
  store: MaskStore,
  signers: readonly PartyIndex[],
): { readonly store: MaskStore; readonly masks: PresignMasks } => {
  const [commitments, ...rest] = store.commitments;
  const taken = new Map<PartyIndex, PeerMasks>();
  const left = new Map(store.peers);
  for (const signer of signers) {
    const held = left.get(signer);
    if (held === undefined) continue;
    const { proofs, conversions } = held;
    taken.set(signer, {
      proofs: proofs.slice(0, MASKS_PER_PEER),
      conversions: conversions.slice(0, MASKS_PER_PEER),
    });
    left.set(signer, {
      proofs: proofs.slice(MASKS_PER_PEER),
      conversions: conversions.slice(MASKS_PER_PEER),
    });
  }
  const masks = { peers: taken, ...(commitments === undefined ? {} : { commitments }) };
  return { store: { ...store, commitments: rest, peers: left }, masks };
};
