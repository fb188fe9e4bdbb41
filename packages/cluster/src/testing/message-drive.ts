import type { SchemeSignature, SignedAuthorisation } from "@conclave/custody";
import { type SchemeName, verifyEd25519 } from "@conclave/threshold";
import { seededEntropy } from "@conclave/threshold/testing";
import { schnorr } from "@noble/curves/secp256k1.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { SigningResult } from "../coordinator/effect.ts";
import { MESSAGE_ATTEMPT_MS } from "../coordinator/limits.ts";
import { openSigningCoordinator, stepSigningCoordinator } from "../coordinator/signing/signing.ts";
import type { KnownSigners } from "../interpreter/coordination.ts";
import type { SharedStandings } from "../interpreter/shared-standings.ts";
import { type ClusterOptions, type Outcome, TestCluster } from "./cluster.ts";
import { authoriseMessage, rosterOf } from "./fixtures.ts";
import { FROST_KEYS, type FrostKeyOf, frostPublicKey, frostRecords } from "./frost-records.ts";

export const [EDWARDS] = FROST_KEYS;
export const MESSAGE: Uint8Array = utf8ToBytes("pay Bob one token");

/** A cluster with FROST_KEYS. */
export const messageCluster = (options: ClusterOptions): TestCluster => {
  const { size = 5, threshold = 3 } = options;
  return new TestCluster({ records: frostRecords(size, threshold), ...options });
};

/** Whether a library other than FROST's own accepts the signature. */
export const isMessageSignature = (
  scheme: SchemeName,
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean =>
  scheme === "FROST-Ed25519"
    ? verifyEd25519(signature, message, publicKey) // OpenSSL
    : schnorr.verify(signature, message, publicKey);

interface MessageWish {
  readonly key?: FrostKeyOf;
  readonly message?: Uint8Array;
  readonly authorisation?: SignedAuthorisation;
  /** public key of a key that the cluster made; by default the dealt key's */
  readonly publicKey?: Uint8Array;
  readonly seed?: string;
  readonly standings?: SharedStandings;
}

/** Has a coordinator get one message signed; every signature that is reported is verified. */
export const signMessageOn = (cluster: TestCluster, wish: MessageWish = {}): Outcome<SigningResult> => {
  const { key = EDWARDS, message = MESSAGE } = wish;
  const size = cluster.nodes.size;
  const threshold = [...cluster.nodes.values()].flatMap(({ state }) => state?.config.threshold ?? [])[0] ?? 0;
  const publicKey = wish.publicKey ?? frostPublicKey(size, threshold, key);
  const config = {
    roster: rosterOf(size),
    threshold,
    keyId: key.keyId,
    authorisation: wish.authorisation ?? authoriseMessage(message, key),
    unsigned: new Uint8Array(0),
    dead: undefined,
    schemes: [key.scheme],
    verify: ([signature]: readonly SchemeSignature[]) =>
      signature !== undefined &&
      signature.scheme !== "CGGMP24" &&
      isMessageSignature(key.scheme, signature.bytes, message, publicKey),
    entropy: seededEntropy(`message-coordinator/${wish.seed ?? "1"}`),
    attemptMs: MESSAGE_ATTEMPT_MS,
    ...cluster.coordinatorClock,
  };
  const open = (known: KnownSigners, nowMs: number) => openSigningCoordinator(config, known, nowMs);
  return cluster.drive({ open, step: stepSigningCoordinator }, wish.standings);
};
