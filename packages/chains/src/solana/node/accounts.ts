import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { SOLANA_SYSTEM_PROGRAM } from "../message/programs.ts";
import { asOf, base64Field, keyField, uint64Field } from "./fields.ts";
import { demandSolana, type SolanaRpc, solanaAway } from "./json-rpc.ts";

const accountSchema = z.object({
  lamports: uint64Field,
  owner: keyField,
  data: base64Field,
  executable: z.boolean(),
});

/** An account on the chain. */
export interface FoundAccount {
  readonly lamports: bigint;
  /** the program that owns its data */
  readonly program: string;
  readonly data: Uint8Array;
  /** whether it is a program */
  readonly executable: boolean;
}

/** An address without payments, which counts as an empty account. */
const NOTHING: FoundAccount = {
  lamports: 0n,
  program: SOLANA_SYSTEM_PROGRAM,
  data: new Uint8Array(0),
  executable: false,
};

/** Reads several accounts at one time. @returns them in the order of their addresses */
export const accountsAt = async (
  rpc: SolanaRpc,
  addresses: readonly string[],
): Promise<Result<readonly FoundAccount[]>> => {
  const found = await demandSolana(rpc, {
    method: "getMultipleAccounts",
    params: [addresses, { commitment: "confirmed", encoding: "base64" }],
    schema: asOf(z.array(accountSchema.nullable())),
  });
  if (!found.ok) return found;
  const { value } = found.value;
  if (value.length !== addresses.length) return solanaAway(rpc.network, "it leaves out accounts");
  return ok(
    value.map((account) => {
      if (account === null) return NOTHING;
      const { owner: program, ...held } = account;
      return { ...held, program };
    }),
  );
};

/** Lamports that an account of this size must hold to be rent-exempt. */
export const rentOf = (rpc: SolanaRpc, bytes: number): Promise<Result<bigint>> =>
  demandSolana(rpc, { method: "getMinimumBalanceForRentExemption", params: [bytes], schema: uint64Field });
