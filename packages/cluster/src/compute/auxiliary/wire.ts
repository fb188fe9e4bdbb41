import { type AuxiliaryPrimes, type Codec, fixedBytes, natural, struct, uint } from "@conclave/threshold";
import { type Variant, variant } from "../tagged-union.ts";
import type { ComputeResult, ComputeTask } from "../task.ts";
import { partiesCodec, secretBytes, secretOf, sendCodec } from "../wire-parts.ts";
import type { AuxiliaryTask, MadeAuxiliary } from "./task.ts";

const PRIME_BITS_MAX = 4096;

const primesCodec: Codec<AuxiliaryPrimes> = struct<AuxiliaryPrimes>({
  p: natural(PRIME_BITS_MAX),
  q: natural(PRIME_BITS_MAX),
  pHat: natural(PRIME_BITS_MAX),
  qHat: natural(PRIME_BITS_MAX),
});

export const openAuxiliaryVariant: Variant<ComputeTask> = variant(
  "open-auxiliary",
  (task) => (task.kind === "open-auxiliary" ? task : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<AuxiliaryTask, "kind">>({
    parties: partiesCodec,
    epoch: uint(4),
    primes: secretOf(primesCodec),
  }),
);

export const auxiliaryVariant: Variant<ComputeResult> = variant(
  "auxiliary",
  (result) => (result.kind === "auxiliary" ? result : undefined),
  (kind, fields) => ({ kind, ...fields }),
  struct<Omit<MadeAuxiliary, "kind">>({
    info: secretBytes,
    checksum: fixedBytes(32),
    epoch: uint(4),
    digest: fixedBytes(32),
    send: sendCodec,
  }),
);
