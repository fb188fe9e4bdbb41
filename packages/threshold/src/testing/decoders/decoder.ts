import { type Codec, type Decoded, decode, encode, type Source } from "../../codec.ts";

/** What reads bytes from outside: a peer's message, a client's envelope, what rests in a store. */
export interface Reader {
  /** the file below src that exports it, and its name there */
  readonly name: string;
  /** which of its forms, where it has several */
  readonly form: string;
  /** what honest parties send or store */
  readonly samples: readonly Uint8Array[];
  /** how many of the strings of a test are bent honest ones; fewer where each costs long arithmetic */
  readonly bent: number;
  /**
   * Shorter strings end before anything costly. Where a point costs a millisecond nearly all random strings stay below
   * this length; the bent ones do not.
   */
  readonly cheapBytes: number;
  /** Reads the bytes and writes again what they hold; where nobody writes that, gives the bytes as they came. */
  readonly recode: (bytes: Uint8Array) => Decoded<Uint8Array>;
}

/** A codec that reads bytes from outside. */
export interface Decoder extends Reader {
  /** the payload limit of the round that reads it; undefined where no round does */
  readonly roundBytesMax: number | undefined;
  /** Reads without asking whether the bytes end with the message; throws on what is malformed. */
  readonly read: (source: Source) => unknown;
}

type Options = Partial<Pick<Decoder, "form" | "roundBytesMax" | "bent" | "cheapBytes">>;

const BENT = 3000;

/** @param name the file below src, and the name of what it exports */
export const reader = (
  name: string,
  samples: readonly Uint8Array[],
  recode: Reader["recode"],
  { form = "", bent = BENT, cheapBytes = Number.POSITIVE_INFINITY }: Options = {},
): Reader => ({ name, form, samples, bent, cheapBytes, recode });

/** @param name the file below src, and the name of the codec that it exports */
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
