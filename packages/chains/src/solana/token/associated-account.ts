import { ed25519 } from "@noble/curves/ed25519.js";
import { concatBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import {
  SOLANA_ASSOCIATED_TOKEN_PROGRAM,
  SOLANA_TOKEN_2022_PROGRAM,
  SOLANA_TOKEN_PROGRAM,
} from "../message/programs.ts";
import { solanaAddress, solanaPublicKey } from "../rules/address.ts";
import type { SolanaToken } from "../rules/token.ts";

const DOMAIN: Uint8Array = utf8ToBytes("ProgramDerivedAddress");
const LAST_BUMP = 255;

/** Uses the chain's own library's rule, which also accepts non-canonical encodings of a point. */
const isOnCurve = (bytes: Uint8Array): boolean => {
  try {
    ed25519.Point.fromBytes(bytes, true);
    return true;
  } catch {
    return false;
  }
};

/** Most remembered derivations: one takes half a millisecond, and a transaction repeats the same two or three many times. */
const REMEMBERED_MAX = 256;
const remembered = new Map<string, string>();

/**
 * The associated token account of an owner and a token (Solana Documentation, "Program Derived Address"; the Associated Token
 * program): the first hash of its seeds that is no public key, so that nobody has a key to it.
 * @param owner an address
 */
export const associatedAccount = (token: SolanaToken, owner: string): string => {
  const name = `${token.kind}:${token.mint}:${owner}`;
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const derived = derive(token, owner);
  remembered.set(name, derived);
  const { value: oldest } = remembered.keys().next();
  if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
  return derived;
};

const derive = ({ kind, mint }: SolanaToken, owner: string): string => {
  const program = kind === "Spl" ? SOLANA_TOKEN_PROGRAM : SOLANA_TOKEN_2022_PROGRAM;
  const seeds = [owner, program, mint].map(solanaPublicKey);
  for (let bump = LAST_BUMP; bump >= 0; bump -= 1) {
    const hash = sha256(
      concatBytes(...seeds, Uint8Array.of(bump), solanaPublicKey(SOLANA_ASSOCIATED_TOKEN_PROGRAM), DOMAIN),
    );
    if (!isOnCurve(hash)) return solanaAddress(hash);
  }
  throw new RangeError("no seed gives an address that is no public key");
};
