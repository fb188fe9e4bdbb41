import { type FamilyContent, fail, ok, type Result } from "@conclave/custody";
import { type Address, BaseError, type Hex, toFunctionSelector } from "viem";
import { call, getCode } from "viem/actions";
import { getAddress, size } from "viem/utils";
import { parseTransfer } from "../parse-content.ts";
import { ask, type Rpc, refusalOf } from "./rpc.ts";

const WORD_BYTES = 32;
/** EIP-7702: the code of an account with a key, which lets a contract act for it */
const DELEGATION = /^0xef0100[0-9a-f]{40}$/i;
/** Both are answered by every ERC-20 that wallets show; a vault, an account or an exchange answers neither, unless it is a token itself. */
const OF_TOKENS: readonly Hex[] = [
  toFunctionSelector("function totalSupply()"),
  toFunctionSelector("function decimals()"),
];
/** A function that nobody has: a contract that answers it answers everything, and says nothing by it */
const OF_NOBODY: Hex = toFunctionSelector("function conclaveAsksWhatNobodyAnswers()");

/** Whether a contract answers a function with one word. */
const answersWord = async (rpc: Rpc, to: Address, data: Hex): Promise<boolean> => {
  try {
    const { data: answer = "0x" } = await call(rpc, { to, data });
    return size(answer) === WORD_BYTES;
  } catch (error) {
    if (error instanceof BaseError && refusalOf(error) !== undefined) return false;
    throw error;
  }
};

const isToken = async (rpc: Rpc, address: Address): Promise<boolean> => {
  const code = await getCode(rpc, { address });
  if (code === undefined || DELEGATION.test(code)) return false;
  const [answersAll, ...answers] = await Promise.all(
    [OF_NOBODY, ...OF_TOKENS].map((selector) => answersWord(rpc, address, selector)),
  );
  return answersAll === false && answers.every((is) => is);
};

/**
 * Judges whether anybody could use tokens at a recipient: a contract that is itself a token keeps what is sent to it, but for the few that
 * have a function to hand it out. No other contract is refused: accounts, exchanges and safes are contracts too. A collectible asks its
 * recipient by itself (`safeTransferFrom`), and a payment of the native coin is tried.
 * @returns RecipientUnsuitable (details.field "to"), ServiceUnavailable
 */
export const judgeRecipient = async (
  network: string,
  rpc: Rpc,
  content: FamilyContent,
): Promise<Result<void>> => {
  const transfer = parseTransfer(content);
  if (!transfer.ok) return transfer;
  if (transfer.value.kind !== "Erc20") return ok(undefined);
  const to = getAddress(transfer.value.to);
  const found = await ask(network, () => isToken(rpc, to));
  if (!found.ok || !found.value) return found.ok ? ok(undefined) : found;
  const why = "a token's own contract, by its totalSupply and decimals";
  return fail(
    "RecipientUnsuitable",
    { field: "to", why },
    `The recipient ${to} is ${why}: tokens that are sent to such a contract mostly stay there for ever.`,
  );
};
