import {
  exportKeyBodySchema,
  importKeyBodySchema,
  importWalletBodySchema,
  keyView,
  walletView,
} from "@conclave/custody";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import {
  EXPORT_KEY_EXAMPLES,
  IMPORT_KEY_EXAMPLES,
  IMPORT_WALLET_EXAMPLES,
} from "../document/examples/wallets.ts";
import { demandAction } from "../http/middleware/user-action.ts";
import { demand } from "../http/refused.ts";
import { exportKey } from "../key-passage/export.ts";
import { importKey, importWallet } from "../key-passage/import.ts";
import { anyOf } from "../permission/requires.ts";
import { keyParams, keySchema } from "../schemas/key.ts";
import { exportedKeySchema } from "../schemas/key-passage.ts";
import { walletParams, walletSchema } from "../schemas/wallet.ts";
import { visibleWallet } from "../wallet/visible-wallet.ts";
import { answer, bodyOf, changeErrors, createErrors, operation } from "./operation.ts";

const importKeyRoute = operation("post", "/keys/import", {
  operationId: "importKey",
  summary:
    "Bring a key, in shares that a client encrypted to the signers; off unless the operator activated it; always signed",
  needs: [anyOf("Keys:Import", "Wallets:Import")],
  request: { body: bodyOf(importKeyBodySchema, IMPORT_KEY_EXAMPLES) },
  answers: { 200: answer("The key", keySchema), ...createErrors },
});

// each generation of clients has two permissions for this, and both of one pair are required (wire interface, section
// A.3)
const importWalletRoute = operation("post", "/wallets/import", {
  operationId: "importWallet",
  summary: "Bring a key, as in POST /keys/import, and a wallet that signs with it",
  needs: [
    anyOf("Wallets:Import", "Keys:Import"),
    anyOf("Wallets:Import", "Wallets:Create"),
    anyOf("Signers:ListSigners", "Keys:Import"),
    anyOf("Signers:ListSigners", "Wallets:Create"),
  ],
  request: { body: bodyOf(importWalletBodySchema, IMPORT_WALLET_EXAMPLES) },
  answers: { 200: answer("The wallet", walletSchema), ...createErrors },
});

const mayExport = anyOf("Keys:Export", "Wallets:Export");
const body = bodyOf(exportKeyBodySchema, EXPORT_KEY_EXAMPLES);
const exported = answer("Shares that the signers sealed for the request's encryption key", exportedKeySchema);

const exportKeyRoute = operation("post", "/keys/{keyId}/export", {
  operationId: "exportKey",
  summary:
    "Take a key, in shares that the signers encrypt to the client; off unless the signers' operators allow it; always signed",
  needs: [mayExport],
  request: { params: keyParams, body },
  answers: { 200: exported, ...changeErrors },
});

const exportWalletRoute = operation("post", "/wallets/{walletId}/export", {
  operationId: "exportWallet",
  summary: "Take the key of a wallet, as in POST /keys/{keyId}/export",
  needs: [mayExport],
  request: { params: walletParams, body },
  answers: { 200: exported, ...changeErrors },
});

/** Adds the operations that import and export keys. */
export const addKeyPassageRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(importKeyRoute, async (c) => {
    demandAction(c);
    const key = await importKey(dependencies, c.get("caller"), c.req.valid("json"));
    return c.json(keyView(demand(key)), 200);
  });
  app.openapi(importWalletRoute, async (c) => {
    demandAction(c);
    const wallet = await importWallet(dependencies, c.get("caller"), c.req.valid("json"));
    return c.json(walletView(demand(wallet)), 200);
  });
  app.openapi(exportKeyRoute, async (c) => {
    demandAction(c);
    const { keyId } = c.req.valid("param");
    return c.json(demand(await exportKey(dependencies, c.get("caller"), keyId, c.req.valid("json"))), 200);
  });
  app.openapi(exportWalletRoute, async (c) => {
    demandAction(c);
    const { walletId } = c.req.valid("param");
    const { keyId } = demand(await visibleWallet(dependencies.database, c.get("caller"), walletId));
    return c.json(demand(await exportKey(dependencies, c.get("caller"), keyId, c.req.valid("json"))), 200);
  });
};
