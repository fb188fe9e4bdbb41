import { transactionView, transferBodySchema, transferView } from "@conclave/custody";
import { listTransfers } from "@conclave/platform";
import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import { abortRequest } from "../abort-request.ts";
import { createTransfer } from "../create-transfer.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { pageOf, pageQuerySchema, paginate, withLookahead } from "../pagination.ts";
import { anyOf, requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import { replaceRequest } from "../replace-request.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import { transactionSchema } from "../schemas/transaction.ts";
import { transferListSchema, transferParams, transferSchema } from "../schemas/transfer.ts";
import { walletParams } from "../schemas/wallet.ts";
import type { Viewer } from "../viewer.ts";
import { visibleTransfer } from "../visible-request.ts";
import { shownWallet } from "../visible-wallet.ts";

const mayCreate = anyOf("Wallets:TransferAsset", "Wallets:Transfers:Create");
const mayRead = anyOf("Wallets:ReadTransfer", "Wallets:Transfers:Read");
const mayAbort = anyOf("Wallets:Transfers:Abort", "Wallets:Transfers:Create", "Wallets:TransferAsset");

const theTransfer = {
  200: { description: "The transfer", content: { "application/json": { schema: transferSchema } } },
};
const changeErrors = { ...commonErrors, ...notFoundError, ...forbiddenError, ...bodyErrors };

const createTransferRoute = createRoute({
  method: "post",
  path: "/wallets/{walletId}/transfers",
  operationId: "transferAsset",
  summary: "Transfer an asset from a wallet",
  ...requires(mayCreate),
  request: {
    params: walletParams,
    body: { required: true, content: { "application/json": { schema: transferBodySchema } } },
  },
  responses: { ...theTransfer, ...changeErrors },
});

const listTransfersRoute = createRoute({
  method: "get",
  path: "/wallets/{walletId}/transfers",
  operationId: "listTransfers",
  summary: "List a wallet's transfers, newest first",
  ...requires(mayRead),
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
  ...requires(mayRead),
  request: { params: transferParams },
  responses: { ...theTransfer, ...commonErrors, ...notFoundError },
});

const abortTransferRoute = createRoute({
  method: "put",
  path: "/wallets/{walletId}/transfers/{transferId}/abort",
  operationId: "abortTransfer",
  summary: "End a transfer that is not signed yet",
  ...requires(mayAbort),
  request: { params: transferParams },
  responses: { ...theTransfer, ...changeErrors },
});

const replacement = {
  method: "post",
  ...requires(mayCreate),
  request: { params: transferParams },
  responses: {
    200: {
      description: "The transaction that takes its place",
      content: { "application/json": { schema: transactionSchema } },
    },
    ...changeErrors,
  },
} as const;

const speedUpTransferRoute = createRoute({
  ...replacement,
  path: "/wallets/{walletId}/transfers/{transferId}/speed-up",
  operationId: "speedUpTransfer",
  summary: "Replace a transfer that waits to land by the same one with higher fees",
});

const cancelTransferRoute = createRoute({
  ...replacement,
  path: "/wallets/{walletId}/transfers/{transferId}/cancel",
  operationId: "cancelTransfer",
  summary: "Replace a transfer that waits to land by one that moves nothing",
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
    demand(await shownWallet(dependencies.database, c.get("caller"), walletId));
    const page = demand(pageOf(c.req.valid("query")));
    const rows = await listTransfers(dependencies.database, walletId, withLookahead(page));
    const { items, next } = paginate(rows, page, (transfer) => transfer.dateRequested);
    return c.json({ walletId, items: items.map(transferView), ...next }, 200);
  });
  const find = async (caller: Viewer, { walletId, transferId }: z.infer<typeof transferParams>) =>
    demand(await visibleTransfer(dependencies.database, caller, walletId, transferId));
  app.openapi(getTransferRoute, async (c) =>
    c.json(transferView(await find(c.get("caller"), c.req.valid("param"))), 200),
  );
  app.openapi(abortTransferRoute, async (c) => {
    const caller = c.get("caller");
    const transfer = await find(caller, c.req.valid("param"));
    demand(await abortRequest(dependencies, caller, transfer));
    return c.json(transferView(await find(caller, c.req.valid("param"))), 200);
  });
  app.openapi(speedUpTransferRoute, async (c) => {
    const caller = c.get("caller");
    const transfer = await find(caller, c.req.valid("param"));
    const made = await replaceRequest(dependencies, caller, transfer, "SpeedUpTransaction");
    return c.json(transactionView(demand(made)), 200);
  });
  app.openapi(cancelTransferRoute, async (c) => {
    const caller = c.get("caller");
    const transfer = await find(caller, c.req.valid("param"));
    const made = await replaceRequest(dependencies, caller, transfer, "CancelTransaction");
    return c.json(transactionView(demand(made)), 200);
  });
};
