import type { AuthorisedKey, SchemeSignature, SignedAuthorisation } from "@conclave/custody";
import type { Signature } from "@conclave/threshold";
import { insecureKeyShares, seededEntropy, testParties, testParty } from "@conclave/threshold/testing";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { openAuxiliaryCoordinator, stepAuxiliaryCoordinator } from "../coordinator/auxiliary/auxiliary.ts";
import type {
  AuxiliaryResult,
  KeyGenerationResult,
  PresigningResult,
  SigningResult,
} from "../coordinator/effect.ts";
import { openKeyCoordinator, stepKeyCoordinator } from "../coordinator/key-generation/key-generation.ts";
import {
  AUXILIARY_ATTEMPT_MS,
  KEY_ATTEMPT_MS,
  PRESIGNING_ATTEMPT_MS,
  SIGNING_ATTEMPT_MS,
} from "../coordinator/limits.ts";
import type { Listings, ReadyPresignature } from "../coordinator/presigning/inventory.ts";
import {
  openPresigningCoordinator,
  stepPresigningCoordinator,
} from "../coordinator/presigning/presigning.ts";
import { openSigningCoordinator, stepSigningCoordinator } from "../coordinator/signing/signing.ts";
import type { KnownSigners } from "../interpreter/coordination.ts";
import type { SharedStandings } from "../interpreter/shared-standings.ts";
import { listPresignatures } from "../signer/presigning/pool-status.ts";
import { signerStatus } from "../signer/signer.ts";
import type { Outcome, TestCluster } from "./cluster.ts";
import {
  authoriseAuxiliary,
  authorisedAnew,
  authoriseKey,
  authoriseTransfer,
  KEY_ID,
  rosterOf,
  transactionOf,
} from "./fixtures.ts";
import { allHeldKeys } from "./held-keys.ts";

/** The cluster's provisioned key, 33 bytes. */
export const publicKeyOf = (size: number, threshold: number): Uint8Array => {
  const [share] = insecureKeyShares(threshold, testParties(size), "cluster").values();
  if (share === undefined) throw new Error("a cluster has signers");
  return share.info.publicKey.toBytes(true);
};

/** Whether the signature over the digest verifies under the key, by another implementation than the signers'. */
export const isSignatureBy = (
  publicKey: Uint8Array,
  { r, s }: Pick<Signature, "r" | "s">,
  digest: Uint8Array,
): boolean => {
  const bytes = new secp256k1.Signature(r, s).toBytes("compact");
  return secp256k1.verify(bytes, digest, publicKey, { prehash: false, lowS: true });
};

export interface SigningWish {
  readonly request?: number;
  readonly keyId?: string;
  readonly transaction?: Uint8Array;
  /** the digest to sign, when it is not the transaction's hash */
  readonly digest?: Uint8Array;
  readonly authorisation?: SignedAuthorisation;
  readonly dead?: SignedAuthorisation;
  readonly publicKey?: Uint8Array;
  readonly attemptMs?: number;
  readonly standings?: SharedStandings;
  readonly seed?: string;
  readonly presignatures?: readonly ReadyPresignature[];
  /** whether the tiny engine signs, whose signatures are compared with the digest alone */
  readonly isTiny?: boolean;
}

/** Has a coordinator get one transaction signed; every signature that is reported is verified. */
export const signOn = (cluster: TestCluster, wish: SigningWish = {}): Outcome<SigningResult> => {
  const size = cluster.nodes.size;
  const threshold = thresholdOf(cluster);
  const keyId = wish.keyId ?? KEY_ID;
  const unsigned = wish.transaction ?? transactionOf(7);
  const digest = wish.digest ?? sha256(unsigned);
  const publicKey = wish.publicKey ?? publicKeyOf(size, threshold);
  const isTiny = wish.isTiny ?? false;
  const verify = ([signature]: readonly SchemeSignature[]): boolean => {
    if (signature?.scheme !== "CGGMP24") return false;
    return isTiny
      ? signature.r === BigInt(`0x${bytesToHex(digest)}`)
      : isSignatureBy(publicKey, signature, digest);
  };
  const schemes = ["CGGMP24"] as const;
  const config = {
    roster: rosterOf(size),
    threshold,
    keyId,
    authorisation:
      wish.authorisation ??
      authorisedAnew(authoriseTransfer(wish.request ?? 1, keyId), cluster.world.nowMs()),
    unsigned,
    dead: wish.dead,
    schemes,
    verify,
    entropy: seededEntropy(`coordinator/${wish.seed ?? "1"}`),
    attemptMs: wish.attemptMs ?? SIGNING_ATTEMPT_MS,
    ...cluster.coordinatorClock,
  };
  const { presignatures = [] } = wish;
  const open = (known: KnownSigners, nowMs: number) =>
    openSigningCoordinator(config, { ...known, presignatures }, nowMs);
  return cluster.drive({ open, step: stepSigningCoordinator }, wish.standings);
};

const thresholdOf = (cluster: TestCluster): number => {
  for (const { state } of cluster.nodes.values()) if (state !== undefined) return state.config.threshold;
  throw new Error("no signer is alive");
};

/** Has a coordinator make a key, and continue with shares that live signers already hold. */
export const generateKeyOn = (
  cluster: TestCluster,
  keyId: string,
  seed = "1",
  scheme: AuthorisedKey["scheme"] = "ECDSA",
  standings?: SharedStandings,
): Outcome<KeyGenerationResult> => {
  const size = cluster.nodes.size;
  const threshold = thresholdOf(cluster);
  const held = new Map(
    [...cluster.nodes.values()].flatMap((node) => {
      const { self } = node;
      const key = allHeldKeys(node).find((each) => each.keyId === keyId);
      return key === undefined ? [] : [[self, key] as const];
    }),
  );
  const config = {
    roster: rosterOf(size),
    keyId,
    authorisation: authoriseKey(keyId, threshold, scheme),
    entropy: seededEntropy(`key-coordinator/${seed}`),
    attemptMs: KEY_ATTEMPT_MS,
    ...cluster.coordinatorClock,
    yields: true,
  };
  const open = (known: KnownSigners, nowMs: number) => openKeyCoordinator(config, { ...known, held }, nowMs);
  return cluster.drive({ open, step: stepKeyCoordinator }, standings);
};

/** Has a coordinator bring auxiliary info to the cluster. */
export const generateAuxiliaryOn = (cluster: TestCluster, seed = "1", from = 0): Outcome<AuxiliaryResult> => {
  const held = new Map(
    [...cluster.nodes.values()].flatMap(({ self, state }) =>
      state === undefined ? [] : [[self, signerStatus(state).auxiliary] as const],
    ),
  );
  const roster = rosterOf(cluster.nodes.size);
  const authorise = (old: number, epoch: number) => authoriseAuxiliary(old, epoch, [...roster.keys()]);
  const certificates = [...cluster.nodes.values()].flatMap(
    ({ state }) => state?.auxiliary?.certificate ?? [],
  );
  const config = {
    roster,
    entropy: seededEntropy(`auxiliary-coordinator/${seed}`),
    attemptMs: AUXILIARY_ATTEMPT_MS,
    ...cluster.coordinatorClock,
    from,
    ...(from === 0 ? {} : { authorise }),
  };
  return cluster.drive({
    open: (known, nowMs) => openAuxiliaryCoordinator(config, { ...known, held, certificates }, nowMs),
    step: stepAuxiliaryCoordinator,
  });
};

/** Has a coordinator make one presignature with one quorum. */
export const presignOn = (
  cluster: TestCluster,
  signers: readonly number[],
  seed = "1",
  keyId = KEY_ID,
  standings?: SharedStandings,
): Outcome<PresigningResult> => {
  const config = {
    roster: rosterOf(cluster.nodes.size),
    keyId,
    quorum: signers.map(testParty),
    entropy: seededEntropy(`presigning-coordinator/${seed}`),
    attemptMs: PRESIGNING_ATTEMPT_MS,
    ...cluster.coordinatorClock,
  };
  const open = (known: KnownSigners, nowMs: number) => openPresigningCoordinator(config, known, nowMs);
  return cluster.drive({ open, step: stepPresigningCoordinator }, standings);
};

/** Makes a presignature with each of the sets, one after another. */
export const stockOn = (
  cluster: TestCluster,
  sets: readonly (readonly number[])[],
): readonly ReadyPresignature[] =>
  sets.map((signers, at) => {
    const outcome = presignOn(cluster, signers, `stock/${cluster.world.nowMs()}/${at}`);
    cluster.until(() => outcome.isClosed);
    if (outcome.result === undefined) throw new Error("no presignature was made");
    return outcome.result;
  });

/** The presignatures of each live signer, as an orchestrator would list them. */
export const listingsOf = (cluster: TestCluster): Listings =>
  new Map(
    [...cluster.nodes.values()].flatMap(({ self, state }) =>
      state === undefined ? [] : [[self, listPresignatures(state, cluster.world.nowMs())] as const],
    ),
  );
