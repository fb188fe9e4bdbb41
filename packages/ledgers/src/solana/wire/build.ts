import { base58 } from "@scure/base";
import { type AgaveAddress, agaveAddressBytes } from "../address.ts";

const LENGTH_BYTE_MAX = 0x7f;

/** Small parts alone: each length is one byte. */
const withLength = (items: readonly (readonly number[])[]): readonly number[] => {
  if (items.length > LENGTH_BYTE_MAX) throw new RangeError("the faucet's transactions are short");
  return [items.length, ...items.flat()];
};

const listOf = (bytes: Iterable<number>): readonly number[] => withLength([...bytes].map((byte) => [byte]));

/** A legacy message with one signer, who pays the fee. */
export const agaveMessageBytes = (input: {
  readonly payer: AgaveAddress;
  /** the writable accounts beside the payer */
  readonly writable: readonly AgaveAddress[];
  readonly programs: readonly AgaveAddress[];
  readonly blockhash: string;
  /** @param accounts places among payer, writable and programs, in this order */
  readonly instructions: readonly {
    readonly program: AgaveAddress;
    readonly accounts: readonly number[];
    readonly data: Uint8Array;
  }[];
}): Uint8Array => {
  const keys = [input.payer, ...input.writable, ...input.programs];
  const instructions = input.instructions.map(({ program, accounts, data }) => [
    keys.indexOf(program),
    ...listOf(accounts),
    ...listOf(data),
  ]);
  return Uint8Array.from([
    1,
    0,
    input.programs.length,
    ...withLength(keys.map((key) => [...agaveAddressBytes(key)])),
    ...base58.decode(input.blockhash),
    ...withLength(instructions),
  ]);
};
