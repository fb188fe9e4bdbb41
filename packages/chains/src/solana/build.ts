import { fail, ok, type Result } from "@conclave/custody";
import type { BuiltTransaction, TransactionIntent } from "../chain.ts";
import { judgeSolanaFunds, judgeSolanaPayer } from "./affordable.ts";
import { cappedPrice, solanaFee } from "./fee.ts";
import type { SolanaNetwork } from "./network.ts";
import { type SolanaPlan, solanaPlan } from "./plan.ts";
import type { SolanaSituation } from "./situation.ts";
import { encodeSolana, type SolanaDraft } from "./transaction.ts";
import { transferDraft } from "./transfer-form.ts";

/**
 * Writes the unsigned transaction of a request.
 * @param situation the situation on the chain
 * @param intent the authorised content
 * @returns InsufficientFunds, RecipientCannotReceive, FeeAboveCap, TransactionInvalid, or ServiceUnavailable when the node is
 * on another chain
 */
export const buildSolana = (
  network: SolanaNetwork,
  situation: SolanaSituation,
  { act }: TransactionIntent,
): Result<BuiltTransaction> => {
  if (situation.genesisHash !== network.genesisHash) {
    return fail(
      "ServiceUnavailable",
      { network: network.network },
      `The chain node of ${network.network} is of another chain: ${situation.genesisHash}.`,
    );
  }
  const plan = solanaPlan(act);
  if (!plan.ok) return plan;
  return plan.value.kind === "exact"
    ? judgeExact(network, plan.value, situation)
    : writeTransfer(network, plan.value, situation);
};

/** The details that clients see of a transaction; it has no place among others. */
export const shownOfSolana = (draft: SolanaDraft): Omit<BuiltTransaction, "unsigned"> => ({
  sequence: undefined,
  details: { fee: solanaFee(draft).toString(), blockhash: draft.blockhash },
});

const built = (unsigned: Uint8Array, draft: SolanaDraft): Result<BuiltTransaction> =>
  ok({ unsigned, ...shownOfSolana(draft) });

const aboveCap = (fee: bigint, feeCap: string): Result<never> =>
  fail(
    "FeeAboveCap",
    { fee: fee.toString(), feeCap },
    `the fee of ${fee} lamports is above the cap of ${feeCap} lamports`,
  );

/** Leaves out the instruction that creates the recipient's account if that exists. */
const writeTransfer = (
  { feeCap }: SolanaNetwork,
  { transfer, tag }: Extract<SolanaPlan, { kind: "transfer" }>,
  situation: SolanaSituation,
): Result<BuiltTransaction> => {
  const { blockhash, slot, units, token } = situation;
  const creates =
    transfer.kind !== "Native" && transfer.createDestinationAccount && token?.ofRecipient === undefined;
  const draft = transferDraft(transfer, {
    blockhash,
    memo: { tag, slot },
    units,
    price: situation.price === undefined ? undefined : cappedPrice(situation.price, units, feeCap),
    decimals: token?.mint?.decimals ?? 0,
    creates,
  });
  const fee = solanaFee(draft);
  if (fee > BigInt(feeCap)) return aboveCap(fee, feeCap);
  const payable = judgeSolanaFunds({ transfer, fee, situation });
  return payable.ok ? built(encodeSolana(draft), draft) : payable;
};

/** A caller's bytes stay as they are; the check is only whether they can still land, and whether the wallet can pay for them. */
const judgeExact = (
  { feeCap }: SolanaNetwork,
  { unsigned, draft }: Extract<SolanaPlan, { kind: "exact" }>,
  { isBlockhashValid, sender }: SolanaSituation,
): Result<BuiltTransaction> => {
  if (isBlockhashValid !== true) {
    const why = `its blockhash ${draft.blockhash} is of no block, or of one that is too old`;
    return fail(
      "TransactionInvalid",
      { field: "transaction" },
      `the transaction is not valid: ${why}; make it again with the latest blockhash`,
    );
  }
  const fee = solanaFee(draft);
  if (fee > BigInt(feeCap)) return aboveCap(fee, feeCap);
  const payable = judgeSolanaPayer(sender, fee);
  return payable.ok ? built(unsigned, draft) : payable;
};
