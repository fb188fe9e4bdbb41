import { ok, type Priority, type Result } from "@conclave/custody";
import { tokenProgramOf } from "../message/instruction.ts";
import { SOLANA_SYSTEM_PROGRAM } from "../message/programs.ts";
import type { SolanaPlan } from "../plan.ts";
import type { SolanaTransfer } from "../rules/act.ts";
import type { SolanaAccount, SolanaSituation, TokenSituation } from "../situation.ts";
import { associatedAccount } from "../token/associated-account.ts";
import { bareHoldingBytes, parseHolding } from "../token/holding.ts";
import { parseMint } from "../token/mint.ts";
import { accountsAt, type FoundAccount, rentOf } from "./accounts.ts";
import { genesisHashOf, isValidBlockhash, lastFinalBlock } from "./blocks.ts";
import { type SolanaRpc, solanaAway } from "./json-rpc.ts";
import { priceFor } from "./prices.ts";

/** Enough for every transaction that we build; the simulation then returns the needed number. */
const UNITS_BEFORE_SIMULATION = 200_000;

/**
 * Whether a caller's own blockhash may be used. A blockhash that is not finalized yet is waited for, because only a
 * finalized block has a certain place later.
 */
const callersBlockhash = async (rpc: SolanaRpc, blockhash: string): Promise<Result<boolean>> => {
  const [final, confirmed] = await Promise.all([
    isValidBlockhash(rpc, blockhash, "finalized"),
    isValidBlockhash(rpc, blockhash, "confirmed"),
  ]);
  if (!final.ok) return final;
  if (!confirmed.ok) return confirmed;
  if (!final.value && confirmed.value)
    return solanaAway(rpc.network, "the block of its blockhash is not final yet");
  return ok(final.value && confirmed.value);
};

const accountOf = async (
  rpc: SolanaRpc,
  { lamports, program, data }: FoundAccount,
): Promise<Result<SolanaAccount>> => {
  const rent = await rentOf(rpc, data.length);
  return rent.ok ? ok({ lamports, program, rent: rent.value }) : rent;
};

/** Further accounts that are read for a token transfer: the token itself, and both associated accounts. */
const tokenAddresses = (transfer: SolanaTransfer): readonly string[] => {
  if (transfer.kind === "Native") return [];
  const { kind, mint, from, to } = transfer;
  return [mint, associatedAccount({ kind, mint }, from), associatedAccount({ kind, mint }, to)];
};

const tokenSituation = async (
  rpc: SolanaRpc,
  transfer: SolanaTransfer,
  [mint, ofSender, ofRecipient]: readonly FoundAccount[],
): Promise<Result<TokenSituation | undefined>> => {
  if (
    transfer.kind === "Native" ||
    mint === undefined ||
    ofSender === undefined ||
    ofRecipient === undefined
  ) {
    return ok(undefined);
  }
  const program = tokenProgramOf(transfer.kind);
  const token = mint.program === program ? parseMint(mint.data, transfer.kind) : undefined;
  const rent = await rentOf(rpc, token?.holdingBytes ?? bareHoldingBytes(transfer.kind));
  if (!rent.ok) return rent;
  const holding = (account: FoundAccount) =>
    account.program === program ? parseHolding(account.data) : undefined;
  const missing = rent.value - (ofRecipient.program === SOLANA_SYSTEM_PROGRAM ? ofRecipient.lamports : 0n);
  return ok({
    mint: token,
    ofSender: holding(ofSender),
    ofRecipient: holding(ofRecipient),
    creationCost: missing > 0n ? missing : 0n,
  });
};

type Asked = Extract<SolanaPlan, { readonly kind: "transfer" }>;

/**
 * Everything on which a transfer depends.
 *
 * Its blockhash is that of the last finalized block. This shortens the time in which it may land, but for a block that
 * was forked away nobody could ever prove that its transactions are dead.
 */
const transferSituation = async (
  rpc: SolanaRpc,
  { transfer }: Asked,
  priority: Priority | undefined,
): Promise<Result<SolanaSituation>> => {
  const [, senders, recipients] = tokenAddresses(transfer);
  const changed = [transfer.from, senders ?? transfer.to, recipients ?? transfer.to];
  const [genesis, block, price, found] = await Promise.all([
    genesisHashOf(rpc),
    lastFinalBlock(rpc),
    priceFor(rpc, priority, [...new Set(changed)]),
    accountsAt(rpc, [transfer.from, transfer.to, ...tokenAddresses(transfer)]),
  ]);
  if (!genesis.ok) return genesis;
  if (!block.ok) return block;
  if (!price.ok) return price;
  if (!found.ok) return found;
  const [own, other, ...tokens] = found.value;
  if (own === undefined || other === undefined) throw new TypeError("as many accounts as were asked for");
  const [sender, recipient, token] = await Promise.all([
    accountOf(rpc, own),
    accountOf(rpc, other),
    tokenSituation(rpc, transfer, tokens),
  ]);
  if (!sender.ok) return sender;
  if (!recipient.ok) return recipient;
  if (!token.ok) return token;
  return ok({
    genesisHash: genesis.value,
    blockhash: block.value.blockhash,
    slot: block.value.slot,
    isBlockhashValid: undefined,
    units: UNITS_BEFORE_SIMULATION,
    price: price.value,
    sender: sender.value,
    recipient: recipient.value,
    token: token.value,
  });
};

/** The chain state on which a caller's own bytes depend. */
const exactSituation = async (
  rpc: SolanaRpc,
  { draft }: Extract<SolanaPlan, { readonly kind: "exact" }>,
): Promise<Result<SolanaSituation>> => {
  const [genesis, block, isBlockhashValid, found] = await Promise.all([
    genesisHashOf(rpc),
    lastFinalBlock(rpc),
    callersBlockhash(rpc, draft.blockhash),
    accountsAt(rpc, [draft.from]),
  ]);
  if (!genesis.ok) return genesis;
  if (!block.ok) return block;
  if (!isBlockhashValid.ok) return isBlockhashValid;
  if (!found.ok) return found;
  const [own] = found.value;
  if (own === undefined) throw new TypeError("as many accounts as were asked for");
  const sender = await accountOf(rpc, own);
  if (!sender.ok) return sender;
  return ok({
    genesisHash: genesis.value,
    blockhash: block.value.blockhash,
    slot: block.value.slot,
    isBlockhashValid: isBlockhashValid.value,
    units: 0,
    price: undefined,
    sender: sender.value,
    recipient: undefined,
    token: undefined,
  });
};

/** Everything on which a transaction depends. */
export const solanaSituation = (
  rpc: SolanaRpc,
  plan: SolanaPlan,
  priority: Priority | undefined,
): Promise<Result<SolanaSituation>> =>
  plan.kind === "exact" ? exactSituation(rpc, plan) : transferSituation(rpc, plan, priority);
