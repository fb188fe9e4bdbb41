import {
  type FamilyContent,
  ok,
  type Result,
  tronRecipientUnsuitable,
  tronTransferSchema,
} from "@conclave/custody";
import { tronAccountState } from "./account.ts";
import { isTronToken } from "./holdings.ts";
import type { TronHttp } from "./http.ts";

/**
 * Judges, by what the chain shows of a recipient, whether anybody could use what a transfer moves. A contract has no key: TRX and
 * TRC-10 tokens reach it by a call of its own alone, and java-tron refuses most payments to one. Of other tokens it may have an
 * owner who takes them, as a wallet of several keys; the contract of a token has none.
 * @param content a transfer as the family writes it; @throws ZodError for anything else
 * @returns RecipientUnsuitable, ServiceUnavailable
 */
export const judgeTronRecipient = async (http: TronHttp, content: FamilyContent): Promise<Result<void>> => {
  const { kind, to } = tronTransferSchema.parse(content);
  const account = await tronAccountState(http, to);
  if (!account.ok) return account;
  if (account.value?.isContract !== true) return ok(undefined);
  if (kind === "Native" || kind === "Trc10") {
    return tronRecipientUnsuitable(
      to,
      "a contract, which takes TRX and TRC-10 tokens by a call of its own alone",
    );
  }
  const isToken = await isTronToken(http, to);
  if (!isToken.ok) return isToken;
  return isToken.value
    ? tronRecipientUnsuitable(to, "the contract of a token, which gives none back")
    : ok(undefined);
};
