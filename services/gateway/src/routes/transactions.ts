import { transactionBodySchema, transactionView } from "@conclave/custody";
import { listTransactions } from "@conclave/platform";
import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import { abortRequest } from "../abort-request.ts";
import { createTransaction } from "../create-transaction.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { pageOf, pageQuerySchema, paginate, withLookahead } from "../pagination.ts";
import { anyOf, requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import { replaceRequest } from "../replace-request.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import { transactionListSchema, transactionParams, transactionSchema } from "../schemas/transaction.ts";
import { walletParams } from "../schemas/wallet.ts";
import type { Viewer } from "../viewer.ts";
import { visibleTransaction } from "../visible-request.ts";
import { shownWallet } from "../visible-wallet.ts";

const mayCreate = anyOf("Wallets:BroadcastTransaction", "Wallets:Transactions:Create");
const mayRead = anyOf("Wallets:ReadTransaction", "Wallets:Transactions:Read");
const mayAbort = anyOf(
  "Wallets:Transactions:Abort",
  "Wallets:Transactions:Create",
  "Wallets:BroadcastTransaction",
);

const theTransaction = {
  200: { description: "The transaction", content: { "application/json": { schema: transactionSchema } } },
};
const changeErrors = { ...commonErrors, ...notFoundError, ...forbiddenError, ...bodyErrors };

const broadcastTransactionRoute = createRoute({
  method: "post",
  path: "/wallets/{walletId}/transactions",
  operationId: "broadcastTransaction",
  summary: "Broadcast a transaction of a wallet",
  ...requires(mayCreate),
  request: {
    params: walletParams,
    body: { required: true, content: { "application/json": { schema: transactionBodySchema } } },
  },
  responses: { ...theTransaction, ...changeErrors },
});

const listTransactionsRoute = createRoute({
  method: "get",
  path: "/wallets/{walletId}/transactions",
  operationId: "listTransactions",
  summary: "List a wallet's transactions, newest first",
  ...requires(mayRead),
  request: { params: walletParams, query: pageQuerySchema },
  responses: {
    200: { description: "One page", content: { "application/json": { schema: transactionListSchema } } },
    ...commonErrors,
    ...notFoundError,
  },
});

const getTransactionRoute = createRoute({
  method: "get",
  path: "/wallets/{walletId}/transactions/{transactionId}",
  operationId: "getTransaction",
  summary: "Read a transaction",
  ...requires(mayRead),
  request: { params: transactionParams },
  responses: { ...theTransaction, ...commonErrors, ...notFoundError },
});

const abortTransactionRoute = createRoute({
  method: "put",
  path: "/wallets/{walletId}/transactions/{transactionId}/abort",
  operationId: "abortTransaction",
  summary: "End a transaction that is not signed yet",
  ...requires(mayAbort),
  request: { params: transactionParams },
  responses: { ...theTransaction, ...changeErrors },
});

const replacement = {
  method: "post",
  ...requires(mayCreate),
  request: { params: transactionParams },
  responses: {
    200: {
      description: "The transaction that takes its place",
      content: { "application/json": { schema: transactionSchema } },
    },
    ...changeErrors,
  },
} as const;

const speedUpTransactionRoute = createRoute({
  ...replacement,
  path: "/wallets/{walletId}/transactions/{transactionId}/speed-up",
  operationId: "speedUpTransaction",
  summary: "Replace a transaction that waits to land by the same one with higher fees",
});

const cancelTransactionRoute = createRoute({
  ...replacement,
  path: "/wallets/{walletId}/transactions/{transactionId}/cancel",
  operationId: "cancelTransaction",
  summary: "Replace a transaction that waits to land by one that moves nothing",
});

/** Adds the operations on transactions. */
export const addTransactionRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(broadcastTransactionRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    const transaction = await createTransaction(dependencies, c.get("caller"), walletId, c.req.valid("json"));
    return c.json(transactionView(demand(transaction)), 200);
  });
  app.openapi(listTransactionsRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    demand(await shownWallet(dependencies.database, c.get("caller"), walletId));
    const page = demand(pageOf(c.req.valid("query")));
    const rows = await listTransactions(dependencies.database, walletId, withLookahead(page));
    const { items, next } = paginate(rows, page, (transaction) => transaction.dateRequested);
    return c.json({ walletId, items: items.map(transactionView), ...next }, 200);
  });
  const find = async (caller: Viewer, { walletId, transactionId }: z.infer<typeof transactionParams>) =>
    demand(await visibleTransaction(dependencies.database, caller, walletId, transactionId));
  app.openapi(getTransactionRoute, async (c) =>
    c.json(transactionView(await find(c.get("caller"), c.req.valid("param"))), 200),
  );
  app.openapi(abortTransactionRoute, async (c) => {
    const caller = c.get("caller");
    const transaction = await find(caller, c.req.valid("param"));
    demand(await abortRequest(dependencies, caller, transaction));
    return c.json(transactionView(await find(caller, c.req.valid("param"))), 200);
  });
  app.openapi(speedUpTransactionRoute, async (c) => {
    const caller = c.get("caller");
    const transaction = await find(caller, c.req.valid("param"));
    const made = await replaceRequest(dependencies, caller, transaction, "SpeedUpTransaction");
    return c.json(transactionView(demand(made)), 200);
  });
  app.openapi(cancelTransactionRoute, async (c) => {
    const caller = c.get("caller");
    const transaction = await find(caller, c.req.valid("param"));
    const made = await replaceRequest(dependencies, caller, transaction, "CancelTransaction");
    return c.json(transactionView(demand(made)), 200);
  });
};
