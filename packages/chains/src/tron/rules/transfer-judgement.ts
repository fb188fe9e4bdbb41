import { fail, type JudgedTransfer, parseTokenId, type Result, TOKEN_UNIT } from "@conclave/custody";
import {
  type BodyOf,
  judged,
  judgeParties,
  judgePayment,
  nativeJudge,
  transferJudgement,
} from "../../rules/transfers.ts";
import type { TronTransfer } from "./act.ts";
import { parseTronAddress } from "./address.ts";
import { TRON_NATIVE_ASSET } from "./native-asset.ts";
import { isTrc10Id, TRON_INT64_MAX } from "./numbers.ts";

/** Terms of TRX and TRC-10 tokens. */
const TERMS = {
  parse: parseTronAddress,
  largest: TRON_INT64_MAX,
  notToItself: "TRON takes no payment of TRX or of a TRC-10 token from an account to itself.",
};

const judgeTrc10 = (body: BodyOf<"Trc10">, sender: string): Result<JudgedTransfer> => {
  const { kind, tokenId } = body;
  if (!isTrc10Id(tokenId)) {
    const why = "The id of a TRC-10 token is a number above 1000000.";
    return fail("TokenIdInvalid", { field: "tokenId" }, why);
  }
  const payment = judgePayment(TERMS, body, sender, TOKEN_UNIT);
  // a token's symbol and decimals are known to the chain alone
  return payment.ok ? judged<TronTransfer>({ kind, tokenId, ...payment.value }, {}, tokenId) : payment;
};

const judgeTrc20 = (body: BodyOf<"Trc20">, sender: string): Result<JudgedTransfer> => {
  const contract = parseTronAddress(body.contract, "contract");
  if (!contract.ok) return contract;
  const payment = judgePayment({ parse: parseTronAddress }, body, sender, TOKEN_UNIT);
  if (!payment.ok) return payment;
  const token = contract.value;
  return judged<TronTransfer>({ kind: body.kind, contract: token, ...payment.value }, {}, token);
};

const judgeTrc721 = (body: BodyOf<"Trc721">, sender: string): Result<JudgedTransfer> => {
  const contract = parseTronAddress(body.contract, "contract");
  if (!contract.ok) return contract;
  const parties = judgeParties(parseTronAddress, body, sender);
  if (!parties.ok) return parties;
  const tokenId = parseTokenId(body.tokenId);
  if (!tokenId.ok) return tokenId;
  const token = contract.value;
  return judged<TronTransfer>(
    { kind: body.kind, contract: token, ...parties.value, tokenId: tokenId.value },
    {},
    token,
  );
};

/** Refusals: AddressInvalid, AddressChecksum, AmountInvalid, TokenIdInvalid or TransferKindNotSupported. */
export const TRON_TRANSFERS = transferJudgement({
  Native: nativeJudge(TERMS, "sun", TRON_NATIVE_ASSET),
  Trc10: judgeTrc10,
  Trc20: judgeTrc20,
  Trc721: judgeTrc721,
});
