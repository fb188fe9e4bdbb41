import {
  exportKeyBodySchema,
  importKeyBodySchema,
  importWalletBodySchema,
  keyView,
  walletView,
} from "@conclave/custody";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { exportKey } from "../key-passage/export.ts";
import { importKey, importWallet } from "../key-passage/import.ts";
import { anyOf, requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import { keyParams, keySchema } from "../schemas/key.ts";
import { exportedKeySchema } from "../schemas/key-passage.ts";
import { walletParams, walletSchema } from "../schemas/wallet.ts";
import { visibleWallet } from "../visible-wallet.ts";

const importErrors = { ...commonErrors, ...forbiddenError, ...bodyErrors };

const importKeyRoute = createRoute({
  method: "post",
  path: "/keys/import",
  operationId: "importKey",
  summary:
    "Bring a key, in shares that a client encrypted to the signers; off unless the operator activated it",
  ...requires(anyOf("Keys:Import", "Wallets:Import")),
  request: {
    body: { required: true, content: { "application/json": { schema: importKeyBodySchema } } },
  },
  responses: {
    200: { description: "The key", content: { "application/json": { schema: keySchema } } },
    ...importErrors,
  },
});

// each generation of clients has a pair of names for it, and half of each pair is no pair (wire interface, section A.3)
const importWalletRoute = createRoute({
  method: "post",
  path: "/wallets/import",
  operationId: "importWallet",
  summary: "Bring a key, as `POST /keys/import`, and a wallet that signs with it",
  ...requires(
    anyOf("Wallets:Import", "Keys:Import"),
    anyOf("Wallets:Import", "Wallets:Create"),
    anyOf("Signers:ListSigners", "Keys:Import"),
    anyOf("Signers:ListSigners", "Wallets:Create"),
  ),
  request: {
    body: { required: true, content: { "application/json": { schema: importWalletBodySchema } } },
  },
  responses: {
    200: { description: "The wallet", content: { "application/json": { schema: walletSchema } } },
    ...importErrors,
  },
});

const exported = {
  ...requires(anyOf("Keys:Export", "Wallets:Export")),
  responses: {
    200: {
      description: "Shares that the signers sealed for the request's encryption key",
      content: { "application/json": { schema: exportedKeySchema } },
    },
    ...importErrors,
    ...notFoundError,
  },
};
const body = { required: true, content: { "application/json": { schema: exportKeyBodySchema } } };

const exportKeyRoute = createRoute({
  ...exported,
  method: "post",
  path: "/keys/{keyId}/export",
  operationId: "exportKey",
  summary:
    "Take a key, in shares that the signers encrypt to the client; off unless the signers' operators allow it",
  request: { params: keyParams, body },
});

const exportWalletRoute = createRoute({
  ...exported,
  method: "post",
  path: "/wallets/{walletId}/export",
  operationId: "exportWallet",
  summary: "Take the key of a wallet, as `POST /keys/{keyId}/export`",
  request: { params: walletParams, body },
});

/** Adds the operations by which keys come from clients and go to them. */
export const addKeyPassageRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(importKeyRoute, async (c) => {
    const key = await importKey(dependencies, c.get("caller"), c.req.valid("json"));
    return c.json(keyView(demand(key)), 200);
  });
  app.openapi(importWalletRoute, async (c) => {
    const wallet = await importWallet(dependencies, c.get("caller"), c.req.valid("json"));
    return c.json(walletView(demand(wallet)), 200);
  });
  app.openapi(exportKeyRoute, async (c) => {
    const { keyId } = c.req.valid("param");
    return c.json(demand(await exportKey(dependencies, c.get("caller"), keyId, c.req.valid("json"))), 200);
  });
  app.openapi(exportWalletRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    const { keyId } = demand(await visibleWallet(dependencies.database, c.get("caller"), walletId));
    return c.json(demand(await exportKey(dependencies, c.get("caller"), keyId, c.req.valid("json"))), 200);
  });
};
