import { type Codec, type Decoded, decode, encode, type Source } from "../../codec.ts";

/** A codec that reads bytes from outside: a peer's message, or what rests in a store. */
export interface Decoder {
  /** the file below src that exports it, and its name there */
  readonly codec: string;
  /** which of its forms, where it has several */
  readonly form: string;
  /** what honest parties send or store */
  readonly samples: readonly Uint8Array[];
  /** the payload limit of the round that reads it; undefined where no round does */
  readonly roundBytesMax: number | undefined;
  /** how many of the strings of a test are bent honest ones; fewer where each costs long arithmetic */
  readonly bent: number;
  /**
   * Shorter strings end before anything costly. Where a point costs a millisecond nearly all random strings stay below
   * this length; the bent ones do not.
   */
  readonly cheapBytes: number;
  /** Decodes the bytes and encodes again what they hold. */
  readonly recode: (bytes: Uint8Array) => Decoded<Uint8Array>;
  /** Reads without asking whether the bytes end with the message; throws on what is malformed. */
  readonly read: (source: Source) => unknown;
}

type Options = Partial<Pick<Decoder, "form" | "roundBytesMax" | "bent" | "cheapBytes">>;

const BENT = 4000;

/** @param name the file below src, and the name of the codec that it exports */
export const decoder = <T>(
  name: string,
  codec: Codec<T>,
  samples: readonly Uint8Array[],
  { form = "", roundBytesMax, bent = BENT, cheapBytes = Number.POSITIVE_INFINITY }: Options = {},
): Decoder => ({
  codec: name,
  form,
  samples,
  roundBytesMax,
  bent,
  cheapBytes,
  recode: (bytes) => {
    const decoded = decode(codec, bytes);
    return decoded.ok ? { ok: true, value: encode(codec, decoded.value) } : decoded;
  },
  read: (source) => codec.read(source),
});

export const titleOf = ({ codec, form }: Decoder): string => (form === "" ? codec : `${codec} (${form})`);
