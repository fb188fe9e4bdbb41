import {
  type Effects,
  type FamilyContent,
  type Movement,
  moves,
  NATIVE_ASSET,
  opaque,
  type StellarToken,
  spellStellarToken,
  stellarTransferSchema,
} from "@conclave/custody";
import type { ReadableStellar } from "./network.ts";
import { givenStellarBytes } from "./parse-content.ts";
import { assetContractOf } from "./soroban/asset-contract.ts";
import { decodeStellar, type StellarDraft } from "./transaction.ts";

/** The effects of a request, for policies to judge. Of a caller's own bytes the fee counts as well: they fix it.
 * @param network undefined when none is known: the bytes name no chain, so that they could be for any
 */
export const effectsOfStellar = (
  network: Pick<ReadableStellar, "passphrase"> | undefined,
  content: FamilyContent,
): Effects => {
  const transfer = stellarTransferSchema.safeParse(content);
  if (transfer.success) {
    const { to: recipient, amount } = transfer.data;
    const token =
      transfer.data.kind === "Sep41"
        ? { code: transfer.data.assetCode, issuer: transfer.data.issuer }
        : undefined;
    return moves({ asset: assetOf(token), amount, recipient });
  }
  const given = givenStellarBytes(content);
  if (given === undefined) return opaque("the request cannot be read");
  if (network === undefined) return opaque("no chain is known that the transaction is for");
  const decoded = decodeStellar(given);
  if (!decoded.ok) return opaque(decoded.problem.message);
  return { ...effectsOfStellarDraft(network, decoded.value), fee: decoded.value.fee.toString() };
};

const assetOf = (token: StellarToken | undefined): string =>
  token === undefined ? NATIVE_ASSET : spellStellarToken(token);

/** A contract's address says nothing of the asset behind it, but that of lumens is known. */
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
      // nothing leaves the account: it is ready to hold what others send
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
