import { type Asset, isPlainText, ok, type Result } from "@conclave/custody";
import { tokenProgramOf } from "../message/instruction.ts";
import { parseSolanaToken, type SolanaToken } from "../rules/token.ts";
import { associatedAccount } from "../token/associated-account.ts";
import { parseHolding } from "../token/holding.ts";
import { describedSymbol, metadataAccount, tokenSymbol } from "../token/metadata.ts";
import { parseMint } from "../token/mint.ts";
import { accountsAt } from "./accounts.ts";
import type { SolanaRpc } from "./json-rpc.ts";

const SYMBOL_LENGTH = 32;

const tokenIn = (text: string): SolanaToken => {
  const token = parseSolanaToken(text);
  if (token === undefined) throw new TypeError("a token of Solana is spelt KIND:MINT");
  return token;
};

export const lamportsOf = async (rpc: SolanaRpc, owner: string): Promise<Result<bigint>> => {
  const found = await accountsAt(rpc, [owner]);
  return found.ok ? ok(found.value[0]?.lamports ?? 0n) : found;
};

/** The balance of an owner's associated account in a token; undefined if the token does not exist. */
export const solanaTokenBalance = async (
  rpc: SolanaRpc,
  owner: string,
  text: string,
): Promise<Result<bigint | undefined>> => {
  const token = tokenIn(text);
  const program = tokenProgramOf(token.kind);
  const found = await accountsAt(rpc, [token.mint, associatedAccount(token, owner)]);
  if (!found.ok) return found;
  const [mint, held] = found.value;
  if (mint?.program !== program || parseMint(mint.data, token.kind) === undefined) return ok(undefined);
  const holding = held?.program === program ? parseHolding(held.data) : undefined;
  return ok(holding?.amount ?? 0n);
};

/**
 * A token's own description, which is unverified: of Token-2022 in the mint, of the original Token program in an account of
 * Metaplex. A symbol that is missing, too long or not plain text is left out.
 */
export const describeSolanaToken = async (rpc: SolanaRpc, text: string): Promise<Result<Asset>> => {
  const { kind, mint } = tokenIn(text);
  const found = await accountsAt(rpc, [mint, metadataAccount(mint)]);
  if (!found.ok) return found;
  const [account, description] = found.value;
  if (account?.program !== tokenProgramOf(kind)) return ok({});
  const described = parseMint(account.data, kind);
  if (described === undefined) return ok({});
  const symbol = tokenSymbol(account.data) ?? (description && describedSymbol(description, mint)) ?? "";
  const isShown = symbol.length > 0 && symbol.length <= SYMBOL_LENGTH && isPlainText(symbol);
  return ok({ ...(isShown ? { symbol } : {}), decimals: described.decimals, verified: false });
};
