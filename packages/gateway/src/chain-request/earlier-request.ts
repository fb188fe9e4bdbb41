import { isDeepStrictEqual } from "node:util";
import { type ChainRequest, fail, ok, type Result, type WalletId } from "@conclave/custody";
import { type Caller, type Connection, readChainRequestByExternalId } from "@conclave/platform";

/**
 * The request that this externalId made before, if any (wire interface, section E.5).
 * @returns ExternalIdConflict when it was another request, or one of another wallet
 */
export const earlierRequest = async (
  connection: Connection,
  caller: Caller,
  kind: ChainRequest["kind"],
  walletId: WalletId,
  body: { readonly externalId?: string | undefined },
): Promise<Result<ChainRequest | undefined>> => {
  const { externalId } = body;
  if (externalId === undefined) return ok(undefined);
  const earlier = await readChainRequestByExternalId(connection, caller.orgId, kind, externalId);
  const isSame = earlier?.walletId === walletId && isDeepStrictEqual(earlier.requestBody, body);
  if (earlier === undefined || isSame) return ok(earlier);
  return fail("ExternalIdConflict", { duplicate: { id: earlier.id, externalId } });
};
