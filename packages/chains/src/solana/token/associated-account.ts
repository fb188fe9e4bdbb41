import {
  SOLANA_ASSOCIATED_TOKEN_PROGRAM,
  SOLANA_TOKEN_2022_PROGRAM,
  SOLANA_TOKEN_PROGRAM,
} from "../message/programs.ts";
import { solanaPublicKey } from "../rules/address.ts";
import type { SolanaToken } from "../rules/token.ts";
import { programAddress } from "./program-address.ts";

/** Most remembered derivations: one takes half a millisecond, and a transaction repeats the same two or three many times. */
const REMEMBERED_MAX = 256;
const remembered = new Map<string, string>();

/**
 * The associated token account of an owner and a token (the Associated Token program).
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
  return programAddress(SOLANA_ASSOCIATED_TOKEN_PROGRAM, [owner, program, mint].map(solanaPublicKey));
};
