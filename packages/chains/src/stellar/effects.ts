import { type Effects, type Movement, moves, NATIVE_ASSET } from "@conclave/custody";
import type { ReadableStellar } from "./network.ts";
import type { StellarTransfer } from "./rules/act.ts";
import { type StellarToken, spellStellarToken } from "./rules/asset.ts";
import { assetContractOf } from "./soroban/asset-contract.ts";
import type { StellarDraft } from "./transaction.ts";

/** The effects of a transfer. */
export const effectsOfStellarTransfer = (transfer: StellarTransfer): Effects => {
  const { to: recipient, amount } = transfer;
  const token = transfer.kind === "Sep41" ? { code: transfer.assetCode, issuer: transfer.issuer } : undefined;
  return moves({ asset: assetOf(token), amount, recipient });
};

const assetOf = (token: StellarToken | undefined): string =>
  token === undefined ? NATIVE_ASSET : spellStellarToken(token);

/** The asset of a contract. Only the contract of lumens is recognised; any other asset is named by its contract's address. */
const assetBehind = (passphrase: string, contract: string): string =>
  contract === assetContractOf(passphrase, undefined) ? NATIVE_ASSET : contract;

const movementOf = (passphrase: string, { from, operation }: StellarDraft): Movement => {
  switch (operation.kind) {
    case "payment": {
      const { token, amount, to: recipient } = operation;
      return { asset: assetOf(token), amount: amount.toString(), recipient };
    }
    case "createAccount":
      return { asset: NATIVE_ASSET, amount: operation.amount.toString(), recipient: operation.to };
    case "changeTrust":
      // nothing leaves the account; it becomes able to hold the asset
      return { asset: assetOf(operation.token), amount: "0", recipient: from };
    case "invokeHostFunction": {
      const { contract, amount, to: recipient } = operation;
      return { asset: assetBehind(passphrase, contract), amount: amount.toString(), recipient };
    }
  }
};

/** The effects of a decoded transaction. */
export const effectsOfStellarDraft = (
  { passphrase }: Pick<ReadableStellar, "passphrase">,
  draft: StellarDraft,
): Effects => moves(movementOf(passphrase, draft));
