import { z } from "zod";
import { SOLANA_TOKEN_2022_PROGRAM, SOLANA_TOKEN_PROGRAM } from "../message/programs.ts";
import type { SolanaTransfer } from "../rules/act.ts";
import type { SolanaTokenKind } from "../rules/token.ts";
import { associatedAccount } from "../token/associated-account.ts";
import { keyText, signatureText, uint64Field } from "./fields.ts";

const tokenBalanceSchema = z.object({
  accountIndex: z.int().nonnegative(),
  mint: keyText,
  owner: keyText.optional(),
  programId: keyText.optional(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^[0-9]{1,20}$/) }),
});
type TokenBalance = z.output<typeof tokenBalanceSchema>;

/**
 * A transaction in a block, with the node's metadata. Its addresses and its id keep the node's spelling, and are only
 * compared.
 */
export const includedSchema = z.object({
  transaction: z.object({
    message: z.object({ accountKeys: z.array(keyText) }),
    signatures: z.array(signatureText).min(1),
  }),
  meta: z.object({
    err: z.unknown(),
    fee: uint64Field,
    preBalances: z.array(uint64Field),
    postBalances: z.array(uint64Field),
    preTokenBalances: z.array(tokenBalanceSchema).nullish(),
    postTokenBalances: z.array(tokenBalanceSchema).nullish(),
    /** accounts from lookup tables, which follow those of its message */
    loadedAddresses: z.object({ writable: z.array(keyText), readonly: z.array(keyText) }).nullish(),
  }),
});
export type SolanaIncluded = z.output<typeof includedSchema>;

/** A balance change of an account. */
export interface SolanaChange {
  readonly address: string;
  readonly owner: string;
  readonly amount: bigint;
}

const accountsOf = ({ transaction, meta }: SolanaIncluded): readonly string[] => [
  ...transaction.message.accountKeys,
  ...(meta.loadedAddresses?.writable ?? []),
  ...(meta.loadedAddresses?.readonly ?? []),
];

/** Whether there is a balance before and after for each account, including those of lookup tables. */
export const hasEachBalance = (included: SolanaIncluded): boolean => {
  const accounts = accountsOf(included).length;
  const { preBalances, postBalances } = included.meta;
  return preBalances.length === accounts && postBalances.length === accounts;
};

/** Changes of lamport balances, without the fee, which the first account paid. */
export const lamportChanges = (included: SolanaIncluded): readonly SolanaChange[] => {
  const { fee, preBalances, postBalances } = included.meta;
  return accountsOf(included).map((address, at) => {
    const before = preBalances[at] ?? 0n;
    const after = (postBalances[at] ?? 0n) + (at === 0 ? fee : 0n);
    return { address, owner: address, amount: after - before };
  });
};

const kindOf = ({ programId }: TokenBalance): SolanaTokenKind | undefined => {
  if (programId === SOLANA_TOKEN_PROGRAM) return "Spl";
  return programId === SOLANA_TOKEN_2022_PROGRAM ? "Spl2022" : undefined;
};

const unitsIn = (balance: TokenBalance | undefined): bigint => BigInt(balance?.uiTokenAmount.amount ?? 0);

const amountIn = (balances: readonly TokenBalance[], index: number): bigint =>
  unitsIn(balances.find(({ accountIndex }) => accountIndex === index));

/** The balances by account index. If an account is listed twice, the first entry counts. */
const byPlace = (balances: readonly TokenBalance[]): ReadonlyMap<number, TokenBalance> => {
  const places = new Map<number, TokenBalance>();
  for (const balance of balances) {
    if (!places.has(balance.accountIndex)) places.set(balance.accountIndex, balance);
  }
  return places;
};

export interface SolanaTokenChange extends SolanaChange {
  readonly kind: SolanaTokenKind;
  readonly mint: string;
}

/** Changes of token balances. */
export const tokenChanges = (included: SolanaIncluded): readonly SolanaTokenChange[] => {
  const { meta } = included;
  const accounts = accountsOf(included);
  const before = byPlace(meta.preTokenBalances ?? []);
  const after = byPlace(meta.postTokenBalances ?? []);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((index) => {
    const held = after.get(index) ?? before.get(index);
    const address = accounts[index];
    const kind = held && kindOf(held);
    if (held?.owner === undefined || address === undefined || kind === undefined) return [];
    const amount = unitsIn(after.get(index)) - unitsIn(before.get(index));
    return [{ address, owner: held.owner, kind, mint: held.mint, amount }];
  });
};

/** The change of one token account's balance. @returns undefined if the node recorded no token balances */
const holdingChange = (included: SolanaIncluded, account: string): bigint | undefined => {
  const { preTokenBalances: before, postTokenBalances: after } = included.meta;
  const index = accountsOf(included).indexOf(account);
  if (index < 0) return 0n;
  return before && after ? amountIn(after, index) - amountIn(before, index) : undefined;
};

/**
 * The effect of an executed transaction for its transfer.
 *
 * @returns "nothing" if the recipient's balance shows none; otherwise the received amount, in the smallest unit: less
 * than was sent if the token takes a fee of each transfer (Token-2022, TransferFeeConfig). Undefined if no balance can
 * show it: a payment of an account to itself, and tokens for which the node recorded no balances; their programs fail a
 * transfer that moves nothing
 */
export const arrivedBy = (
  included: SolanaIncluded,
  transfer: SolanaTransfer,
): "nothing" | bigint | undefined => {
  const { from, to } = transfer;
  if (from === to) return undefined;
  if (transfer.kind === "Native") {
    const grown = lamportChanges(included).find(({ address }) => address === to)?.amount ?? 0n;
    return grown > 0n ? grown : "nothing";
  }
  const { kind, mint } = transfer;
  const [given, grown] = [from, to].map((owner) =>
    holdingChange(included, associatedAccount({ kind, mint }, owner)),
  );
  if (given === undefined || grown === undefined) return undefined;
  return given === 0n && grown <= 0n ? "nothing" : grown;
};
