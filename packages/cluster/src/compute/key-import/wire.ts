import {
  countedList,
  IMPORT_ENVELOPE_BYTES_MAX,
  importRefusalCodec,
  PARTIES_MAX,
  struct,
  uint,
  variableBytes,
} from "@conclave/threshold";
import { type Variant, variant } from "../tagged-union.ts";
import type { ComputeResult, ComputeTask } from "../task.ts";
import { partiesCodec, schemeCodec, sendCodec, textCodec } from "../wire-parts.ts";
import type { ImportRefusedResult, KeyImportTask } from "./task.ts";

/** a flaw of every entry, and a difference in every field that is agreed upon */
const REFUSALS_MAX: number = PARTIES_MAX + 3;

export const openImportVariant: Variant<ComputeTask> = variant(
  "open-import",
  (task) => (task.kind === "open-import" ? task : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<KeyImportTask, "kind">>({
    parties: partiesCodec,
    keyId: textCodec,
    scheme: schemeCodec,
    threshold: uint(1),
    epoch: uint(4),
    places: countedList(uint(1), PARTIES_MAX),
    envelope: variableBytes(IMPORT_ENVELOPE_BYTES_MAX),
  }),
);

export const importRefusedVariant: Variant<ComputeResult> = variant(
  "import-refused",
  (result) => (result.kind === "import-refused" ? result : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<ImportRefusedResult, "kind">>({
    refusals: countedList(importRefusalCodec, REFUSALS_MAX),
    send: sendCodec,
  }),
);
