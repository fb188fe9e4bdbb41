import {
  createKeyBodySchema,
  delegateBodySchema,
  KEY_STORE,
  keyAttestationsView,
  keyView,
  updateKeyBodySchema,
} from "@conclave/custody";
import { listKeys, listShownWalletsOfKey, readKeyAttestations } from "@conclave/platform";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { CREATE_KEY_EXAMPLES, DELEGATE_EXAMPLES, UPDATE_KEY_EXAMPLES } from "../document/examples/wallets.ts";
import { readPage } from "../http/pagination.ts";
import { demand } from "../http/refused.ts";
import { archiveKey, delegateKey, renameKey } from "../key/change-key.ts";
import { createKey } from "../key/create-key.ts";
import { shownKey } from "../key/visible-key.ts";
import { listOwned, ownedPageQuerySchema } from "../people/owner.ts";
import { forbiddenError } from "../schemas/error.ts";
import {
  delegatedKeySchema,
  keyAttestationsSchema,
  keyDetailsSchema,
  keyListSchema,
  keyParams,
  keySchema,
  keyStoreListSchema,
} from "../schemas/key.ts";
import { answer, bodyOf, changeErrors, createErrors, operation, readErrors } from "./operation.ts";

const one = answer("The key", keySchema);

const createKeyRoute = operation("post", "/keys", {
  operationId: "createKey",
  summary: "Create a key: the signers generate it together",
  needs: ["Keys:Create"],
  request: { body: bodyOf(createKeyBodySchema, CREATE_KEY_EXAMPLES) },
  answers: { 200: one, ...createErrors },
});

const listKeysRoute = operation("get", "/keys", {
  operationId: "listKeys",
  summary: "List the organisation's keys, newest first",
  needs: ["Keys:Read"],
  request: { query: ownedPageQuerySchema },
  answers: { 200: answer("One page", keyListSchema), ...forbiddenError },
});

const getKeyRoute = operation("get", "/keys/{keyId}", {
  operationId: "getKey",
  summary: "Read a key, with its wallets",
  needs: ["Keys:Read"],
  request: { params: keyParams },
  answers: { 200: answer("The key", keyDetailsSchema), ...readErrors },
});

const getKeyAttestationsRoute = operation("get", "/keys/{keyId}/attestations", {
  operationId: "getKeyAttestations",
  summary:
    "Read what each signer signed of a key: conclave verify-key checks it, with the cluster's roster alone",
  needs: ["Keys:Read"],
  request: { params: keyParams },
  answers: { 200: answer("What the signers attest", keyAttestationsSchema), ...readErrors },
});

const updateKeyRoute = operation("put", "/keys/{keyId}", {
  operationId: "updateKey",
  summary: "Name a key",
  needs: ["Keys:Update"],
  request: { params: keyParams, body: bodyOf(updateKeyBodySchema, UPDATE_KEY_EXAMPLES) },
  answers: { 200: one, ...changeErrors },
});

const deleteKeyRoute = operation("delete", "/keys/{keyId}", {
  operationId: "deleteKey",
  summary: "Archive a key and all its wallets: they take no more requests",
  needs: ["Keys:Delete"],
  request: { params: keyParams },
  answers: { 200: one, ...readErrors },
});

const delegateKeyRoute = operation("post", "/keys/{keyId}/delegate", {
  operationId: "delegateKey",
  summary: "Make a key that was created for it an end user's, its wallets with it; there is no way back",
  needs: ["Keys:Delegate"],
  request: { params: keyParams, body: bodyOf(delegateBodySchema, DELEGATE_EXAMPLES) },
  answers: { 200: answer("It is the end user's", delegatedKeySchema), ...changeErrors },
});

const listKeyStoresRoute = operation("get", "/key-stores", {
  operationId: "listKeyStores",
  summary: "List where keys are kept: as shares at the signers of this cluster",
  needs: ["KeyStores:Read"],
  request: {},
  answers: { 200: answer("The one store", keyStoreListSchema), ...forbiddenError },
});

/** Adds the operations on keys. */
export const addKeyRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  app.openapi(createKeyRoute, async (c) =>
    c.json(keyView(demand(await createKey(dependencies, c.get("caller"), c.req.valid("json")))), 200),
  );
  app.openapi(listKeysRoute, async (c) => {
    const [caller, query] = [c.get("caller"), c.req.valid("query")];
    const { items, next } = await readPage(
      query,
      (page) =>
        listOwned(database, caller, query, (ownerId) => listKeys(database, caller.orgId, page, ownerId)),
      (key) => key.dateCreated,
    );
    return c.json({ items: items.map(keyView), ...next }, 200);
  });
  app.openapi(getKeyRoute, async (c) => {
    const key = demand(await shownKey(database, c.get("caller"), c.req.valid("param").keyId));
    const wallets = (await listShownWalletsOfKey(database, key.id))
      .filter(({ status }) => status !== "Creating")
      .map(({ id, network }) => ({ id, network }));
    const store = { id: KEY_STORE.id, kind: KEY_STORE.kind, keyId: key.id };
    return c.json({ ...keyView(key), wallets, store }, 200);
  });
  app.openapi(getKeyAttestationsRoute, async (c) => {
    const key = demand(await shownKey(database, c.get("caller"), c.req.valid("param").keyId));
    const attested = await readKeyAttestations(database, key.id);
    return c.json(keyAttestationsView(dependencies.roster.clusterId, key, attested), 200);
  });
  app.openapi(updateKeyRoute, async (c) => {
    const { keyId } = c.req.valid("param");
    const name = c.req.valid("json").name ?? undefined;
    return c.json(keyView(demand(await renameKey(dependencies, c.get("caller"), keyId, name))), 200);
  });
  app.openapi(deleteKeyRoute, async (c) => {
    const { keyId } = c.req.valid("param");
    return c.json(keyView(demand(await archiveKey(dependencies, c.get("caller"), keyId))), 200);
  });
  app.openapi(delegateKeyRoute, async (c) => {
    const { keyId } = c.req.valid("param");
    const body = c.req.valid("json");
    const to = "userId" in body ? body.userId : body.delegateTo;
    demand(await delegateKey(dependencies, c.get("caller"), keyId, to));
    return c.json({ keyId, status: "Delegated" as const }, 200);
  });
  app.openapi(listKeyStoresRoute, (c) => c.json({ items: [KEY_STORE] }, 200));
};
