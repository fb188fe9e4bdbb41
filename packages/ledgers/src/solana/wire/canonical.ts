import { type Codec, isSolanaError } from "@solana/kit";

/** The bytes are no transaction: too few, too many, or of another form. */
export class AgaveWireError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AgaveWireError";
  }
}

const DESERIALIZE = "failed to deserialize solana_transaction::versioned::VersionedTransaction";

const isSame = (one: ArrayLike<number>, other: Uint8Array): boolean =>
  one.length === other.length && other.every((byte, at) => byte === one[at]);

/**
 * Reads bytes by the SDK's codec. It takes forms that no node does, of which it writes none: lengths in more bytes than they need, an
 * end that is missing, bytes behind the end.
 * @throws AgaveWireError
 */
export const decodeCanonical = <T>(codec: Codec<T>, bytes: Uint8Array): T => {
  try {
    const value = codec.decode(bytes);
    if (isSame(codec.encode(value), bytes)) return value;
  } catch (error) {
    if (!isSolanaError(error)) throw error;
    throw new AgaveWireError(`${DESERIALIZE}: ${error.message}`);
  }
  throw new AgaveWireError(`${DESERIALIZE}: not the form that the SDK writes`);
};
