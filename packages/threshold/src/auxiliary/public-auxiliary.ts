import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type Codec, convert, countedList, natural, struct, text, uint } from "../codec.ts";
import { PARTIES_MAX, type PartyIndex } from "../fault.ts";
import type { Parameters } from "../parameters.ts";
import {
  type AuxiliaryInfo,
  NAME_BYTES_MAX,
  type PeerAuxiliary,
  parsePeers,
  type StoredPeer,
} from "./auxiliary-info.ts";

/** The public part of auxiliary info: equal at all its parties. */
export type PublicAuxiliary = Pick<AuxiliaryInfo, "epoch" | "peers" | "parameters">;

interface Stored {
  readonly parameters: string;
  readonly epoch: number;
  readonly peers: readonly StoredPeer[];
}

const storedOf = (peers: ReadonlyMap<PartyIndex, PeerAuxiliary>): readonly StoredPeer[] =>
  [...peers].map(([index, { paillier, pedersen }]) => ({
    index,
    n: paillier.n,
    nHat: pedersen.n,
    s: pedersen.s,
    t: pedersen.t,
  }));

/** Encodes the public part of auxiliary info, for third parties. The bytes do not decode at another security level. */
export const publicAuxiliaryCodec = (parameters: Parameters): Codec<PublicAuxiliary> => {
  const element = natural(2 * parameters.primeBits);
  const peer = struct<StoredPeer>({ index: uint(1), n: element, nHat: element, s: element, t: element });
  return convert(
    struct<Stored>({
      parameters: text(NAME_BYTES_MAX),
      epoch: uint(4),
      peers: countedList(peer, PARTIES_MAX),
    }),
    (stored) => {
      const peers = parsePeers(stored.peers);
      const isOfLevel = stored.parameters === parameters.name && peers !== undefined;
      return isOfLevel ? { parameters, epoch: stored.epoch, peers } : undefined;
    },
    ({ epoch, peers }) => ({ parameters: parameters.name, epoch, peers: storedOf(peers) }),
    "not public auxiliary info of this security level",
  );
};

/**
 * SHA-256 of the public part of auxiliary info: parties with equal digests hold equal moduli and bases for
 * all parties. JSON of numbers and hex strings in a fixed order is injective.
 */
export const publicAuxiliaryDigest = ({ parameters, epoch, peers }: PublicAuxiliary): Uint8Array => {
  const all = [...peers].map(([index, { paillier, pedersen }]) => [
    index,
    ...[paillier.n, pedersen.n, pedersen.s, pedersen.t].map((value) => value.toString(16)),
  ]);
  return sha256(utf8ToBytes(JSON.stringify(["conclave/v1/auxiliary-digest", parameters.name, epoch, all])));
};
