import {
  addressWatchView,
  createAddressWatchBodySchema,
  MOST_TOKENS_SHOWN,
  netWorthOf,
  transferKindOfEvent,
  watchedEntry,
  watchedMovementView,
} from "@conclave/custody";
import { listAddressWatches, listWatchedMovements, listWatchedTokens } from "@conclave/platform";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { stopWatching, watchAddress } from "../address-watch/change-watch.ts";
import { visibleWatch } from "../address-watch/visible-watch.ts";
import { chainOf } from "../chain-request/chain-of.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { CREATE_ADDRESS_WATCH_EXAMPLES } from "../document/examples/wallets.ts";
import { pageQuerySchema, readPage } from "../http/pagination.ts";
import { demand } from "../http/refused.ts";
import {
  addressWatchAssetsSchema,
  addressWatchHistorySchema,
  addressWatchListSchema,
  addressWatchParams,
  addressWatchSchema,
} from "../schemas/address-watch.ts";
import { roomError, watchedError } from "../schemas/error.ts";
import { assetsQuerySchema, historyQuerySchema } from "../schemas/holding.ts";
import { holdingsOf } from "../wallet/wallet-holdings.ts";
import { answer, bodyOf, createErrors, operation, readErrors } from "./operation.ts";

const createRoute = operation("post", "/address-watches", {
  operationId: "createAddressWatch",
  summary: "Watch an address: record the movements to it and from it",
  needs: ["AddressWatches:Create"],
  request: { body: bodyOf(createAddressWatchBodySchema, CREATE_ADDRESS_WATCH_EXAMPLES) },
  answers: { 200: answer("The watch", addressWatchSchema), ...createErrors, ...watchedError, ...roomError },
});

const listRoute = operation("get", "/address-watches", {
  operationId: "listAddressWatches",
  summary: "List the address watches, deleted ones included, newest first",
  needs: ["AddressWatches:Read"],
  request: { query: pageQuerySchema },
  answers: { 200: answer("One page", addressWatchListSchema) },
});

const getRoute = operation("get", "/address-watches/{addressWatchId}", {
  operationId: "getAddressWatch",
  summary: "Read an address watch",
  needs: ["AddressWatches:Read"],
  request: { params: addressWatchParams },
  answers: { 200: answer("The watch", addressWatchSchema), ...readErrors },
});

const deleteRoute = operation("delete", "/address-watches/{addressWatchId}", {
  operationId: "deleteAddressWatch",
  summary: "Stop to watch an address; its history stays",
  needs: ["AddressWatches:Delete"],
  request: { params: addressWatchParams },
  answers: { 200: answer("The archived watch", addressWatchSchema), ...readErrors },
});

const assetsRoute = operation("get", "/address-watches/{addressWatchId}/assets", {
  operationId: "getAddressWatchAssets",
  summary: "The current holdings of a watched address: its coin, and tokens that moved since it is watched",
  needs: ["AddressWatches:Read"],
  request: { params: addressWatchParams, query: assetsQuerySchema },
  answers: { 200: answer("Its assets", addressWatchAssetsSchema), ...readErrors },
});

const historyRoute = operation("get", "/address-watches/{addressWatchId}/history", {
  operationId: "getAddressWatchHistory",
  summary: "Movements to a watched address and from it, newest first",
  needs: ["AddressWatches:Read"],
  request: { params: addressWatchParams, query: historyQuerySchema },
  answers: { 200: answer("One page", addressWatchHistorySchema), ...readErrors },
});

/** Adds the operations on addresses that an organisation watches. */
export const addAddressWatchRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database, families } = dependencies;
  app.openapi(createRoute, async (c) => {
    const watch = demand(await watchAddress(dependencies, c.get("caller"), c.req.valid("json")));
    return c.json(addressWatchView(families, watch), 200);
  });
  app.openapi(listRoute, async (c) => {
    const { items, next } = await readPage(
      c.req.valid("query"),
      (page) => listAddressWatches(database, c.get("caller").orgId, page),
      (watch) => watch.dateCreated,
    );
    return c.json({ items: items.map((watch) => addressWatchView(families, watch)), ...next }, 200);
  });
  app.openapi(getRoute, async (c) => {
    const { addressWatchId } = c.req.valid("param");
    const watch = demand(await visibleWatch(database, c.get("caller"), addressWatchId));
    return c.json(addressWatchView(families, watch), 200);
  });
  app.openapi(deleteRoute, async (c) => {
    const { addressWatchId } = c.req.valid("param");
    const watch = demand(await stopWatching(dependencies, c.get("caller"), addressWatchId));
    return c.json(addressWatchView(families, watch), 200);
  });
  app.openapi(assetsRoute, async (c) => {
    const { addressWatchId } = c.req.valid("param");
    const watch = demand(await visibleWatch(database, c.get("caller"), addressWatchId));
    const tokens = await listWatchedTokens(database, watch, MOST_TOKENS_SHOWN);
    const chain = demand(chainOf(dependencies, watch.network));
    const assets = demand(await holdingsOf(dependencies, chain, watch, tokens));
    const worth = c.req.valid("query").netWorth === "true" ? { netWorth: netWorthOf(assets) } : {};
    return c.json({ addressWatchId, network: watch.network, assets, ...worth }, 200);
  });
  app.openapi(historyRoute, async (c) => {
    const { addressWatchId } = c.req.valid("param");
    const { direction, kind, contract, ...query } = c.req.valid("query");
    const watch = demand(await visibleWatch(database, c.get("caller"), addressWatchId));
    const { network } = watch;
    const asked = kind === undefined ? undefined : transferKindOfEvent(families, network, kind);
    const { items, next } = await readPage(
      query,
      (page) => listWatchedMovements(database, watch, page, { direction, kind: asked, contract }),
      (movement) => movement.date,
    );
    const shown = items.flatMap(
      (movement) => watchedMovementView(families, addressWatchId, watchedEntry(movement)) ?? [],
    );
    return c.json({ items: shown, ...next, addressWatchId, network }, 200);
  });
};
