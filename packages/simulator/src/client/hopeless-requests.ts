import {
  type ChainWallet,
  idFrom,
  type Result,
  type TransferId,
  transferIdSchema,
  type WalletId,
  type WebhookId,
  walletIdSchema,
} from "@conclave/custody";
import {
  changeWebhook,
  createTransfer,
  createWallet,
  type Dependencies,
  shownWallet,
  visibleTransfer,
} from "@conclave/gateway";
import { type Caller, listTransfers } from "@conclave/platform";

/** A request that a gateway has to refuse, and that changes nothing. */
export interface HopelessRequest {
  readonly name: string;
  /** whether it asks for a thing of another organisation: it is refused as if there were no such thing */
  readonly isForeign: boolean;
  /** the ids of others that it names */
  readonly ids: readonly string[];
  readonly ask: (dependencies: Dependencies, caller: Caller) => Promise<Result<unknown>>;
}

/** A client's own things, with which its requests are made. */
export interface OwnThings {
  readonly wallet: ChainWallet;
  /** of a transfer that the client asked for and that was accepted */
  readonly usedExternalId: string | undefined;
}

/** Things of another organisation. */
export interface ForeignThings {
  readonly wallet: ChainWallet;
  readonly transfer: TransferId | undefined;
  readonly webhook: WebhookId | undefined;
}

const NOBODY = `0x${"0b".repeat(20)}`;
const PAYMENT = { kind: "Native", to: NOBODY, amount: "1" } as const;
const PAGE = { limit: 10 } as const;
/** Of things that nobody made. */
const NO_WALLET = idFrom(walletIdSchema, "wa", ["no wallet"]);
const NO_TRANSFER = idFrom(transferIdSchema, "xfr", ["no transfer"]);

type Body = Parameters<typeof createTransfer>[3];

const paying =
  (wallet: WalletId, body: Body): HopelessRequest["ask"] =>
  (dependencies, caller) =>
    createTransfer(dependencies, caller, wallet, body);

/** Bad requests of a client. */
export const badRequests = ({ wallet, usedExternalId }: OwnThings): readonly HopelessRequest[] => {
  const bad = (name: string, ask: HopelessRequest["ask"]): HopelessRequest => ({
    name,
    isForeign: false,
    ids: [],
    ask,
  });
  const conflict = { ...PAYMENT, amount: "1000000007" };
  return [
    bad("a payment of a wallet that does not exist", paying(NO_WALLET, PAYMENT)),
    bad("a payment to no address", paying(wallet.id, { ...PAYMENT, to: "0x0b" })),
    bad("a payment of nothing", paying(wallet.id, { ...PAYMENT, amount: "0" })),
    bad("a payment of less than nothing", paying(wallet.id, { ...PAYMENT, amount: "-1" })),
    bad(
      "a transfer of a kind that the network lacks",
      paying(wallet.id, { kind: "Asa", assetId: "1", to: NOBODY, amount: "1" }),
    ),
    bad("a transfer that does not exist", ({ database }, caller) =>
      visibleTransfer(database, caller, wallet.id, NO_TRANSFER),
    ),
    bad("a wallet on no network", (dependencies, caller) =>
      createWallet(dependencies, caller, { network: "Nowhere" }),
    ),
    ...(usedExternalId === undefined
      ? []
      : [
          bad(
            "another payment with an externalId that is taken",
            paying(wallet.id, { ...conflict, externalId: usedExternalId }),
          ),
        ]),
  ];
};

/** Requests of a client for things of another organisation. */
export const foreignRequests = (
  own: Pick<OwnThings, "wallet">,
  { wallet, transfer, webhook }: ForeignThings,
): readonly HopelessRequest[] => {
  const ofWallet = (name: string, ask: HopelessRequest["ask"]): HopelessRequest => ({
    name,
    isForeign: true,
    ids: [wallet.id, wallet.keyId],
    ask,
  });
  return [
    ofWallet("a wallet", ({ database }, caller) => shownWallet(database, caller, wallet.id)),
    ofWallet("the transfers of a wallet", async ({ database }, caller) => {
      const shown = await shownWallet(database, caller, wallet.id);
      return shown.ok ? { ok: true, value: await listTransfers(database, wallet.id, PAGE) } : shown;
    }),
    ofWallet("a payment of a wallet", paying(wallet.id, PAYMENT)),
    ofWallet("a wallet with a key", (dependencies, caller) =>
      createWallet(dependencies, caller, { network: wallet.network, signingKey: { id: wallet.keyId } }),
    ),
    ...(transfer === undefined ? [] : [wallet.id, own.wallet.id].map((id) => foreignTransfer(id, transfer))),
    ...(webhook === undefined ? [] : [foreignWebhook(webhook)]),
  ];
};

const foreignTransfer = (wallet: WalletId, transfer: TransferId): HopelessRequest => ({
  name: "a transfer",
  isForeign: true,
  ids: [wallet, transfer],
  ask: ({ database }, caller) => visibleTransfer(database, caller, wallet, transfer),
});

const foreignWebhook = (webhook: WebhookId): HopelessRequest => ({
  name: "the end of a webhook",
  isForeign: true,
  ids: [webhook],
  ask: (dependencies, caller) => changeWebhook(dependencies, caller, webhook, { status: "Disabled" }),
});
