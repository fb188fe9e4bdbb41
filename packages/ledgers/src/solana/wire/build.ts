import { address, blockhash, getCompiledTransactionMessageEncoder } from "@solana/kit";
import type { AgaveAddress } from "../address.ts";

const ENCODER = getCompiledTransactionMessageEncoder();

/** The bytes of a legacy message with one signer, who pays the fee. */
export const agaveMessageBytes = (input: {
  readonly payer: AgaveAddress;
  /** the writable accounts besides the payer */
  readonly writable: readonly AgaveAddress[];
  readonly programs: readonly AgaveAddress[];
  readonly blockhash: string;
  /** @param accounts indexes into payer, writable and programs, in this order */
  readonly instructions: readonly {
    readonly program: AgaveAddress;
    readonly accounts: readonly number[];
    readonly data: Uint8Array;
  }[];
}): Uint8Array => {
  const keys = [input.payer, ...input.writable, ...input.programs];
  const written = ENCODER.encode({
    version: "legacy",
    header: {
      numSignerAccounts: 1,
      numReadonlySignerAccounts: 0,
      numReadonlyNonSignerAccounts: input.programs.length,
    },
    staticAccounts: keys.map((key) => address(key)),
    lifetimeToken: blockhash(input.blockhash),
    instructions: input.instructions.map(({ program, accounts, data }) => ({
      programAddressIndex: keys.indexOf(program),
      accountIndices: [...accounts],
      data,
    })),
  });
  return Uint8Array.from(written);
};
