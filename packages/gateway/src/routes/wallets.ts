import {
  type CreateWalletBody,
  createWalletBodySchema,
  delegateBodySchema,
  type Need,
  tagsBodySchema,
  updateWalletBodySchema,
  walletView,
} from "@conclave/custody";
import { listWallets } from "@conclave/platform";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import {
  CREATE_WALLET_EXAMPLES,
  DELEGATE_EXAMPLES,
  TAGS_EXAMPLES,
  UPDATE_WALLET_EXAMPLES,
} from "../document/examples/wallets.ts";
import { readPage } from "../http/pagination.ts";
import { demand } from "../http/refused.ts";
import { delegateKey } from "../key/change-key.ts";
import { listOwned, ownedPageQuerySchema } from "../people/owner.ts";
import { judgeNeeds } from "../permission/granted.ts";
import { anyOf } from "../permission/requires.ts";
import { notFoundError } from "../schemas/error.ts";
import {
  delegatedWalletSchema,
  nothingSchema,
  walletListSchema,
  walletParams,
  walletSchema,
} from "../schemas/wallet.ts";
import { retagWallet, updateOwnWallet } from "../wallet/change-wallet.ts";
import { createWallet } from "../wallet/create-wallet.ts";
import { shownWallet, visibleWallet } from "../wallet/visible-wallet.ts";
import { answer, bodyOf, changeErrors, createErrors, operation } from "./operation.ts";

const one = answer("The wallet", walletSchema);

const createWalletRoute = operation("post", "/wallets", {
  operationId: "createWallet",
  summary: "Create a wallet: the signers generate its key together, or it signs with a key that there is",
  needs: ["Wallets:Create"],
  request: { body: bodyOf(createWalletBodySchema, CREATE_WALLET_EXAMPLES) },
  answers: { 200: one, ...createErrors, ...notFoundError },
});

const listWalletsRoute = operation("get", "/wallets", {
  operationId: "listWallets",
  summary: "List the organisation's wallets, newest first",
  needs: ["Wallets:Read"],
  request: { query: ownedPageQuerySchema },
  answers: { 200: answer("One page", walletListSchema) },
});

const getWalletRoute = operation("get", "/wallets/{walletId}", {
  operationId: "getWallet",
  summary: "Read a wallet",
  needs: ["Wallets:Read"],
  request: { params: walletParams },
  answers: { 200: one, ...notFoundError },
});

const updateWalletRoute = operation("put", "/wallets/{walletId}", {
  operationId: "updateWallet",
  summary: "Give a wallet another name or externalId",
  needs: ["Wallets:Update"],
  request: { params: walletParams, body: bodyOf(updateWalletBodySchema, UPDATE_WALLET_EXAMPLES) },
  answers: { 200: one, ...changeErrors },
});

const tags = {
  request: { params: walletParams, body: bodyOf(tagsBodySchema, TAGS_EXAMPLES) },
  answers: { 200: answer("Done", nothingSchema), ...changeErrors },
};

const tagWalletRoute = operation("put", "/wallets/{walletId}/tags", {
  operationId: "tagWallet",
  summary: "Add tags to a wallet; those that it has already stay",
  needs: ["Wallets:Tags:Add"],
  ...tags,
});

const untagWalletRoute = operation("delete", "/wallets/{walletId}/tags", {
  operationId: "untagWallet",
  summary: "Take tags from a wallet",
  needs: [anyOf("Wallets:Tags:Delete", "Wallets:Tags:Remove")],
  ...tags,
});

const delegateWalletRoute = operation("post", "/wallets/{walletId}/delegate", {
  operationId: "delegateWallet",
  summary: "Make a wallet that was created for it, and its key, an end user's; there is no way back",
  needs: [anyOf("Wallets:Delegate", "Keys:Delegate")],
  request: { params: walletParams, body: bodyOf(delegateBodySchema, DELEGATE_EXAMPLES) },
  answers: { 200: answer("It is the end user's", delegatedWalletSchema), ...changeErrors },
});

/** The permissions that some bodies need in addition to Wallets:Create (wire interface, section A.3). */
const needsOf = ({ signingKey, tags }: CreateWalletBody): readonly Need[] => [
  ...(signingKey?.id === undefined ? [] : (["Keys:Reuse"] as const)),
  ...(tags === undefined || tags.length === 0 ? [] : (["Wallets:Tags:Add"] as const)),
];

/** Adds the operations on wallets. */
export const addWalletRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(createWalletRoute, async (c) => {
    const [caller, body] = [c.get("caller"), c.req.valid("json")];
    demand(judgeNeeds(c.get("principal"), caller.userId, needsOf(body)));
    const wallet = await createWallet(dependencies, caller, body);
    return c.json(walletView(demand(wallet)), 200);
  });
  app.openapi(listWalletsRoute, async (c) => {
    const [caller, query] = [c.get("caller"), c.req.valid("query")];
    const { items, next } = await readPage(
      query,
      (page) =>
        listOwned(dependencies.database, caller, query, (ownerId) =>
          listWallets(dependencies.database, caller.orgId, page, ownerId),
        ),
      (wallet) => wallet.dateCreated,
    );
    return c.json({ items: items.map(walletView), ...next }, 200);
  });
  app.openapi(getWalletRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    const wallet = await shownWallet(dependencies.database, c.get("caller"), walletId);
    return c.json(walletView(demand(wallet)), 200);
  });
  app.openapi(updateWalletRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    const wallet = await updateOwnWallet(dependencies, c.get("caller"), walletId, c.req.valid("json"));
    return c.json(walletView(demand(wallet)), 200);
  });
  app.openapi(tagWalletRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    demand(await retagWallet(dependencies, c.get("caller"), walletId, "Tagged", c.req.valid("json").tags));
    return c.json({}, 200);
  });
  app.openapi(untagWalletRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    demand(await retagWallet(dependencies, c.get("caller"), walletId, "Untagged", c.req.valid("json").tags));
    return c.json({}, 200);
  });
  app.openapi(delegateWalletRoute, async (c) => {
    const { walletId } = c.req.valid("param");
    const body = c.req.valid("json");
    const to = "userId" in body ? body.userId : body.delegateTo;
    const { keyId } = demand(await visibleWallet(dependencies.database, c.get("caller"), walletId));
    demand(await delegateKey(dependencies, c.get("caller"), keyId, to));
    return c.json({ walletId, status: "Delegated" as const }, 200);
  });
};
