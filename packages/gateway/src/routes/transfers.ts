import { transferBodySchema, transferView } from "@conclave/custody";
import { listTransfers } from "@conclave/platform";
import type { OpenAPIHono, z } from "@hono/zod-openapi";
import { createTransfer } from "../chain-request/create-transfer.ts";
import { MAY_CREATE } from "../chain-request/may-create.ts";
import { visibleTransfer } from "../chain-request/visible-request.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { pageQuerySchema, readPage } from "../http/pagination.ts";
import { demand } from "../http/refused.ts";
import type { Viewer } from "../people/viewer.ts";
import { anyOf } from "../permission/requires.ts";
import { notFoundError } from "../schemas/error.ts";
import { transferListSchema, transferParams, transferSchema } from "../schemas/transfer.ts";
import { walletParams } from "../schemas/wallet.ts";
import { shownWallet } from "../wallet/visible-wallet.ts";
import { actsOnRequest, replacementAnswers } from "./chain-requests.ts";
import { answer, bodyOf, changeErrors, operation } from "./operation.ts";

const mayCreate = MAY_CREATE.Transfer;
const mayRead = anyOf("Wallets:ReadTransfer", "Wallets:Transfers:Read");
const mayAbort = anyOf("Wallets:Transfers:Abort", "Wallets:Transfers:Create", "Wallets:TransferAsset");

const one = answer("The transfer", transferSchema);

const createTransferRoute = operation("post", "/wallets/{walletId}/transfers", {
  operationId: "transferAsset",
  summary: "Transfer an asset from a wallet",
  needs: [mayCreate],
  request: { params: walletParams, body: bodyOf(transferBodySchema) },
  answers: { 200: one, ...changeErrors },
});

const listTransfersRoute = operation("get", "/wallets/{walletId}/transfers", {
  operationId: "listTransfers",
  summary: "List a wallet's transfers, newest first",
  needs: [mayRead],
  request: { params: walletParams, query: pageQuerySchema },
  answers: { 200: answer("One page", transferListSchema), ...notFoundError },
});

const getTransferRoute = operation("get", "/wallets/{walletId}/transfers/{transferId}", {
  operationId: "getTransfer",
  summary: "Read a transfer",
  needs: [mayRead],
  request: { params: transferParams },
  answers: { 200: one, ...notFoundError },
});

const abortTransferRoute = operation("put", "/wallets/{walletId}/transfers/{transferId}/abort", {
  operationId: "abortTransfer",
  summary: "End a transfer that is not signed yet",
  needs: [mayAbort],
  request: { params: transferParams },
  answers: { 200: one, ...changeErrors },
});

const speedUpTransferRoute = operation("post", "/wallets/{walletId}/transfers/{transferId}/speed-up", {
  operationId: "speedUpTransfer",
  summary: "Replace a transfer that waits to land by the same one with higher fees",
  needs: [mayCreate],
  request: { params: transferParams },
  answers: replacementAnswers,
});

const cancelTransferRoute = operation("post", "/wallets/{walletId}/transfers/{transferId}/cancel", {
  operationId: "cancelTransfer",
  summary: "Replace a transfer that waits to land by one that moves nothing",
  needs: [mayCreate],
  request: { params: transferParams },
  answers: replacementAnswers,
});

/** Adds the operations on transfers. */
export const addTransferRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  app.openapi(createTransferRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    const transfer = await createTransfer(dependencies, c.get("caller"), walletId, c.req.valid("json"));
    return c.json(transferView(demand(transfer)), 200);
  });
  app.openapi(listTransfersRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    demand(await shownWallet(database, c.get("caller"), walletId));
    const { items, next } = await readPage(
      c.req.valid("query"),
      (page) => listTransfers(database, walletId, page),
      (transfer) => transfer.dateRequested,
    );
    return c.json({ walletId, items: items.map(transferView), ...next }, 200);
  });
  const find = async (caller: Viewer, { walletId, transferId }: z.infer<typeof transferParams>) =>
    demand(await visibleTransfer(database, caller, walletId, transferId));
  const { read, abort, speedUp, cancel } = actsOnRequest(dependencies, find, transferView);
  app.openapi(getTransferRoute, async (c) => c.json(await read(c.get("caller"), c.req.valid("param")), 200));
  app.openapi(abortTransferRoute, async (c) =>
    c.json(await abort(c.get("caller"), c.req.valid("param")), 200),
  );
  app.openapi(speedUpTransferRoute, async (c) =>
    c.json(await speedUp(c.get("caller"), c.req.valid("param")), 200),
  );
  app.openapi(cancelTransferRoute, async (c) =>
    c.json(await cancel(c.get("caller"), c.req.valid("param")), 200),
  );
};
