import { type Codec, isSolanaError } from "@solana/kit";

/** The bytes are not a transaction: too few, too many, or malformed. */
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
 * Decodes bytes with the SDK's codec, and refuses any form that the codec would not write. The codec alone also accepts
 * forms that nodes reject: overlong lengths, a missing end, trailing bytes.
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
