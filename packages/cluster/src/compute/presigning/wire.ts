import { boolean, type Codec, convert, struct } from "@conclave/threshold";
import { type Variant, variant } from "../tagged-union.ts";
import type { ComputeResult, ComputeTask } from "../task.ts";
import { partiesCodec, secretBytes, sendCodec, textCodec } from "../wire-parts.ts";
import type { PresignatureResult, PresignedResult, PresigningPurpose, PresigningTask } from "./task.ts";

const purposeCodec: Codec<PresigningPurpose> = convert(
  boolean,
  (isForPool) => (isForPool ? "pool" : "request"),
  (purpose) => purpose === "pool",
  "not a purpose",
);

export const openPresigningVariant: Variant<ComputeTask> = variant(
  "open-presigning",
  (task) => (task.kind === "open-presigning" ? task : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<PresigningTask, "kind">>({
    purpose: purposeCodec,
    signers: partiesCodec,
    key: secretBytes,
    auxiliary: secretBytes,
  }),
);

export const exportPresignatureVariant: Variant<ComputeTask> = variant(
  "export-presignature",
  (task) => (task.kind === "export-presignature" ? {} : undefined),
  (kind) => ({ kind }),
  struct<object>({}),
);

export const presignedVariant: Variant<ComputeResult> = variant(
  "presigned",
  (result) => (result.kind === "presigned" ? result : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<PresignedResult, "kind">>({ send: sendCodec }),
);

export const presignatureVariant: Variant<ComputeResult> = variant(
  "presignature",
  (result) => (result.kind === "presignature" ? result : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<PresignatureResult, "kind">>({ id: textCodec, presignature: secretBytes }),
);
