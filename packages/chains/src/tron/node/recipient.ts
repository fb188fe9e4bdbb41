import { type FamilyContent, ok, type Result } from "@conclave/custody";
import { bytesToNumberBE } from "@noble/curves/utils.js";
import { keylessRecipient } from "../../rules/unsuitable-recipient.ts";
import { tronTransferSchema } from "../rules/act.ts";
import { tronAccountState } from "./account.ts";
import { isTronToken } from "./holdings.ts";
import type { TronHttp } from "./http.ts";
import { tryTronCall } from "./try-call.ts";

const WORD_BYTES = 32;
/** ERC-165, whose interface ids TRON's contracts use too: a contract reports which interfaces it supports. */
const SUPPORTS = "supportsInterface(bytes4)";
/** A contract with ERC-165 supports 01ffc9a7, and must not support ffffffff; otherwise it answers everything with yes. */
const OF_HONEST: readonly (readonly [string, bigint])[] = [
  ["01ffc9a7", 1n],
  ["ffffffff", 0n],
];
/** TRC-721 and TRC-1155: supported by contracts that record the ownership of collectibles */
const OF_COLLECTIONS: readonly string[] = ["80ac58cd", "d9b67a26"];

/**
 * The word with which a contract reports whether it supports an interface; undefined if it returns anything else, or
 * reverts.
 */
const saysOf = async (
  http: TronHttp,
  contract: string,
  selector: string,
): Promise<Result<bigint | undefined>> => {
  const parameter = selector.padEnd(2 * WORD_BYTES, "0");
  const tried = await tryTronCall(http, { contract, selector: SUPPORTS, parameter });
  if (!tried.ok) return tried;
  const word = tried.value.kind === "passed" ? tried.value.returned : undefined;
  return ok(word?.length === WORD_BYTES ? bytesToNumberBE(word) : undefined);
};

/** Whether a contract reports that it is a collection of collectibles. */
const isTronCollection = async (http: TronHttp, contract: string): Promise<Result<boolean>> => {
  for (const [selector, honest] of OF_HONEST) {
    const said = await saysOf(http, contract, selector);
    if (!said.ok) return said;
    if (said.value !== honest) return ok(false);
  }
  for (const selector of OF_COLLECTIONS) {
    const said = await saysOf(http, contract, selector);
    if (!said.ok) return said;
    if (said.value === 1n) return ok(true);
  }
  return ok(false);
};

/**
 * Judges, from the chain's data of a recipient, whether a transfer to it would be lost. A contract has no key: it
 * accepts TRX and TRC-10 tokens only by a call, and java-tron refuses most payments to contracts. Other tokens may have
 * an owner behind the contract, as in a multi-signature wallet. The contract of a token has none, nor has a collection
 * of collectibles, which keep the tokens that are sent to them. For collectibles, the token asks its recipient
 * (`safeTransferFrom`), and the simulation shows the result.
 *
 * @param content a transfer in the family's form; @throws ZodError for anything else
 * @returns RecipientUnsuitable, ServiceUnavailable
 */
export const judgeTronRecipient = async (http: TronHttp, content: FamilyContent): Promise<Result<void>> => {
  const { kind, to } = tronTransferSchema.parse(content);
  const account = await tronAccountState(http, to);
  if (!account.ok) return account;
  if (account.value?.isContract !== true) return ok(undefined);
  if (kind === "Native" || kind === "Trc10") {
    return keylessRecipient(to, "a contract, which takes TRX and TRC-10 tokens by a call of its own alone");
  }
  const isToken = await isTronToken(http, to);
  if (!isToken.ok) return isToken;
  if (isToken.value) return keylessRecipient(to, "the contract of a token, which gives none back");
  if (kind === "Trc721") return ok(undefined);
  const isCollection = await isTronCollection(http, to);
  if (!isCollection.ok) return isCollection;
  return isCollection.value
    ? keylessRecipient(to, "a collection of collectibles, which gives no token back")
    : ok(undefined);
};
