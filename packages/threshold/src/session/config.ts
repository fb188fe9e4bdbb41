import { ed25519 } from "@noble/curves/ed25519.js";
import type { PartyIndex } from "../fault.ts";
import type { Secret } from "../secret.ts";
import type { SessionId } from "./envelope.ts";

/** The pinned public keys of a peer, from the roster. */
export interface PeerKeys {
  /** Ed25519 public key, 32 bytes */
  readonly identity: Uint8Array;
  /** X25519 public key, 32 bytes */
  readonly encryption: Uint8Array;
}

/** The long-term secret keys of a party, 32 bytes each. */
export interface PartySecrets {
  /** Ed25519 */
  readonly identity: Uint8Array;
  /** X25519 */
  readonly encryption: Uint8Array;
}

/** The configuration of one party in one run: the parties, and the keys that authenticate them. */
export interface SessionConfig {
  readonly session: SessionId;
  readonly self: PartyIndex;
  /** all parties of this run, self included, ascending, distinct */
  readonly parties: readonly PartyIndex[];
  /** the keys of every other party; those of self may be included */
  readonly peers: ReadonlyMap<PartyIndex, PeerKeys>;
  readonly secrets: Secret<PartySecrets>;
  /**
   * The performer of the costly checks of several peers: "here" is the session itself, at once; "apart" is
   * the caller, for whom the session then stops (`pendingChecks`, `resume`). No other party can notice the
   * difference.
   */
  readonly checks?: "here" | "apart";
}

/** All parties of the run except one, ascending. */
export const partiesBut = (config: SessionConfig, excluded: PartyIndex): readonly PartyIndex[] =>
  config.parties.filter((party) => party !== excluded);

/** All parties of a run except ourselves, ascending. */
export const peersOf = ({
  parties,
  self,
}: {
  readonly parties: readonly PartyIndex[];
  readonly self: PartyIndex;
}): readonly PartyIndex[] => parties.filter((party) => party !== self);

/** The pinned keys of another party. @throws RangeError when it has none */
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

/** @throws RangeError when our own configuration is invalid: a bug of the caller, never caused by a peer */
export const assertConfig = (config: SessionConfig): void => {
  const { parties, self } = config;
  const ascending = parties.every((party, at) => at === 0 || party > (parties[at - 1] ?? party));
  if (!ascending) throw new RangeError("the parties of a session are ascending and distinct");
  if (!parties.includes(self)) throw new RangeError("we are not a party of this session");
  for (const party of peersOf(config)) keysOf(config, party);
};
