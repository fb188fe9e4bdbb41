import { countedList, fixedBytes, type Secret, struct, uint, variableBytes } from "@conclave/threshold";
import { type Variant, variant } from "../tagged-union.ts";
import type { ComputeResult, ComputeTask } from "../task.ts";
import {
  PUBLIC_KEY_BYTES_MAX,
  partiesCodec,
  STORED_BYTES_MAX,
  schemeCodec,
  secretBytes,
  sendCodec,
  textCodec,
} from "../wire-parts.ts";
import type { DealerReleasedResult, KeyChangedResult, RefreshTask, ReshareTask } from "./task.ts";

export const openRefreshVariant: Variant<ComputeTask> = variant(
  "open-refresh",
  (task) => (task.kind === "open-refresh" ? task : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<RefreshTask, "kind">>({
    parties: partiesCodec,
    scheme: schemeCodec,
    key: secretBytes,
    nextEpoch: uint(4),
  }),
);

interface ReshareFields extends Omit<ReshareTask, "kind" | "key"> {
  readonly key: readonly Secret<Uint8Array>[];
}

export const openReshareVariant: Variant<ComputeTask> = variant(
  "open-reshare",
  (task) =>
    task.kind === "open-reshare" ? { ...task, key: task.key === undefined ? [] : [task.key] } : undefined,
  (kind, { key: [key], ...fields }) => (key === undefined ? { kind, ...fields } : { kind, ...fields, key }),
  struct<ReshareFields>({
    parties: partiesCodec,
    scheme: schemeCodec,
    info: variableBytes(STORED_BYTES_MAX),
    key: countedList(secretBytes, 1),
    dealers: partiesCodec,
    receivers: partiesCodec,
    threshold: uint(1),
    nextEpoch: uint(4),
  }),
);

export const keyChangedVariant: Variant<ComputeResult> = variant(
  "key-changed",
  (result) => (result.kind === "key-changed" ? result : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<KeyChangedResult, "kind">>({
    share: secretBytes,
    keyId: textCodec,
    epoch: uint(4),
    publicKey: variableBytes(PUBLIC_KEY_BYTES_MAX),
    chainCode: fixedBytes(32),
    digest: fixedBytes(32),
    send: sendCodec,
  }),
);

export const dealerReleasedVariant: Variant<ComputeResult> = variant(
  "dealer-released",
  (result) => (result.kind === "dealer-released" ? result : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<DealerReleasedResult, "kind">>({
    keyId: textCodec,
    epoch: uint(4),
    digest: fixedBytes(32),
    send: sendCodec,
  }),
);
