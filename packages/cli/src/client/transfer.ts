import { setTimeout as delay } from "node:timers/promises";
import { unitsOf } from "@conclave/testbed/amount";
import { LaunchError } from "@conclave/testbed/launch";
import { z } from "zod";
import type { AskGateway } from "./gateway.ts";
import { note, printOne, type Shown } from "./print.ts";
import { findWallet, type HeldAsset, heldAssets, payeeAddress } from "./wallets.ts";

const POLL_MS = 300;
const ENDS = ["Confirmed", "Failed", "Rejected"];
/** The fields by which a family names an asset, both in a wallet's holdings and in a transfer. */
const NAMES_OF_ASSETS = ["contract", "assetId", "mint", "tokenId", "assetCode", "issuer"];

const transferSchema = z.looseObject({
  id: z.string(),
  walletId: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  txHash: z.string().optional(),
  fee: z.string().optional(),
  approvalId: z.string().optional(),
});
type AskedTransfer = z.infer<typeof transferSchema>;

export interface TransferOrder extends Shown {
  /** a wallet's id or name */
  readonly from: string;
  /** an address, or a wallet's id or name */
  readonly to: string;
  /** in whole coins */
  readonly amount: string;
  /** a symbol, or the asset's name on its chain; if absent, the chain's native coin */
  readonly asset?: string;
  readonly memo?: string;
  /** whether the command waits until the transfer has ended */
  readonly wait: boolean;
}

/**
 * `conclave transfer`: sends an asset that the wallet holds, and reports progress until the transfer has ended.
 * @returns whether the transfer is confirmed or, without waiting, accepted
 */
export const transfer = async (ask: AskGateway, order: TransferOrder): Promise<boolean> => {
  const wallet = await findWallet(ask, order.from);
  const asset = chosen(await heldAssets(ask, wallet), order.asset);
  const amount = unitsOf(order.amount, asset.decimals).toString();
  const to = await payeeAddress(ask, order.to, wallet.network);
  const { memo } = order;
  const body = {
    kind: asset.kind,
    ...nameOnChain(asset),
    to,
    amount,
    ...(memo === undefined ? {} : { memo }),
  };
  const asked = await ask(transferSchema, "POST", `/wallets/${wallet.id}/transfers`, body);
  note(`${asked.id} is accepted`);
  const ended = order.wait ? await untilEnded(ask, asked) : asked;
  const { id, status, reason, txHash, fee } = ended;
  printOne(order, ended, {
    transfer: id,
    status,
    reason,
    transaction: txHash,
    "fee, in the smallest unit": fee,
  });
  return !order.wait || status === "Confirmed";
};

const chosen = (assets: readonly HeldAsset[], named: string | undefined): HeldAsset => {
  const found = assets.filter((asset) =>
    named === undefined
      ? asset.kind === "Native"
      : asset.symbol === named || Object.values(nameOnChain(asset)).includes(named),
  );
  const [asset] = found;
  if (asset !== undefined && found.length === 1) return asset;
  const what = named ?? "the chain's own coin";
  throw new LaunchError(
    found.length === 0
      ? `the wallet holds no ${what}`
      : `the wallet holds ${found.length} assets called ${what}`,
    "`conclave wallet show` lists what it holds; --asset takes a symbol, a contract or another name on the chain.",
  );
};

const nameOnChain = (asset: HeldAsset): Readonly<Record<string, string>> =>
  Object.fromEntries(
    NAMES_OF_ASSETS.flatMap((name) => {
      const value = asset[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );

const untilEnded = async (ask: AskGateway, asked: AskedTransfer): Promise<AskedTransfer> => {
  let shown = "";
  for (;;) {
    const now = await ask(transferSchema, "GET", `/wallets/${asked.walletId}/transfers/${asked.id}`);
    const words = wordsOf(now);
    if (words !== shown) note(words);
    shown = words;
    if (ENDS.includes(now.status)) return now;
    await delay(POLL_MS);
  }
};

const wordsOf = ({ status, reason, approvalId }: AskedTransfer): string => {
  const waits = status === "Pending" && approvalId !== undefined;
  const why = reason ?? (waits ? `waits for the approval ${approvalId}: \`conclave approve\`` : undefined);
  return why === undefined ? status : `${status}: ${why}`;
};
