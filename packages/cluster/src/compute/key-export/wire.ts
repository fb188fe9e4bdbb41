import { boolean, IMPORT_ENVELOPE_BYTES_MAX, struct, variableBytes } from "@conclave/threshold";
import { type Variant, variant } from "../tagged-union.ts";
import type { ComputeResult, ComputeTask } from "../task.ts";
import { PUBLIC_KEY_BYTES_MAX, schemeCodec, secretBytes } from "../wire-parts.ts";
import type { ExportedResult, KeyExportTask } from "./task.ts";

const ENCRYPTION_KEY_BYTES_MAX = 66;

export const sealExportVariant: Variant<ComputeTask> = variant(
  "seal-export",
  (task) => (task.kind === "seal-export" ? task : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<KeyExportTask, "kind">>({
    scheme: schemeCodec,
    key: secretBytes,
    encryptionKey: variableBytes(ENCRYPTION_KEY_BYTES_MAX),
    withChainCode: boolean,
  }),
);

export const exportedVariant: Variant<ComputeResult> = variant(
  "exported",
  (result) => (result.kind === "exported" ? result : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<ExportedResult, "kind">>({
    envelope: variableBytes(IMPORT_ENVELOPE_BYTES_MAX),
    publicKey: variableBytes(PUBLIC_KEY_BYTES_MAX),
  }),
);
