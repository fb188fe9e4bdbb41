import { bitLength, gcd } from "../arithmetic/integers.ts";
import { type Codec, convert, countedList, natural, struct, text, uint } from "../codec.ts";
import { PARTIES_MAX, type PartyIndex, partyIndex } from "../fault.ts";
import {
  type PaillierPublicKey,
  type PaillierSecretKey,
  paillierPublicKey,
  paillierSecretKey,
} from "../paillier.ts";
import type { Parameters } from "../parameters.ts";
import { type OwnRingPedersen, ownRingPedersen, type RingPedersen } from "../ring-pedersen.ts";
import { Secret } from "../secret.ts";

/** The public auxiliary info of a party: its Paillier key N and its ring-Pedersen parameters (N^, s, t). */
export interface PeerAuxiliary {
  readonly paillier: PaillierPublicKey;
  readonly pedersen: RingPedersen;
}

/** The secret auxiliary info of a party: the factors of N and N^, and λ. */
export interface OwnAuxiliary {
  readonly paillier: PaillierSecretKey;
  readonly pedersen: OwnRingPedersen;
}

/** The output of auxiliary generation: independent of any key, and valid for all keys of these parties in this epoch. */
export interface AuxiliaryInfo {
  /** ascending, distinct */
  readonly parties: readonly PartyIndex[];
  readonly self: PartyIndex;
  readonly epoch: number;
  readonly parameters: Parameters;
  /** every party, self included */
  readonly peers: ReadonlyMap<PartyIndex, PeerAuxiliary>;
  readonly own: Secret<OwnAuxiliary>;
}

/** One party in stored auxiliary info. */
export interface StoredPeer {
  readonly index: number;
  readonly n: bigint;
  readonly nHat: bigint;
  readonly s: bigint;
  readonly t: bigint;
}

interface Stored {
  readonly parameters: string;
  readonly epoch: number;
  readonly self: number;
  readonly peers: readonly StoredPeer[];
  readonly p: bigint;
  readonly q: bigint;
  readonly pHat: bigint;
  readonly qHat: bigint;
  readonly lambda: bigint;
}

/** The longest name of a security level. */
export const NAME_BYTES_MAX = 32;

const format = (info: AuxiliaryInfo): Stored => {
  const { paillier, pedersen } = info.own.reveal();
  return {
    parameters: info.parameters.name,
    epoch: info.epoch,
    self: info.self,
    peers: [...info.peers].map(([index, peer]) => ({
      index,
      n: peer.paillier.n,
      nHat: peer.pedersen.n,
      s: peer.pedersen.s,
      t: peer.pedersen.t,
    })),
    p: paillier.factors.p,
    q: paillier.factors.q,
    pHat: pedersen.factors.p,
    qHat: pedersen.factors.q,
    lambda: pedersen.lambda,
  };
};

/** Parses the parties of stored info; undefined unless they are ascending. */
export const parsePeers = (
  stored: readonly StoredPeer[],
): ReadonlyMap<PartyIndex, PeerAuxiliary> | undefined => {
  const peers = new Map<PartyIndex, PeerAuxiliary>();
  let previous = 0;
  for (const { index, n, nHat, s, t } of stored) {
    const party = partyIndex(index);
    if (party === undefined || party <= previous) return undefined; // one canonical form: ascending
    previous = party;
    peers.set(party, { paillier: paillierPublicKey(n), pedersen: { n: nHat, s, t } });
  }
  return peers;
};

const parse =
  (parameters: Parameters) =>
  (stored: Stored): AuxiliaryInfo | undefined => {
    const peers = parsePeers(stored.peers);
    const self = partyIndex(stored.self);
    if (stored.parameters !== parameters.name || peers === undefined || self === undefined) return undefined;
    const shown = peers.get(self);
    if (shown === undefined) return undefined;
    const { p, q, pHat, qHat, lambda } = stored;
    if (![p, q, pHat, qHat].every((prime) => bitLength(prime) === parameters.primeBits)) return undefined;
    if (gcd(p, q) !== 1n || gcd(p * q, (p - 1n) * (q - 1n)) !== 1n || gcd(pHat, qHat) !== 1n)
      return undefined;
    if (p * q !== shown.paillier.n || pHat * qHat !== shown.pedersen.n) return undefined;
    const own: OwnAuxiliary = {
      paillier: paillierSecretKey(p, q),
      pedersen: ownRingPedersen(pHat, qHat, shown.pedersen.t, lambda),
    };
    if (own.pedersen.parameters.s !== shown.pedersen.s) return undefined;
    return { parties: [...peers.keys()], self, epoch: stored.epoch, parameters, peers, own: new Secret(own) };
  };

/**
 * Encodes auxiliary info (Figure 7, output) to canonical bytes for the sealed store, with its secrets in
 * plain. The bytes name the security level, and do not decode at another level than `parameters`.
 */
export const auxiliaryInfoCodec = (parameters: Parameters): Codec<AuxiliaryInfo> => {
  const prime = natural(parameters.primeBits);
  const element = natural(2 * parameters.primeBits);
  const peer = struct<StoredPeer>({ index: uint(1), n: element, nHat: element, s: element, t: element });
  const stored = struct<Stored>({
    parameters: text(NAME_BYTES_MAX),
    epoch: uint(4),
    self: uint(1),
    peers: countedList(peer, PARTIES_MAX),
    p: prime,
    q: prime,
    pHat: prime,
    qHat: prime,
    lambda: element,
  });
  return convert(stored, parse(parameters), format, "not the auxiliary info of this security level");
};
