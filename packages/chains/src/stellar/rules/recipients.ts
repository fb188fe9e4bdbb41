import { type FamilyContent, type Network, ok, type Result } from "@conclave/custody";
import { unsuitableRecipient } from "../../rules/unsuitable-recipient.ts";
import { stellarTransferSchema } from "./act.ts";

/**
 * @returns RecipientUnsuitable for a payment to the asset's issuer, which would destroy the amount (Stellar documentation,
 * "Assets")
 */
export const judgeStellarRecipient = (_network: Network, transfer: FamilyContent): Result<void> => {
  const parsed = stellarTransferSchema.safeParse(transfer);
  if (!parsed.success || parsed.data.kind !== "Sep41" || parsed.data.to !== parsed.data.issuer) {
    return ok(undefined);
  }
  const { assetCode, issuer } = parsed.data;
  return unsuitableRecipient(
    "issuer",
    `${issuer} issues ${assetCode}: what is paid to the issuer is unmade (burnt).`,
  );
};
