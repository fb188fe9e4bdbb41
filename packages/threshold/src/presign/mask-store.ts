import { warmModulus } from "../arithmetic/openssl.ts";
import type { AuxiliaryInfo } from "../auxiliary/auxiliary-info.ts";
import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import { preparePaillierElGamal } from "../proofs/paillier-elgamal.ts";
import type { Secret } from "../secret.ts";
import { type Committed, prepareCommitments } from "./commitment-secrets.ts";
import { prepareConversion } from "./conversion.ts";
import { MASKS_PER_PEER, type PeerMasks, type PresignMasks } from "./masks.ts";

/** The presignings with every peer for which a full store has masks: some 10 KB for each presigning and peer. */
export const MASKED_RUNS_MAX = 2;

/**
 * Precomputed masks for later presignings with one auxiliary info; immutable. Never written to disk, never
 * sent.
 */
export interface MaskStore {
  readonly auxiliary: AuxiliaryInfo;
  /** moduli that OpenSSL has not prepared yet (warmModulus) */
  readonly coldModuli: readonly bigint[];
  readonly commitments: readonly Secret<Committed>[];
  /** of every other party */
  readonly peers: ReadonlyMap<PartyIndex, PeerMasks>;
}

/** The moduli of all powers in a presigning, ours and our peers'. */
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

/** The masks that a caller wants in a store. */
interface MaskDemand {
  /** the peers of the presignings; a party that the store does not know is ignored */
  readonly peers: readonly PartyIndex[];
  /** number of presignings with these peers */
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

/** The next missing item: all items of one presigning come before any item of the next. */
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

/** Whether nothing is left to precompute. @param demand the wanted masks; absent: those of a full store */
export const isFull = (store: MaskStore, demand?: MaskDemand): boolean => lackOf(store, demand) === undefined;

/** The number of masks for proofs and conversions in a store. */
export const masksHeld = ({ peers }: MaskStore): number =>
  [...peers.values()].reduce((sum, { proofs, conversions }) => sum + proofs.length + conversions.length, 0);

/** The store with one more item: less than 0.15 s of work at 3072 bits. A full store is returned unchanged. */
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

/** Takes the masks that a presigning with these signers can use: returns them, and the store without them. */
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
