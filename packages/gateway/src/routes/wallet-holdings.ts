import { historyEntryView, isChainWallet, netWorthOf, transferKindOfEvent } from "@conclave/custody";
import { listHistory, NOTHING_LISTED } from "@conclave/platform";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { chainOf } from "../chain-request/chain-of.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { readPage } from "../http/pagination.ts";
import { demand } from "../http/refused.ts";
import {
  assetsQuerySchema,
  historyQuerySchema,
  organisationHistoryQuerySchema,
  organisationHistorySchema,
  walletAssetsSchema,
  walletHistorySchema,
  walletNftsSchema,
} from "../schemas/holding.ts";
import { walletParams } from "../schemas/wallet.ts";
import { organisationHistory } from "../wallet/organisation-history.ts";
import { shownWallet } from "../wallet/visible-wallet.ts";
import { assetsOf, uniqueTokensOf } from "../wallet/wallet-holdings.ts";
import { answer, operation, readErrors } from "./operation.ts";

const assetsRoute = operation("get", "/wallets/{walletId}/assets", {
  operationId: "getWalletAssets",
  summary: "What a wallet holds now: its coin, and tokens that transfers of the organisation have moved",
  needs: ["Wallets:Read"],
  request: { params: walletParams, query: assetsQuerySchema },
  answers: { 200: answer("Its assets", walletAssetsSchema), ...readErrors },
});

const nftsRoute = operation("get", "/wallets/{walletId}/nfts", {
  operationId: "getWalletNfts",
  summary: "Tokens, each one of a kind, that transfers of the organisation brought and the wallet still owns",
  needs: ["Wallets:Read"],
  request: { params: walletParams },
  answers: { 200: answer("Its tokens", walletNftsSchema), ...readErrors },
});

const organisationHistoryRoute = operation("get", "/wallets/all/history", {
  operationId: "listOrgWalletHistory",
  summary: "Confirmed transfers from and to the organisation's wallets in a time, newest first",
  needs: ["Wallets:Read"],
  request: { query: organisationHistoryQuerySchema },
  answers: { 200: answer("One page", organisationHistorySchema), ...readErrors },
});

const historyRoute = operation("get", "/wallets/{walletId}/history", {
  operationId: "getWalletHistory",
  summary: "Confirmed transfers of the organisation from and to a wallet, newest first",
  needs: ["Wallets:Read"],
  request: { params: walletParams, query: historyQuerySchema },
  answers: { 200: answer("One page", walletHistorySchema), ...readErrors },
});

/** Adds the operations that read a wallet's current and past holdings. Wallets of pseudo networks hold nothing. */
export const addHoldingRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  app.openapi(assetsRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    const wallet = demand(await shownWallet(database, c.get("caller"), walletId));
    const { network } = wallet;
    const assets = isChainWallet(wallet)
      ? demand(await assetsOf(dependencies, demand(chainOf(dependencies, network)), wallet))
      : [];
    const isAsked = c.req.valid("query").netWorth === "true";
    return c.json({ walletId, network, assets, ...(isAsked ? { netWorth: netWorthOf(assets) } : {}) }, 200);
  });
  app.openapi(nftsRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    const wallet = demand(await shownWallet(database, c.get("caller"), walletId));
    const { network } = wallet;
    const nfts = isChainWallet(wallet)
      ? demand(await uniqueTokensOf(dependencies, demand(chainOf(dependencies, network)), wallet))
      : [];
    return c.json({ walletId, network, nfts }, 200);
  });
  app.openapi(organisationHistoryRoute, async (c) =>
    c.json(await organisationHistory(dependencies, c.get("caller"), c.req.valid("query")), 200),
  );
  app.openapi(historyRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    const { direction, kind, contract, ...query } = c.req.valid("query");
    const wallet = demand(await shownWallet(database, c.get("caller"), walletId));
    const { network } = wallet;
    const asked = kind === undefined ? undefined : transferKindOfEvent(dependencies.families, network, kind);
    const filter = { direction, kind: asked, contract };
    const { items, next } = await readPage(
      query,
      async (page) => (isChainWallet(wallet) ? listHistory(database, wallet, page, filter) : NOTHING_LISTED),
      (entry) => entry.dateConfirmed,
    );
    const shown = items.flatMap((entry) => historyEntryView(dependencies.families, walletId, entry) ?? []);
    return c.json({ items: shown, ...next, walletId, network }, 200);
  });
};
