import {
  type Codec,
  convert,
  countedList,
  FROST_MESSAGE_BYTES_MAX,
  fixedBytes,
  MERKLE_ROOT_BYTES,
  natural,
  type Signature,
  struct,
  uint,
  variableBytes,
} from "@conclave/threshold";
import { type Variant, variant } from "../tagged-union.ts";
import type { ComputeResult, ComputeTask } from "../task.ts";
import { partiesCodec, schemeCodec, secretBytes, sendCodec, textCodec } from "../wire-parts.ts";
import { DIGEST_SOURCES, type ObservedDigest } from "./observed-digest.ts";
import type {
  FrostSignatureResult,
  FrostTask,
  PooledSigningTask,
  SignatureResult,
  SigningTask,
} from "./task.ts";

const observedDigestCodec: Codec<ObservedDigest> = convert(
  struct<{ source: number; bytes: Uint8Array }>({ source: uint(1), bytes: fixedBytes(32) }),
  ({ source, bytes }): ObservedDigest | undefined => {
    const from = DIGEST_SOURCES[source];
    return from === undefined ? undefined : { from, bytes };
  },
  ({ from, bytes }) => ({ source: DIGEST_SOURCES.indexOf(from), bytes }),
  "not an observed digest",
);

export const openSigningVariant: Variant<ComputeTask> = variant(
  "open-signing",
  (task) => (task.kind === "open-signing" ? task : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<SigningTask, "kind">>({ digest: fixedBytes(32) }),
);

export const openPooledSigningVariant: Variant<ComputeTask> = variant(
  "open-pooled-signing",
  (task) => (task.kind === "open-pooled-signing" ? task : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<PooledSigningTask, "kind">>({
    id: textCodec,
    presignature: secretBytes,
    key: struct<PooledSigningTask["key"]>({ keyId: textCodec, epoch: uint(4) }),
    digest: observedDigestCodec,
  }),
);

export const openFrostVariant: Variant<ComputeTask> = variant(
  "open-frost",
  (task) =>
    task.kind === "open-frost"
      ? { ...task, merkleRoot: task.merkleRoot === undefined ? [] : [task.merkleRoot] }
      : undefined,
  (kind, { merkleRoot: [merkleRoot], ...fields }) =>
    merkleRoot === undefined ? { kind, ...fields } : { kind, ...fields, merkleRoot },
  struct<Omit<FrostTask, "kind" | "merkleRoot"> & { readonly merkleRoot: readonly Uint8Array[] }>({
    signers: partiesCodec,
    scheme: schemeCodec,
    key: secretBytes,
    message: variableBytes(FROST_MESSAGE_BYTES_MAX),
    merkleRoot: countedList(fixedBytes(MERKLE_ROOT_BYTES), 1),
  }),
);

const RECOVERIES: readonly Signature["recovery"][] = [0, 1];
const signatureCodec: Codec<Signature> = struct<Signature>({
  r: natural(256),
  s: natural(256),
  recovery: convert(
    uint(1),
    (value) => RECOVERIES.find((known) => known === value),
    (value) => value,
    "not a recovery id",
  ),
});

export const signatureVariant: Variant<ComputeResult> = variant(
  "signature",
  (result) => (result.kind === "signature" ? result : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<SignatureResult, "kind">>({ signature: signatureCodec, send: sendCodec }),
);

export const frostSignatureVariant: Variant<ComputeResult> = variant(
  "frost-signature",
  (result) => (result.kind === "frost-signature" ? result : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<FrostSignatureResult, "kind">>({ signature: fixedBytes(64), send: sendCodec }),
);
