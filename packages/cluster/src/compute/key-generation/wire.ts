import { fixedBytes, struct, uint, variableBytes } from "@conclave/threshold";
import { type Variant, variant } from "../tagged-union.ts";
import type { ComputeResult, ComputeTask } from "../task.ts";
import {
  PUBLIC_KEY_BYTES_MAX,
  partiesCodec,
  schemeCodec,
  secretBytes,
  sendCodec,
  textCodec,
} from "../wire-parts.ts";
import type { KeyGenerationTask, KeyResult } from "./task.ts";

export const openKeyVariant: Variant<ComputeTask> = variant(
  "open-key",
  (task) => (task.kind === "open-key" ? task : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<KeyGenerationTask, "kind">>({
    parties: partiesCodec,
    keyId: textCodec,
    scheme: schemeCodec,
    threshold: uint(1),
    epoch: uint(4),
  }),
);

export const keyVariant: Variant<ComputeResult> = variant(
  "key",
  (result) => (result.kind === "key" ? result : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<KeyResult, "kind">>({
    share: secretBytes,
    keyId: textCodec,
    publicKey: variableBytes(PUBLIC_KEY_BYTES_MAX),
    chainCode: fixedBytes(32),
    send: sendCodec,
  }),
);
