import { ok, type Result, type SolanaTokenKind } from "@conclave/custody";
import { z } from "zod";
import type { AreOurs, Arrival } from "../../chain.ts";
import { SOLANA_TOKEN_2022_PROGRAM, SOLANA_TOKEN_PROGRAM } from "../message/programs.ts";
import { associatedAccount } from "../token/associated-account.ts";
import { blockBefore, contentOfSlot } from "./blocks.ts";
import { keyField, signatureField, uint64Field } from "./fields.ts";
import type { SolanaRpc } from "./json-rpc.ts";

const tokenBalanceSchema = z.object({
  accountIndex: z.bigint().nonnegative(),
  mint: keyField,
  owner: keyField.optional(),
  programId: keyField.optional(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^[0-9]{1,20}$/) }),
});
type TokenBalance = z.output<typeof tokenBalanceSchema>;

const includedSchema = z.object({
  transaction: z.object({
    message: z.object({ accountKeys: z.array(keyField) }),
    signatures: z.array(signatureField).min(1),
  }),
  meta: z.object({
    err: z.unknown(),
    fee: uint64Field,
    preBalances: z.array(uint64Field),
    postBalances: z.array(uint64Field),
    preTokenBalances: z.array(tokenBalanceSchema).nullish(),
    postTokenBalances: z.array(tokenBalanceSchema).nullish(),
    /** accounts that it names by lookup tables, behind those of its message */
    loadedAddresses: z.object({ writable: z.array(keyField), readonly: z.array(keyField) }).nullish(),
  }),
});
type Included = z.output<typeof includedSchema>;
const blockSchema = z.object({ transactions: z.array(includedSchema) });

/** What a transaction changed: by how much an account grew or fell. */
interface Change {
  readonly address: string;
  readonly owner: string;
  readonly amount: bigint;
}

const accountsOf = ({ transaction, meta }: Included): readonly string[] => [
  ...transaction.message.accountKeys,
  ...(meta.loadedAddresses?.writable ?? []),
  ...(meta.loadedAddresses?.readonly ?? []),
];

/** Lamports that came or went, the fee apart, which its first account paid. */
const lamportChanges = (included: Included): readonly Change[] => {
  const { fee, preBalances, postBalances } = included.meta;
  return accountsOf(included).map((address, at) => {
    const before = preBalances[at] ?? 0n;
    const after = (postBalances[at] ?? 0n) + (at === 0 ? fee : 0n);
    return { address, owner: address, amount: after - before };
  });
};

/** Whoever gave as much as the other got, where there is one alone. */
const giverOf = ({ amount }: Change, changes: readonly Change[]): string | undefined => {
  const givers = changes.filter((change) => change.amount <= -amount);
  return givers.length === 1 ? givers[0]?.owner : undefined;
};

const nativeArrivals = (included: Included, id: string): readonly Arrival[] => {
  const changes = lamportChanges(included);
  return changes
    .filter(({ amount }) => amount > 0n)
    .map((change) => ({
      txHash: id,
      place: change.address,
      from: giverOf(change, changes),
      moved: { kind: "Native", to: change.address, amount: change.amount.toString() },
    }));
};

const kindOf = ({ programId }: TokenBalance): SolanaTokenKind | undefined => {
  if (programId === SOLANA_TOKEN_PROGRAM) return "Spl";
  return programId === SOLANA_TOKEN_2022_PROGRAM ? "Spl2022" : undefined;
};

interface TokenChange extends Change {
  readonly kind: SolanaTokenKind;
  readonly mint: string;
}

const tokenChanges = (included: Included): readonly TokenChange[] => {
  const { meta } = included;
  const accounts = accountsOf(included);
  const before = meta.preTokenBalances ?? [];
  const after = meta.postTokenBalances ?? [];
  const amountIn = (balances: readonly TokenBalance[], index: bigint): bigint =>
    BigInt(balances.find(({ accountIndex }) => accountIndex === index)?.uiTokenAmount.amount ?? 0);
  return [...new Set([...before, ...after].map(({ accountIndex }) => accountIndex))].flatMap((index) => {
    const held = [...after, ...before].find(({ accountIndex }) => accountIndex === index);
    const address = accounts[Number(index)];
    const kind = held && kindOf(held);
    if (held?.owner === undefined || address === undefined || kind === undefined) return [];
    const amount = amountIn(after, index) - amountIn(before, index);
    return [{ address, owner: held.owner, kind, mint: held.mint, amount }];
  });
};

const tokenArrivals = (
  included: Included,
  id: string,
): readonly (Arrival & { readonly account: string })[] => {
  const changes = tokenChanges(included);
  return changes
    .filter(({ amount }) => amount > 0n)
    .map((change) => {
      const { kind, mint, address: account, owner: to, amount } = change;
      const from = giverOf(
        change,
        changes.filter((other) => other.mint === mint),
      );
      return {
        txHash: id,
        place: account,
        from,
        account,
        moved: { kind, mint, to, amount: amount.toString() },
      };
    });
};

/**
 * What the block of a slot brought to wallets here, by what its transactions changed: lamports, and tokens in the account that is
 * associated with a wallet. What programs moved inside of them counts as well.
 * @returns undefined when the node has nothing of the slot yet
 */
export const solanaArrivals = async (
  rpc: SolanaRpc,
  height: bigint,
  areOurs: AreOurs,
): Promise<Result<readonly Arrival[] | undefined>> => {
  const found = await contentOfSlot(rpc, height, "finalized", "full", blockSchema);
  if (!found.ok) return found;
  if (found.value.kind === "absent") return ok(undefined);
  if (found.value.kind === "skipped") {
    const before = await blockBefore(rpc, height, "finalized");
    if (!before.ok) return before;
    return ok(before.value === undefined ? undefined : []);
  }
  const succeeded = found.value.block.transactions.filter(({ meta }) => meta.err === null);
  const lamports = succeeded.flatMap((each) => nativeArrivals(each, each.transaction.signatures[0] ?? ""));
  const tokens = succeeded.flatMap((each) => tokenArrivals(each, each.transaction.signatures[0] ?? ""));
  if (lamports.length + tokens.length === 0) return ok([]);
  const ours = await areOurs([...new Set([...lamports, ...tokens].map(({ moved }) => moved.to))]);
  const own = tokens.filter(
    ({ moved, account }) =>
      ours.has(moved.to) &&
      (moved.kind === "Spl" || moved.kind === "Spl2022") &&
      associatedAccount(moved, moved.to) === account,
  );
  return ok([
    ...lamports.filter(({ moved }) => ours.has(moved.to)),
    ...own.map(({ account: _, ...arrival }) => arrival),
  ]);
};
