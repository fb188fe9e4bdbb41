/** A message of version 0 begins with this byte; of one that follows nobody knows the form yet. */
const VERSION_0 = 0x80;
const VERSION_1 = 0x81;
const KEY_BYTES = 32;
const HEADER_BYTES = 3;
/** Header, one account, a blockhash, and no instructions. */
const SHORTEST = HEADER_BYTES + 1 + KEY_BYTES + KEY_BYTES + 1;
const CONTINUES = 0x80;
const LENGTH_BYTES_MAX = 3;

/** Where a walk over bytes stands. */
interface Walk {
  readonly bytes: Uint8Array;
  at: number;
}

/** A length of up to 16 bits (Solana Documentation, "Compact-u16"), in any form; undefined where the bytes end before. */
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
 * Whether Solana takes a signature of these bytes for the consent of the key's account: they have the form of a transaction's
 * message (Solana Documentation, "Transactions"), with or without a version, from the first byte to the last. A message of a
 * later version is taken for one whatever it holds. No text in UTF-8 begins like a versioned one, and none as short as a
 * hash is any.
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
