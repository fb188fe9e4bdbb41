import { isDeepStrictEqual } from "node:util";
import { type ChainRequest, ok, type Result, type WalletId } from "@conclave/custody";
import { type Connection, readChainRequestByExternalId } from "@conclave/platform";
import { takenExternalId } from "../people/taken-external-id.ts";
import type { Viewer } from "../people/viewer.ts";
import { shownWallet } from "../wallet/visible-wallet.ts";

/**
 * The request that was made earlier with this externalId, if any (wire interface, section E.5).
 * @returns ExternalIdConflict when it was a different request, or one of another wallet
 */
export const earlierRequest = async (
  connection: Connection,
  caller: Viewer,
  kind: ChainRequest["kind"],
  walletId: WalletId,
  body: { readonly externalId?: string | undefined },
): Promise<Result<ChainRequest | undefined>> => {
  const { externalId } = body;
  if (externalId === undefined) return ok(undefined);
  const earlier = await readChainRequestByExternalId(connection, caller.orgId, kind, externalId);
  const isSame =
    earlier?.walletId === walletId && isDeepStrictEqual(meantBy(earlier.requestBody), meantBy(body));
  if (earlier === undefined || isSame) return ok(earlier);
  const { ok: isShown } = await shownWallet(connection, caller, earlier.walletId);
  return takenExternalId(externalId, earlier, isShown);
};

/** Removes `sendAnyway: false` from a body, which means the same as its absence. */
export const meantBy = (body: object): object =>
  Object.fromEntries(
    Object.entries(body).filter(([name, value]) => name !== "sendAnyway" || value !== false),
  );
