/** First byte of a version 0 message. The format of later versions is not known yet. */
const VERSION_0 = 0x80;
const VERSION_1 = 0x81;
const KEY_BYTES = 32;
const HEADER_BYTES = 3;
/** Header, one account, a blockhash, and no instructions. */
const SHORTEST = HEADER_BYTES + 1 + KEY_BYTES + KEY_BYTES + 1;
const CONTINUES = 0x80;
const LENGTH_BYTES_MAX = 3;

/** A position in the bytes. */
interface Walk {
  readonly bytes: Uint8Array;
  at: number;
}

/**
 * A length of up to 16 bits (Solana Documentation, "Compact-u16"), also in a longer form than needed; undefined when the bytes
 * end early.
 */
const lengthAt = (walk: Walk): number | undefined => {
  let length = 0;
  for (let group = 0; group < LENGTH_BYTES_MAX; group += 1) {
    const byte = walk.bytes[walk.at];
    if (byte === undefined) return undefined;
    walk.at += 1;
    length |= (byte & (CONTINUES - 1)) << (7 * group);
    if (byte < CONTINUES) return length;
  }
  return undefined;
};

const passOver = (walk: Walk, unit: number): boolean => {
  const length = lengthAt(walk);
  if (length === undefined) return false;
  walk.at += length * unit;
  return walk.at <= walk.bytes.length;
};

const passInstructions = (walk: Walk): boolean => {
  const count = lengthAt(walk);
  if (count === undefined) return false;
  for (let passed = 0; passed < count; passed += 1) {
    walk.at += 1;
    if (!passOver(walk, 1) || !passOver(walk, 1)) return false;
  }
  return true;
};

const passTables = (walk: Walk): boolean => {
  const count = lengthAt(walk);
  if (count === undefined) return false;
  for (let passed = 0; passed < count; passed += 1) {
    walk.at += KEY_BYTES;
    if (!passOver(walk, 1) || !passOver(walk, 1)) return false;
  }
  return true;
};

/**
 * Whether Solana would accept a signature of these bytes as consent of the key's account: they have exactly the form of a
 * transaction's message (Solana Documentation, "Transactions"), with or without a version. A message of version 1 always counts
 * as one, whatever follows. No UTF-8 text begins like a versioned message, and no hash is long enough to be one.
 */
export const isSolanaConsent = (message: Uint8Array): boolean => {
  const [first = 0] = message;
  if (message.length < SHORTEST) return false;
  if (first >= VERSION_1) return first === VERSION_1;
  const isVersioned = first === VERSION_0;
  const walk = { bytes: message, at: isVersioned ? 1 + HEADER_BYTES : HEADER_BYTES };
  if (!passOver(walk, KEY_BYTES)) return false;
  walk.at += KEY_BYTES;
  if (!passInstructions(walk)) return false;
  return (!isVersioned || passTables(walk)) && walk.at === message.length;
};
