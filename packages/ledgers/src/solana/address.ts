import { base58 } from "@scure/base";

/** The base58 of 32 bytes: a public key, or an address without a key. */
export type AgaveAddress = string & { readonly __brand: "AgaveAddress" };

const ADDRESS_BYTES = 32;
/** Upper bound of the base58 length of 32 bytes. */
const ADDRESS_CHARACTERS_MAX = 44;

/** @param bytes exactly 32 */
export const agaveAddressOf = (bytes: Uint8Array): AgaveAddress => base58.encode(bytes) as AgaveAddress;

/** @returns undefined if the text is not base58 of 32 bytes */
export const parseAgaveAddress = (text: string): AgaveAddress | undefined => {
  if (text.length > ADDRESS_CHARACTERS_MAX) return undefined;
  try {
    const bytes = base58.decode(text);
    return bytes.length === ADDRESS_BYTES ? agaveAddressOf(bytes) : undefined;
  } catch {
    return undefined;
  }
};

export const agaveAddressBytes = (address: AgaveAddress): Uint8Array => base58.decode(address);

const known = (text: string): AgaveAddress => {
  const address = parseAgaveAddress(text);
  if (address === undefined) throw new RangeError(`${text} is no address`);
  return address;
};

export const SYSTEM_PROGRAM = known("11111111111111111111111111111111");
/** Its lamports are burnt at the end of each block. @source Agave, runtime/src/bank.rs: run_incinerator */
export const INCINERATOR = known("1nc1nerator11111111111111111111111111111111");
export const COMPUTE_BUDGET_PROGRAM = known("ComputeBudget111111111111111111111111111111");
export const TOKEN_PROGRAM = known("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
export const TOKEN_2022_PROGRAM = known("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
export const MEMO_PROGRAMS: readonly AgaveAddress[] = [
  known("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"),
  known("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"),
];
export const MEMO_PROGRAM = known("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");
