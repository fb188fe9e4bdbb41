import { fail, ok, type Result } from "@conclave/custody";
import type { TronContract } from "./contract.ts";
import type { TronFee } from "./fee.ts";
import type { TronSituation } from "./situation.ts";

/** The transfer to judge, with the chain's current state. */
interface Asked {
  readonly sender: string;
  readonly contract: TronContract;
  readonly fee: TronFee;
  readonly situation: TronSituation;
}

const short = (needed: bigint, held: bigint, what: string): Result<never> =>
  fail(
    "InsufficientFunds",
    { needed: needed.toString(), held: held.toString() },
    `insufficient funds: ${needed} ${what} are needed, the wallet holds ${held}; send it ${needed - held} more, or ask for less`,
  );

/** Judges whether the simulated call succeeds. @returns its energy; ExecutionReverted in the chain's own words */
export const judgeCallable = (
  contract: TronContract,
  { held, call }: Pick<TronSituation, "held" | "call">,
): Result<bigint> => {
  if (contract.type !== "TriggerSmartContract") return ok(0n);
  if (call === undefined) throw new TypeError("a call was not tried");
  if (call.kind === "no contract") {
    return fail(
      "ExecutionReverted",
      {},
      `there is no contract at ${contract.contract}: name the token's own contract`,
    );
  }
  const owned = judgeHeld(contract, held ?? 0n);
  if (!owned.ok) return owned;
  return call.kind === "passed"
    ? ok(call.energy)
    : fail("ExecutionReverted", {}, `the contract refuses the call: ${call.why}`);
};

const judgeHeld = (contract: TronContract, held: bigint): Result<void> => {
  switch (contract.type) {
    case "TransferContract":
      return ok(undefined);
    case "TransferAssetContract":
      return held < contract.amount
        ? short(contract.amount, held, `units of the token ${contract.tokenId}`)
        : ok(undefined);
    case "TriggerSmartContract": {
      const { call } = contract;
      if (call.function === "transfer") {
        return held < call.amount
          ? short(call.amount, held, `units of the token ${contract.contract}`)
          : ok(undefined);
      }
      return held === 0n
        ? fail(
            "InsufficientFunds",
            {},
            `insufficient funds: the wallet does not own the token ${call.tokenId} of ${contract.contract}; name one that it owns`,
          )
        : ok(undefined);
    }
  }
};

/**
 * Judges, before anything is signed, whether the chain would refuse the transaction.
 * @returns InsufficientFunds, RecipientCannotReceive, or TransactionInvalid when the wallet's key does not sign for its account
 */
export const judgeTronAffordable = ({ sender, contract, fee, situation }: Asked): Result<void> => {
  const { balance, isOwn } = situation.sender;
  if (!isOwn) {
    const why = `the authority over the wallet's account ${sender} was handed to other keys: its own signs for it no more; use another wallet`;
    return fail("TransactionInvalid", { field: "from" }, why);
  }
  const { isContract, exists } = situation.recipient;
  // java-tron, TransferActuator and TransferAssetActuator: TRX and TRC-10 tokens reach a contract only by a call of it
  if (isContract && contract.type !== "TriggerSmartContract" && !situation.prices.paysContracts) {
    const why =
      "the recipient is a contract, and the chain takes no payment of TRX or of a TRC-10 token to one";
    return fail("RecipientCannotReceive", {}, `${why}: send to an account of its owner`);
  }
  const held = judgeHeld(contract, situation.held ?? 0n);
  if (!held.ok) return held;
  const amount = contract.type === "TransferContract" ? contract.amount : 0n;
  const fees = fee.frame + fee.energy;
  const needed = amount + fees;
  const made =
    exists || contract.type === "TriggerSmartContract" ? "" : ", with those for the recipient's new account";
  return balance < needed
    ? short(needed, balance, `sun (amount, and fees of ${fees}${made})`)
    : ok(undefined);
};
