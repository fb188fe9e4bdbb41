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
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { delegateKey } from "../change-key.ts";
import { retagWallet, updateOwnWallet } from "../change-wallet.ts";
import { createWallet } from "../create-wallet.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { listOwned, ownedPageQuerySchema } from "../owner.ts";
import { pageOf, paginate, withLookahead } from "../pagination.ts";
import { judgeNeeds } from "../permission/granted.ts";
import { anyOf, requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import {
  delegatedWalletSchema,
  nothingSchema,
  walletListSchema,
  walletParams,
  walletSchema,
} from "../schemas/wallet.ts";
import { shownWallet, visibleWallet } from "../visible-wallet.ts";

const createWalletRoute = createRoute({
  method: "post",
  path: "/wallets",
  operationId: "createWallet",
  summary: "Create a wallet: the signers generate its key together, or it signs with a key that there is",
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
  request: { query: ownedPageQuerySchema },
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

const updateWalletRoute = createRoute({
  method: "put",
  path: "/wallets/{walletId}",
  operationId: "updateWallet",
  summary: "Give a wallet another name or externalId",
  ...requires("Wallets:Update"),
  request: {
    params: walletParams,
    body: { required: true, content: { "application/json": { schema: updateWalletBodySchema } } },
  },
  responses: {
    200: { description: "The wallet", content: { "application/json": { schema: walletSchema } } },
    ...commonErrors,
    ...forbiddenError,
    ...notFoundError,
    ...bodyErrors,
  },
});

const tagsRoute = {
  path: "/wallets/{walletId}/tags",
  request: {
    params: walletParams,
    body: { required: true, content: { "application/json": { schema: tagsBodySchema } } },
  },
  responses: {
    200: { description: "Done", content: { "application/json": { schema: nothingSchema } } },
    ...commonErrors,
    ...forbiddenError,
    ...notFoundError,
    ...bodyErrors,
  },
} as const;

const tagWalletRoute = createRoute({
  ...tagsRoute,
  method: "put",
  operationId: "tagWallet",
  summary: "Add tags to a wallet; those that it has already stay",
  ...requires("Wallets:Tags:Add"),
});

const untagWalletRoute = createRoute({
  ...tagsRoute,
  method: "delete",
  operationId: "untagWallet",
  summary: "Take tags from a wallet",
  ...requires("Wallets:Tags:Delete"),
});

const delegateWalletRoute = createRoute({
  method: "post",
  path: "/wallets/{walletId}/delegate",
  operationId: "delegateWallet",
  summary: "Make a wallet that was created for it, and its key, an end user's; there is no way back",
  ...requires(anyOf("Wallets:Delegate", "Keys:Delegate")),
  request: {
    params: walletParams,
    body: { required: true, content: { "application/json": { schema: delegateBodySchema } } },
  },
  responses: {
    200: {
      description: "It is the end user's",
      content: { "application/json": { schema: delegatedWalletSchema } },
    },
    ...commonErrors,
    ...forbiddenError,
    ...notFoundError,
    ...bodyErrors,
  },
});

/** What some bodies need beside Wallets:Create (wire interface, section A.3). */
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
    const page = demand(pageOf(query));
    const rows = await listOwned(dependencies.database, caller, query, (ownerId) =>
      listWallets(dependencies.database, caller.orgId, withLookahead(page), ownerId),
    );
    const { items, next } = paginate(rows, page, (wallet) => wallet.dateCreated);
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
