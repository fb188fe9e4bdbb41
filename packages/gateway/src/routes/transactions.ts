import { transactionBodySchema, transactionView } from "@conclave/custody";
import { listTransactions } from "@conclave/platform";
import type { OpenAPIHono, z } from "@hono/zod-openapi";
import { createTransaction } from "../chain-request/create-transaction.ts";
import { MAY_CREATE } from "../chain-request/may-create.ts";
import { visibleTransaction } from "../chain-request/visible-request.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { pageQuerySchema, readPageOfLarge } from "../http/pagination.ts";
import { demand } from "../http/refused.ts";
import type { Viewer } from "../people/viewer.ts";
import { anyOf } from "../permission/requires.ts";
import { chainErrors, notFoundError } from "../schemas/error.ts";
import { transactionListSchema, transactionParams, transactionSchema } from "../schemas/transaction.ts";
import { walletParams } from "../schemas/wallet.ts";
import { shownWallet } from "../wallet/visible-wallet.ts";
import { actsOnRequest, replacementAnswers } from "./chain-requests.ts";
import { answer, bodyOf, changeErrors, operation } from "./operation.ts";

const mayCreate = MAY_CREATE.Transaction;
const mayRead = anyOf("Wallets:ReadTransaction", "Wallets:Transactions:Read");
const mayAbort = anyOf(
  "Wallets:Transactions:Abort",
  "Wallets:Transactions:Create",
  "Wallets:BroadcastTransaction",
);

const one = answer("The transaction", transactionSchema);

const broadcastTransactionRoute = operation("post", "/wallets/{walletId}/transactions", {
  operationId: "broadcastTransaction",
  summary: "Broadcast a transaction of a wallet",
  needs: [mayCreate],
  request: { params: walletParams, body: bodyOf(transactionBodySchema) },
  answers: { 200: one, ...changeErrors, ...chainErrors },
});

const listTransactionsRoute = operation("get", "/wallets/{walletId}/transactions", {
  operationId: "listTransactions",
  summary: "List a wallet's transactions, newest first",
  needs: [mayRead],
  request: { params: walletParams, query: pageQuerySchema },
  answers: { 200: answer("One page", transactionListSchema), ...notFoundError },
});

const getTransactionRoute = operation("get", "/wallets/{walletId}/transactions/{transactionId}", {
  operationId: "getTransaction",
  summary: "Read a transaction",
  needs: [mayRead],
  request: { params: transactionParams },
  answers: { 200: one, ...notFoundError },
});

const abortTransactionRoute = operation("put", "/wallets/{walletId}/transactions/{transactionId}/abort", {
  operationId: "abortTransaction",
  summary: "End a transaction that is not signed yet",
  needs: [mayAbort],
  request: { params: transactionParams },
  answers: { 200: one, ...changeErrors },
});

const speedUpTransactionRoute = operation(
  "post",
  "/wallets/{walletId}/transactions/{transactionId}/speed-up",
  {
    operationId: "speedUpTransaction",
    summary: "Replace a transaction that waits to land by the same one with higher fees",
    needs: [mayCreate],
    request: { params: transactionParams },
    answers: replacementAnswers,
  },
);

const cancelTransactionRoute = operation("post", "/wallets/{walletId}/transactions/{transactionId}/cancel", {
  operationId: "cancelTransaction",
  summary: "Replace a transaction that waits to land by one that moves nothing",
  needs: [mayCreate],
  request: { params: transactionParams },
  answers: replacementAnswers,
});

/** Adds the operations on transactions. */
export const addTransactionRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  app.openapi(broadcastTransactionRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    const transaction = await createTransaction(dependencies, c.get("caller"), walletId, c.req.valid("json"));
    return c.json(transactionView(demand(transaction)), 200);
  });
  app.openapi(listTransactionsRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    demand(await shownWallet(database, c.get("caller"), walletId));
    const { items, next } = await readPageOfLarge(c.req.valid("query"), {
      read: (page) => listTransactions(database, walletId, page),
      dateOf: ({ dateRequested }) => dateRequested,
      show: (transactions) => transactions.map(transactionView),
    });
    return c.json({ walletId, items, ...next }, 200);
  });
  const find = async (caller: Viewer, { walletId, transactionId }: z.infer<typeof transactionParams>) =>
    demand(await visibleTransaction(database, caller, walletId, transactionId));
  const { read, abort, speedUp, cancel } = actsOnRequest(dependencies, find, transactionView);
  app.openapi(getTransactionRoute, async (c) =>
    c.json(await read(c.get("caller"), c.req.valid("param")), 200),
  );
  app.openapi(abortTransactionRoute, async (c) =>
    c.json(await abort(c.get("caller"), c.req.valid("param")), 200),
  );
  app.openapi(speedUpTransactionRoute, async (c) =>
    c.json(await speedUp(c.get("caller"), c.req.valid("param")), 200),
  );
  app.openapi(cancelTransactionRoute, async (c) =>
    c.json(await cancel(c.get("caller"), c.req.valid("param")), 200),
  );
};
