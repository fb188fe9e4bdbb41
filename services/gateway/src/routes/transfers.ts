import { problem, transferBodySchema, transferView } from "@conclave/custody";
import { listTransfers, readTransfer } from "@conclave/platform";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { createTransfer } from "../create-transfer.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { pageOf, pageQuerySchema, paginate, withLookahead } from "../pagination.ts";
import { anyOf, requires } from "../permission/requires.ts";
import { demand, Refused } from "../refused.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import { transferListSchema, transferParams, transferSchema } from "../schemas/transfer.ts";
import { walletParams } from "../schemas/wallet.ts";
import { visibleWallet } from "../visible-wallet.ts";

const createTransferRoute = createRoute({
  method: "post",
  path: "/wallets/{walletId}/transfers",
  operationId: "transferAsset",
  summary: "Transfer an asset from a wallet",
  ...requires(anyOf("Wallets:TransferAsset", "Wallets:Transfers:Create")),
  request: {
    params: walletParams,
    body: { required: true, content: { "application/json": { schema: transferBodySchema } } },
  },
  responses: {
    200: { description: "The transfer", content: { "application/json": { schema: transferSchema } } },
    ...commonErrors,
    ...notFoundError,
    ...forbiddenError,
    ...bodyErrors,
  },
});

const listTransfersRoute = createRoute({
  method: "get",
  path: "/wallets/{walletId}/transfers",
  operationId: "listTransfers",
  summary: "List a wallet's transfers, newest first",
  ...requires(anyOf("Wallets:ReadTransfer", "Wallets:Transfers:Read")),
  request: { params: walletParams, query: pageQuerySchema },
  responses: {
    200: { description: "One page", content: { "application/json": { schema: transferListSchema } } },
    ...commonErrors,
    ...notFoundError,
  },
});

const getTransferRoute = createRoute({
  method: "get",
  path: "/wallets/{walletId}/transfers/{transferId}",
  operationId: "getTransfer",
  summary: "Read a transfer",
  ...requires(anyOf("Wallets:ReadTransfer", "Wallets:Transfers:Read")),
  request: { params: transferParams },
  responses: {
    200: { description: "The transfer", content: { "application/json": { schema: transferSchema } } },
    ...commonErrors,
    ...notFoundError,
  },
});

/** Adds the operations on transfers. */
export const addTransferRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(createTransferRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    const transfer = await createTransfer(dependencies, c.get("caller"), walletId, c.req.valid("json"));
    return c.json(transferView(demand(transfer)), 200);
  });
  app.openapi(listTransfersRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    demand(await visibleWallet(dependencies.database, c.get("caller"), walletId));
    const page = demand(pageOf(c.req.valid("query")));
    const rows = await listTransfers(dependencies.database, walletId, withLookahead(page));
    const { items, next } = paginate(rows, page, (transfer) => transfer.dateRequested);
    return c.json({ walletId, items: items.map(transferView), ...next }, 200);
  });
  app.openapi(getTransferRoute, async (c) => {
    const { walletId, transferId } = c.req.valid("param");
    const { orgId } = c.get("caller");
    const transfer = await readTransfer(dependencies.database, transferId);
    if (transfer?.orgId !== orgId || transfer.walletId !== walletId) {
      throw new Refused(problem("TransferNotFound", { transferId, walletId }));
    }
    return c.json(transferView(transfer), 200);
  });
};
