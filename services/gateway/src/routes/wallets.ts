import { createWalletBodySchema, walletView } from "@conclave/custody";
import { listWallets } from "@conclave/platform";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { createWallet } from "../create-wallet.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { pageOf, pageQuerySchema, paginate, withLookahead } from "../pagination.ts";
import { requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import { walletListSchema, walletParams, walletSchema } from "../schemas/wallet.ts";
import { shownWallet } from "../visible-wallet.ts";

const createWalletRoute = createRoute({
  method: "post",
  path: "/wallets",
  operationId: "createWallet",
  summary: "Create a wallet: the signers generate its key together",
  ...requires("Wallets:Create"),
  request: { body: { required: true, content: { "application/json": { schema: createWalletBodySchema } } } },
  responses: {
    200: { description: "The wallet", content: { "application/json": { schema: walletSchema } } },
    ...commonErrors,
    ...forbiddenError,
    ...bodyErrors,
  },
});

const listWalletsRoute = createRoute({
  method: "get",
  path: "/wallets",
  operationId: "listWallets",
  summary: "List the organisation's wallets, newest first",
  ...requires("Wallets:Read"),
  request: { query: pageQuerySchema },
  responses: {
    200: { description: "One page", content: { "application/json": { schema: walletListSchema } } },
    ...commonErrors,
  },
});

const getWalletRoute = createRoute({
  method: "get",
  path: "/wallets/{walletId}",
  operationId: "getWallet",
  summary: "Read a wallet",
  ...requires("Wallets:Read"),
  request: { params: walletParams },
  responses: {
    200: { description: "The wallet", content: { "application/json": { schema: walletSchema } } },
    ...commonErrors,
    ...notFoundError,
  },
});

/** Adds the operations on wallets. */
export const addWalletRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(createWalletRoute, async (c) => {
    const wallet = await createWallet(dependencies, c.get("caller"), c.req.valid("json"));
    return c.json(walletView(demand(wallet)), 200);
  });
  app.openapi(listWalletsRoute, async (c) => {
    const page = demand(pageOf(c.req.valid("query")));
    const rows = await listWallets(dependencies.database, c.get("caller").orgId, withLookahead(page));
    const { items, next } = paginate(rows, page, (wallet) => wallet.dateCreated);
    return c.json({ items: items.map(walletView), ...next }, 200);
  });
  app.openapi(getWalletRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    const wallet = await shownWallet(dependencies.database, c.get("caller"), walletId);
    return c.json(walletView(demand(wallet)), 200);
  });
};
