import {
  createServiceAccountBodySchema,
  createServiceAccountCredentialBodySchema,
  credentialView,
  type IdentityChange,
  type Operation,
  renameBodySchema,
} from "@conclave/custody";
import { type Caller, leavingOut, listUsers } from "@conclave/platform";
import type { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import {
  RENAME_EXAMPLES,
  SERVICE_ACCOUNT_CREDENTIAL_EXAMPLES,
  SERVICE_ACCOUNT_EXAMPLES,
} from "../../document/examples/people.ts";
import { demandAction } from "../../http/middleware/user-action.ts";
import { demand } from "../../http/refused.ts";
import { changeUser } from "../../people/change-user.ts";
import { MAY_MAKE_SERVICE_ACCOUNT } from "../../people/judge-maker.ts";
import { visibleServiceAccount } from "../../people/people.ts";
import {
  createServiceAccountCredential,
  removeServiceAccountCredential,
} from "../../people/service-account-credentials.ts";
import { createServiceAccount } from "../../people/service-accounts.ts";
import { showServiceAccount, showServiceAccounts } from "../../people/show.ts";
import { judgeHandOut, judgeRevival } from "../../permission/hand-out.ts";
import { anyOf } from "../../permission/requires.ts";
import { forbiddenError, roomError } from "../../schemas/error.ts";
import { credentialParams, credentialSchema } from "../../schemas/people/credential.ts";
import {
  serviceAccountListSchema,
  serviceAccountParams,
  serviceAccountSchema,
} from "../../schemas/people/people.ts";
import { nothingSchema } from "../../schemas/wallet.ts";
import { answer, bodyOf, changeErrors, createErrors, operation, readErrors } from "../operation.ts";

/** client libraries read this list without pages (wire interface, section E.4) */
const MOST_ACCOUNTS = 10_000;

const one = answer("The service account", serviceAccountSchema);

/** The current operation, or the two older ones: one on applications, one for the type (wire interface, section A.3). */
const either = (now: Operation, before: Operation) => [
  anyOf(now, before),
  anyOf(now, "Auth:Types:ServiceAccount"),
];

const createServiceAccountRoute = operation("post", "/auth/service-accounts", {
  operationId: "createServiceAccount",
  summary: "Create a service account; the answer shows its token, once",
  needs: MAY_MAKE_SERVICE_ACCOUNT,
  request: { body: bodyOf(createServiceAccountBodySchema, SERVICE_ACCOUNT_EXAMPLES) },
  answers: { 200: one, ...changeErrors, ...roomError },
});

const listServiceAccountsRoute = operation("get", "/auth/service-accounts", {
  operationId: "listServiceAccounts",
  summary: "List the organisation's service accounts, newest first",
  needs: either("Auth:ServiceAccounts:Read", "Auth:Apps:Read"),
  request: {},
  answers: { 200: answer("All", serviceAccountListSchema), ...forbiddenError },
});

const getServiceAccountRoute = operation("get", "/auth/service-accounts/{serviceAccountId}", {
  operationId: "getServiceAccount",
  summary: "Read a service account",
  needs: either("Auth:ServiceAccounts:Read", "Auth:Apps:Read"),
  request: { params: serviceAccountParams },
  answers: { 200: one, ...readErrors },
});

const updateServiceAccountRoute = operation("put", "/auth/service-accounts/{serviceAccountId}", {
  operationId: "updateServiceAccount",
  summary: "Change a service account's name or externalId",
  needs: either("Auth:ServiceAccounts:Update", "Auth:Apps:Update"),
  request: { params: serviceAccountParams, body: bodyOf(renameBodySchema, RENAME_EXAMPLES) },
  answers: { 200: one, ...changeErrors },
});

/** A change of a service account whose body, if there is one, is ignored. */
const act = {
  request: { params: serviceAccountParams },
  answers: { 200: one, ...changeErrors },
};

const activateRoute = operation("put", "/auth/service-accounts/{serviceAccountId}/activate", {
  operationId: "activateServiceAccount",
  summary: "Let a service account act again",
  needs: either("Auth:ServiceAccounts:Activate", "Auth:Apps:Update"),
  ...act,
});

const deactivateRoute = operation("put", "/auth/service-accounts/{serviceAccountId}/deactivate", {
  operationId: "deactivateServiceAccount",
  summary: "Refuse a service account's token at once",
  needs: either("Auth:ServiceAccounts:Deactivate", "Auth:Apps:Update"),
  ...act,
});

const archiveRoute = operation("delete", "/auth/service-accounts/{serviceAccountId}", {
  operationId: "archiveServiceAccount",
  summary: "Archive a service account and its token, for good",
  needs: either("Auth:ServiceAccounts:Delete", "Auth:Apps:Update"),
  ...act,
});

const createCredentialRoute = operation("post", "/auth/service-accounts/credentials", {
  operationId: "createServiceAccountCredential",
  summary: "Add a key to those that sign for the calling service account; always signed",
  needs: ["Auth:Creds:Create"],
  request: {
    body: bodyOf(createServiceAccountCredentialBodySchema, SERVICE_ACCOUNT_CREDENTIAL_EXAMPLES),
  },
  answers: { 200: answer("The credential", credentialSchema), ...createErrors, ...roomError },
});

const deleteCredentialRoute = operation("delete", "/auth/service-accounts/credentials/{credentialUuid}", {
  operationId: "deleteServiceAccountCredential",
  summary: "Delete a key of the calling service account for good; one must stay; always signed",
  needs: ["Auth:Creds:Update"],
  request: { params: credentialParams },
  answers: { 200: answer("Done", nothingSchema), ...changeErrors },
});

/** Adds the operations with which a service account changes its own keys. */
const addServiceAccountCredentialRoutes = (
  app: OpenAPIHono<GatewayEnv>,
  dependencies: Dependencies,
): void => {
  app.openapi(createCredentialRoute, async (c) => {
    demandAction(c);
    const credential = await createServiceAccountCredential(
      dependencies,
      c.get("caller"),
      c.req.valid("json"),
    );
    return c.json(credentialView(credential), 200);
  });
  app.openapi(deleteCredentialRoute, async (c) => {
    demandAction(c);
    const { credentialUuid } = c.req.valid("param");
    demand(await removeServiceAccountCredential(dependencies, c.get("caller"), credentialUuid));
    return c.json({}, 200);
  });
};

/** Adds the operations on service accounts. */
export const addServiceAccountRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  addServiceAccountCredentialRoutes(app, dependencies);
  const { database } = dependencies;
  const change = async (
    { orgId }: Caller,
    { serviceAccountId: id }: z.infer<typeof serviceAccountParams>,
    by: IdentityChange,
  ) => showServiceAccount(database, await changeUser(dependencies, orgId, id, by, visibleServiceAccount));

  app.openapi(createServiceAccountRoute, async (c) => {
    const body = c.req.valid("json");
    demand(await judgeHandOut(database, c.var, body.permissionId));
    return c.json(await createServiceAccount(dependencies, c.get("caller"), body), 200);
  });
  app.openapi(listServiceAccountsRoute, async (c) => {
    const { orgId } = c.get("caller");
    const users = await listUsers(database, orgId, { isServiceAccount: true }, { limit: MOST_ACCOUNTS });
    return c.json({ items: await showServiceAccounts(leavingOut(database), orgId, users) }, 200);
  });
  app.openapi(getServiceAccountRoute, async (c) => {
    const { serviceAccountId } = c.req.valid("param");
    const user = await visibleServiceAccount(database, c.get("caller").orgId, serviceAccountId);
    return c.json(await showServiceAccount(database, demand(user)), 200);
  });
  app.openapi(updateServiceAccountRoute, async (c) => {
    const body = c.req.valid("json");
    return c.json(await change(c.get("caller"), c.req.valid("param"), { kind: "Renamed", body }), 200);
  });
  app.openapi(activateRoute, async (c) => {
    const params = c.req.valid("param");
    demand(await judgeRevival(database, c.var, [params.serviceAccountId]));
    return c.json(await change(c.get("caller"), params, { kind: "Activated" }), 200);
  });
  app.openapi(deactivateRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param"), { kind: "Deactivated" }), 200),
  );
  app.openapi(archiveRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param"), { kind: "Archived" }), 200),
  );
};
