import { base64 } from "@scure/base";
import type { LedgerJson } from "../../json.ts";
import { assetCodeOf } from "../operations/asset-code.ts";
import type { HorizonMuxedAccount } from "../xdr/account.ts";
import type { HorizonAsset } from "../xdr/asset.ts";

const STROOPS = 10_000_000n;
const DECIMALS = 7;

export const toBase64 = (bytes: Uint8Array): string => base64.encode(bytes);

/** @returns undefined if the text is not base64 */
export const fromBase64 = (text: string): Uint8Array | undefined => {
  try {
    return base64.decode(text);
  } catch {
    return undefined;
  }
};

/** An amount as a string with seven decimals: "1.0000000". */
export const amountText = (stroops: bigint): string =>
  `${stroops / STROOPS}.${(stroops % STROOPS).toString().padStart(DECIMALS, "0")}`;

/** "2026-11-22T17:00:00Z". @param seconds since 1970 */
export const timeText = (seconds: bigint): string =>
  new Date(Number(seconds) * 1_000).toISOString().replace(".000Z", "Z");

export type JsonFields = Readonly<Record<string, LedgerJson>>;

export const creditJson = (asset: HorizonAsset): JsonFields => {
  if (asset.type === "native") return { asset_type: "native" };
  return {
    asset_type: asset.type === "short" ? "credit_alphanum4" : "credit_alphanum12",
    asset_code: assetCodeOf(asset),
    asset_issuer: asset.value.issuer,
  };
};

/** An account under a field name, with its multiplexing id if it has one. */
export const namedAccountJson = (name: string, { account, id }: HorizonMuxedAccount): JsonFields => ({
  [name]: account,
  ...(id !== undefined && { [`${name}_muxed_id`]: id.toString() }),
});

export const textOfBytes = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
