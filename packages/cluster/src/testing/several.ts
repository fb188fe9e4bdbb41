import type { SchemeSignature, SignedAuthorisation } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { seededEntropy } from "@conclave/threshold/testing";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { SigningResult } from "../coordinator/effect.ts";
import { SIGNING_ATTEMPT_MS } from "../coordinator/limits.ts";
import type { ReadyPresignature } from "../coordinator/presigning/inventory.ts";
import { openSigningCoordinator, stepSigningCoordinator } from "../coordinator/signing/signing.ts";
import { type ClusterOptions, type Outcome, TestCluster } from "./cluster.ts";
import { isSignatureBy, publicKeyOf } from "./drive.ts";
import {
  authorisedTransferOf,
  KEY_ID,
  type Part,
  type Records,
  rosterOf,
  severalOf,
  sign,
  signableOf,
} from "./fixtures.ts";
import { FROST_KEYS, frostPublicKey, frostRecords } from "./frost-records.ts";
import { isMessageSignature } from "./message-drive.ts";

const [EDWARDS] = FROST_KEYS;
const SIZE = 3;
const THRESHOLD = 2;

/** Three signables: two for the wallet's ECDSA key, one for a cosigner's key. */
export const PARTS: readonly Part[] = [
  { scheme: "CGGMP24", text: "the first input" },
  { scheme: "CGGMP24", text: "the second input" },
  { scheme: "FROST-Ed25519", text: "the envelope" },
];

/** Authorises a transfer that the wallet's key and cosigners sign together. */
export const authoriseSeveral = (
  number = 1,
  cosigners: readonly string[] = [EDWARDS.keyId],
): SignedAuthorisation =>
  sign(utf8ToBytes(JSON.stringify(authorisedTransferOf(number, KEY_ID, undefined, cosigners))));

/** A cluster of 2 of 3, with the wallet's key and one of each scheme of FROST. */
export const severalCluster = (options: Partial<ClusterOptions> & { readonly seed: string }): TestCluster =>
  new TestCluster({ size: SIZE, threshold: THRESHOLD, records: frostRecords(SIZE, THRESHOLD), ...options });

/** A copy of the signers' records, with which another cluster can begin. */
export const recordsOf = (cluster: TestCluster): ReadonlyMap<PartyIndex, Records> =>
  new Map([...cluster.nodes].map(([self, { records }]) => [self, new Map(records)]));

const isRight = (signature: SchemeSignature, part: Part, isTiny: boolean): boolean => {
  const { bytes } = signableOf(part);
  if (signature.scheme !== part.scheme) return false;
  if (signature.scheme === "CGGMP24") {
    return isTiny
      ? signature.r === BigInt(`0x${bytesToHex(bytes)}`)
      : isSignatureBy(publicKeyOf(SIZE, THRESHOLD), signature, bytes);
  }
  const publicKey = frostPublicKey(SIZE, THRESHOLD, EDWARDS);
  return isTiny || isMessageSignature(signature.scheme, signature.bytes, bytes, publicKey);
};

interface SeveralWish {
  readonly authorisation?: SignedAuthorisation;
  readonly parts?: readonly Part[];
  readonly presignatures?: readonly ReadyPresignature[];
  readonly isTiny?: boolean;
  readonly seed?: string;
}

/** Has a coordinator get all parts of a transaction signed; every reported signature is verified. */
export const signSeveralOn = (cluster: TestCluster, wish: SeveralWish = {}): Outcome<SigningResult> => {
  const { parts = PARTS, presignatures = [], isTiny = false } = wish;
  const config = {
    roster: rosterOf(SIZE),
    threshold: THRESHOLD,
    keyId: KEY_ID,
    authorisation: wish.authorisation ?? authoriseSeveral(),
    unsigned: severalOf(7, parts),
    dead: undefined,
    schemes: parts.map(({ scheme }) => scheme),
    verify: (signatures: readonly SchemeSignature[]) =>
      signatures.every((signature, at) => {
        const part = parts[at];
        return part !== undefined && isRight(signature, part, isTiny);
      }),
    entropy: seededEntropy(`several/${wish.seed ?? "1"}`),
    attemptMs: SIGNING_ATTEMPT_MS,
    ...cluster.coordinatorClock,
  };
  return cluster.drive({
    open: (known, nowMs) => openSigningCoordinator(config, { ...known, presignatures }, nowMs),
    step: stepSigningCoordinator,
  });
};
