import {
  boolean,
  countedList,
  type Envelope,
  IMPORT_ENVELOPE_BYTES_MAX,
  type ImportRefusal,
  importRefusalCodec,
  PARTIES_MAX,
  struct,
  uint,
  variableBytes,
} from "@conclave/threshold";
import { type Variant, variant } from "./tagged-union.ts";
import type { ComputeResult, ComputeTask } from "./task.ts";
import { partiesCodec, schemeCodec, secretBytes, sendCodec, textCodec } from "./wire-parts.ts";

// Import and export on the compute wire (wire.ts).

const ENCRYPTION_KEY_BYTES_MAX = 66;
const PUBLIC_KEY_BYTES_MAX = 33;
/** a flaw of every entry, and a difference in every field that is agreed upon */
const REFUSALS_MAX: number = PARTIES_MAX + 3;

type TaskOf<K extends ComputeTask["kind"]> = Extract<ComputeTask, { readonly kind: K }>;
type ResultOf<K extends ComputeResult["kind"]> = Extract<ComputeResult, { readonly kind: K }>;

export const PASSAGE_TASKS: readonly Variant<ComputeTask>[] = [
  variant(
    "open-import",
    (task) => (task.kind === "open-import" ? task : undefined),
    (kind, fields) => ({ kind, ...fields }),
    struct<Omit<TaskOf<"open-import">, "kind">>({
      parties: partiesCodec,
      keyId: textCodec,
      scheme: schemeCodec,
      threshold: uint(1),
      epoch: uint(4),
      places: countedList(uint(1), PARTIES_MAX),
      envelope: variableBytes(IMPORT_ENVELOPE_BYTES_MAX),
    }),
  ),
  variant(
    "seal-export",
    (task) => (task.kind === "seal-export" ? task : undefined),
    (kind, fields) => ({ kind, ...fields }),
    struct<Omit<TaskOf<"seal-export">, "kind">>({
      scheme: schemeCodec,
      key: secretBytes,
      encryptionKey: variableBytes(ENCRYPTION_KEY_BYTES_MAX),
      withChainCode: boolean,
    }),
  ),
];

interface RefusedFields {
  readonly refusals: readonly ImportRefusal[];
  readonly send: readonly Envelope[];
}

export const PASSAGE_RESULTS: readonly Variant<ComputeResult>[] = [
  variant(
    "import-refused",
    (result) => (result.kind === "import-refused" ? result : undefined),
    (kind, fields) => ({ kind, ...fields }),
    struct<RefusedFields>({
      refusals: countedList(importRefusalCodec, REFUSALS_MAX),
      send: sendCodec,
    }),
  ),
  variant(
    "exported",
    (result) => (result.kind === "exported" ? result : undefined),
    (kind, fields) => ({ kind, ...fields }),
    struct<Omit<ResultOf<"exported">, "kind">>({
      envelope: variableBytes(IMPORT_ENVELOPE_BYTES_MAX),
      publicKey: variableBytes(PUBLIC_KEY_BYTES_MAX),
    }),
  ),
];
