import { bytesToHex } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../../json.ts";
import { type HorizonBooks, stellarEntriesIn } from "../books.ts";
import { assetCodeOf } from "../operations/asset-code.ts";
import { isLineAuthorized } from "../operations/flags.ts";
import type { HorizonCredit } from "../xdr/asset.ts";
import { amountText, creditJson } from "./format.ts";
import { linkTo } from "./link.ts";

interface Issued {
  readonly asset: HorizonCredit;
  readonly authorized: number;
  readonly unauthorized: number;
  readonly amount: bigint;
}

/** Every asset for which a trustline exists, by its name. */
const issuedIn = (books: HorizonBooks): ReadonlyMap<string, Issued> => {
  const all = new Map<string, Issued>();
  for (const { data } of stellarEntriesIn(books)) {
    if (data.type !== "trustLine" || data.value.asset.type === "native") continue;
    const { asset, balance } = data.value;
    const name = `${assetCodeOf(asset)}_${asset.value.issuer}_${bytesToHex(asset.value.code).length}`;
    const known = all.get(name) ?? { asset, authorized: 0, unauthorized: 0, amount: 0n };
    const isAuthorized = isLineAuthorized(data.value);
    all.set(name, {
      asset,
      authorized: known.authorized + (isAuthorized ? 1 : 0),
      unauthorized: known.unauthorized + (isAuthorized ? 0 : 1),
      amount: known.amount + balance,
    });
  }
  return all;
};

/** The records of GET /assets, up to the limit. */
export const assetRecords = (
  books: HorizonBooks,
  wanted: { readonly code: string | undefined; readonly issuer: string | undefined },
  limit: number,
  origin: string,
): readonly LedgerJson[] =>
  [...issuedIn(books).values()]
    .filter(({ asset }) => wanted.code === undefined || assetCodeOf(asset) === wanted.code)
    .filter(({ asset }) => wanted.issuer === undefined || asset.value.issuer === wanted.issuer)
    .slice(0, limit)
    .map(({ asset, authorized, unauthorized, amount }) => ({
      _links: { toml: linkTo(origin, "") },
      ...creditJson(asset),
      paging_token: `${assetCodeOf(asset)}_${asset.value.issuer}_${String(creditJson(asset)["asset_type"])}`,
      accounts: { authorized, authorized_to_maintain_liabilities: 0, unauthorized },
      balances: {
        authorized: amountText(amount),
        authorized_to_maintain_liabilities: "0.0000000",
        unauthorized: "0.0000000",
      },
    }));
