import { auxiliaryDecoders } from "./auxiliary-decoders.ts";
import { blameDecoders } from "./blame-decoders.ts";
import { checkDecoders } from "./check-decoders.ts";
import type { Decoder, Reader } from "./decoder.ts";
import { frostDecoders } from "./frost-decoders.ts";
import { importDecoders, importReaders } from "./import-decoders.ts";
import { keyDecoders } from "./key-decoders.ts";
import { presignDecoders } from "./presign-decoders.ts";
import { redistributionDecoders } from "./redistribution-decoders.ts";
import { sealedReader, sessionDecoders } from "./session-decoders.ts";

/** Every codec of this package that reads untrusted bytes. A test fails when one is missing. */
export const EVERY_DECODER: readonly Decoder[] = [
  ...sessionDecoders,
  ...keyDecoders,
  ...redistributionDecoders,
  ...auxiliaryDecoders,
  ...presignDecoders,
  ...checkDecoders,
  ...frostDecoders,
  ...importDecoders,
  ...blameDecoders,
];

/** All other functions of this package that read untrusted bytes. */
export const EVERY_OTHER_READER: readonly Reader[] = [sealedReader, ...importReaders];
