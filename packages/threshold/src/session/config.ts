import { ed25519 } from "@noble/curves/ed25519.js";
import type { PartyIndex } from "../fault.ts";
import type { Secret } from "../secret.ts";
import type { SessionId } from "./envelope.ts";

/** A peer as the session knows it: pinned keys from the roster. */
export interface PeerKeys {
  /** Ed25519 public key, 32 bytes */
  readonly identity: Uint8Array;
  /** X25519 public key, 32 bytes */
  readonly encryption: Uint8Array;
}

/** The secret keys of a party, 32 bytes each. */
export interface PartySecrets {
  /** Ed25519 */
  readonly identity: Uint8Array;
  /** X25519 */
  readonly encryption: Uint8Array;
}

/** One party's side of one run: who takes part, and the keys by which they know each other. */
export interface SessionConfig {
  readonly session: SessionId;
  readonly self: PartyIndex;
  /** all parties of this run, self included, ascending, distinct */
  readonly parties: readonly PartyIndex[];
  /** the keys of every other party; those of self may be there or not */
  readonly peers: ReadonlyMap<PartyIndex, PeerKeys>;
  readonly secrets: Secret<PartySecrets>;
  /**
   * Where the costly checks of several peers are done: at once where the session is, or by the caller, for whom the
   * session then stops (`pendingChecks`, `resume`). Nobody else can tell.
   */
  readonly checks?: "here" | "apart";
}

/** The parties of the run but one, ascending. */
export const partiesBut = (config: SessionConfig, excluded: PartyIndex): readonly PartyIndex[] =>
  config.parties.filter((party) => party !== excluded);

/** The pinned keys of another party. */
export const keysOf = (config: SessionConfig, party: PartyIndex): PeerKeys => {
  const keys = config.peers.get(party);
  if (keys === undefined) throw new RangeError(`no pinned keys for party ${party}`);
  return keys;
};

/** The Ed25519 public key of any party, self included. */
export const identityOf = (config: SessionConfig, party: PartyIndex): Uint8Array =>
  party === config.self
    ? ed25519.getPublicKey(config.secrets.reveal().identity)
    : keysOf(config, party).identity;

/** Throws when a configuration of our own making is unfit: an invariant of the caller, not of a peer. */
export const assertConfig = (config: SessionConfig): void => {
  const { parties, self } = config;
  const ascending = parties.every((party, at) => at === 0 || party > (parties[at - 1] ?? party));
  if (!ascending) throw new RangeError("the parties of a session are ascending and distinct");
  if (!parties.includes(self)) throw new RangeError("we are not a party of this session");
  for (const party of partiesBut(config, self)) keysOf(config, party);
};
