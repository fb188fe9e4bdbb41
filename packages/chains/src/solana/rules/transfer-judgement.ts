import { type JudgedTransfer, type Result, TOKEN_UNIT } from "@conclave/custody";
import { type BodyOf, judged, judgePayment, nativeJudge, transferJudgement } from "../../rules/transfers.ts";
import { UINT64_MAX } from "../../rules/uint64.ts";
import type { SolanaTransfer } from "./act.ts";
import { parseSolanaAddress } from "./address.ts";
import { SOLANA_NATIVE_ASSET } from "./native-asset.ts";
import { spellSolanaToken } from "./token.ts";

const TERMS = { parse: parseSolanaAddress, largest: UINT64_MAX };

const judgeToken = (body: BodyOf<"Spl" | "Spl2022">, sender: string): Result<JudgedTransfer> => {
  const { kind, createDestinationAccount = false } = body;
  const mint = parseSolanaAddress(body.mint, "mint");
  if (!mint.ok) return mint;
  const payment = judgePayment(TERMS, body, sender, TOKEN_UNIT);
  if (!payment.ok) return payment;
  // only the chain knows a token's symbol and decimals
  return judged<SolanaTransfer>(
    { kind, mint: mint.value, ...payment.value, createDestinationAccount },
    {},
    spellSolanaToken({ kind, mint: mint.value }),
  );
};

/** Refusals: AddressInvalid, AmountInvalid or TransferKindNotSupported. */
export const SOLANA_TRANSFERS = transferJudgement({
  Native: nativeJudge(TERMS, "lamports", SOLANA_NATIVE_ASSET),
  Spl: judgeToken,
  Spl2022: judgeToken,
});
