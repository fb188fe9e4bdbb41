import { fail, ok, type Result } from "@conclave/custody";
import type { AlgorandSituation, AssetHolding } from "./situation.ts";
import type { AlgorandPayment } from "./transaction.ts";

/** Microalgos that each held asset adds to an account's minimum balance (consensus parameter MinBalance). */
const ASSET_LEAST = 100_000n;

/** The payment to judge, with the chain's current state. */
interface Asked {
  readonly sender: string;
  readonly payment: AlgorandPayment;
  /** microalgos */
  readonly fee: bigint;
  readonly situation: AlgorandSituation;
}

/** @param unit such as "microalgos" */
const short = (needed: bigint, held: bigint, unit: string, what = ""): Result<never> =>
  fail(
    "InsufficientFunds",
    { needed: needed.toString(), held: held.toString() },
    `insufficient funds: ${needed} ${unit}${what} are needed, the wallet holds ${held}; ` +
      `send it ${needed - held} ${unit} more, or ask for less`,
  );

const cannotReceive = (why: string): Result<never> => fail("RecipientCannotReceive", {}, why);

/**
 * Judges, before anything is signed, whether the chain would refuse the transaction.
 * @returns InsufficientFunds, RecipientCannotReceive, or TransactionInvalid when the wallet's key has no authority over its
 * account, or the asset does not exist
 */
export const judgeAffordable = (asked: Asked): Result<void> => {
  const { authority } = asked.situation.sender;
  if (authority !== undefined && authority !== asked.sender) {
    return fail(
      "TransactionInvalid",
      { field: "from", authority },
      `the wallet's account was handed to ${authority} (rekeyed): its own key signs for it no more; ` +
        "have that key hand it back, or send from another wallet",
    );
  }
  return asked.payment.type === "pay" ? judgePayment(asked, asked.payment) : judgeAsset(asked, asked.payment);
};

/** An account must keep its minimum balance; a payment to itself does not reduce its balance. */
const judgePayment = ({ sender, fee, situation }: Asked, { to, amount }: AlgorandPayment): Result<void> => {
  const { sender: payer, recipient } = situation;
  const leaving = to === sender ? fee : amount + fee;
  const needed = leaving + payer.least;
  if (payer.balance < needed) {
    return short(
      needed,
      payer.balance,
      "microalgos",
      ` (amount, fee and the account's least balance of ${payer.least})`,
    );
  }
  return to === sender || recipient.balance + amount >= recipient.least
    ? ok(undefined)
    : cannotReceive(
        `the recipient's account would hold ${recipient.balance + amount} microalgos, ` +
          `less than its least balance of ${recipient.least}: ` +
          `send at least ${recipient.least - recipient.balance} microalgos`,
      );
};

type AssetTransfer = Extract<AlgorandPayment, { readonly type: "axfer" }>;

const judgeAsset = ({ sender, fee, situation }: Asked, transfer: AssetTransfer): Result<void> => {
  const { sender: payer, asset } = situation;
  if (asset === undefined) throw new TypeError("an asset was not looked for");
  if (!asset.isThere) {
    return fail(
      "TransactionInvalid",
      { field: "assetId" },
      `there is no asset ${transfer.assetId} on this network: check its id`,
    );
  }
  const isOptIn = transfer.to === sender && transfer.amount === 0n && asset.ofSender === undefined;
  const needed = fee + payer.least + (isOptIn ? ASSET_LEAST : 0n);
  if (payer.balance < needed) {
    return short(needed, payer.balance, "microalgos", " (fee and the account's least balance)");
  }
  if (isOptIn) return ok(undefined);
  const { assetId } = transfer;
  const held = judgeHeld(transfer, asset.ofSender);
  if (!held.ok) return held;
  if (asset.ofRecipient === undefined) {
    return cannotReceive(
      `the recipient has not opted in to the asset ${assetId}: have it send 0 units of it to itself`,
    );
  }
  return asset.ofRecipient.isFrozen
    ? cannotReceive(
        `the recipient's holding of the asset ${assetId} is frozen: the asset's freeze address alone frees it`,
      )
    : ok(undefined);
};

const judgeHeld = ({ assetId, amount }: AssetTransfer, holding: AssetHolding | undefined): Result<void> => {
  const held = holding?.amount ?? 0n;
  if (holding === undefined || held < amount) return short(amount, held, `units of the asset ${assetId}`);
  return holding.isFrozen
    ? fail(
        "InsufficientFunds",
        { assetId: assetId.toString() },
        `the wallet's holding of the asset ${assetId} is frozen: the asset's freeze address alone frees it`,
      )
    : ok(undefined);
};
