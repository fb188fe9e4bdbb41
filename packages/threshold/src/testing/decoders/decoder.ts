import { type Codec, type Decoded, decode, encode, type Source } from "../../codec.ts";

/** A function that reads untrusted bytes: a peer's message, a client's envelope, a stored record. */
export interface Reader {
  /** the file below src that exports the function, and the name of the export */
  readonly name: string;
  /** the variant, when there are several; otherwise empty */
  readonly form: string;
  /** bytes that honest parties send or store */
  readonly samples: readonly Uint8Array[];
  /** number of test strings made by changing honest ones; fewer where each costs long arithmetic */
  readonly bent: number;
  /**
   * Shorter strings are refused before costly work. Where a point costs a millisecond, nearly all random
   * strings are shorter than this; changed honest ones are not.
   */
  readonly cheapBytes: number;
  /** Decodes the bytes and encodes the value again; returns the bytes unchanged where there is no encoder. */
  readonly recode: (bytes: Uint8Array) => Decoded<Uint8Array>;
}

/** A codec that reads untrusted bytes. */
export interface Decoder extends Reader {
  /** the payload limit of the round that reads it; undefined where no round does */
  readonly roundBytesMax: number | undefined;
  /** Decodes without checking for surplus bytes; throws on malformed bytes. */
  readonly read: (source: Source) => unknown;
}

type Options = Partial<Pick<Decoder, "form" | "roundBytesMax" | "bent" | "cheapBytes">>;

const BENT = 3000;

/** A reader that is not a codec. @param name the file below src, and the name of the export */
export const reader = (
  name: string,
  samples: readonly Uint8Array[],
  recode: Reader["recode"],
  { form = "", bent = BENT, cheapBytes = Number.POSITIVE_INFINITY }: Options = {},
): Reader => ({ name, form, samples, bent, cheapBytes, recode });

/** The reader of a codec. @param name the file below src, and the name of the codec that it exports */
export const decoder = <T>(
  name: string,
  codec: Codec<T>,
  samples: readonly Uint8Array[],
  options: Options = {},
): Decoder => {
  const recode = (bytes: Uint8Array): Decoded<Uint8Array> => {
    const decoded = decode(codec, bytes);
    return decoded.ok ? { ok: true, value: encode(codec, decoded.value) } : decoded;
  };
  return {
    ...reader(name, samples, recode, options),
    roundBytesMax: options.roundBytesMax,
    read: (source) => codec.read(source),
  };
};

export const titleOf = ({ name, form }: Reader): string => (form === "" ? name : `${name} (${form})`);
