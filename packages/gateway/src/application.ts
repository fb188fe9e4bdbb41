import { problem } from "@conclave/custody";
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import { clockGate } from "./clocks.ts";
import type { Dependencies, GatewayEnv } from "./dependencies.ts";
import { invalidInput } from "./http/invalid-input.ts";
import { admission, underWay } from "./http/middleware/admission.ts";
import { bearer } from "./http/middleware/bearer.ts";
import { crossOrigin } from "./http/middleware/cross-origin.ts";
import { nonce } from "./http/middleware/nonce.ts";
import { rateLimit } from "./http/middleware/rate-limit.ts";
import { requestLog } from "./http/middleware/request-log.ts";
import { userAction } from "./http/middleware/user-action.ts";
import { renderProblem } from "./http/problem-response.ts";
import { problemOf } from "./http/thrown-problem.ts";
import { httpRequestFailed } from "./log-events.ts";
import { addAddressWatchRoutes } from "./routes/address-watches.ts";
import { addBulkWalletRoutes } from "./routes/bulk-wallets.ts";
import { addDocsRoutes } from "./routes/docs.ts";
import { addGuideRoutes } from "./routes/guides.ts";
import { addKeyPassageRoutes } from "./routes/key-passage.ts";
import { addKeyRoutes } from "./routes/keys.ts";
import { addNetworkRoutes } from "./routes/networks.ts";
import { addOperationsRoutes } from "./routes/operations.ts";
import { addOrganisationRoutes } from "./routes/organisation.ts";
import { addApplicationRoutes } from "./routes/people/applications.ts";
import { addAuditLogRoutes } from "./routes/people/audit-logs.ts";
import { addCredentialRoutes } from "./routes/people/credentials.ts";
import { addLoginRoutes } from "./routes/people/login.ts";
import { addPersonalAccessTokenRoutes } from "./routes/people/personal-access-tokens.ts";
import { addProviderLoginRoutes } from "./routes/people/provider-login.ts";
import { addRecoveryRoutes } from "./routes/people/recovery.ts";
import { addRegistrationRoutes } from "./routes/people/registration.ts";
import { addServiceAccountRoutes } from "./routes/people/service-accounts.ts";
import { addUserActionRoutes } from "./routes/people/user-actions.ts";
import { addUserGroupRoutes } from "./routes/people/user-groups.ts";
import { addUserRoutes } from "./routes/people/users.ts";
import { addAssignmentRoutes } from "./routes/policies/assignments.ts";
import { addPermissionRoutes } from "./routes/policies/permissions.ts";
import { addPolicyRoutes } from "./routes/policies/policies.ts";
import { addPolicyApprovalRoutes } from "./routes/policies/policy-approvals.ts";
import { addSignatureRoutes } from "./routes/signatures.ts";
import { addSignerRoutes } from "./routes/signers.ts";
import { addTransactionRoutes } from "./routes/transactions.ts";
import { addTransferRoutes } from "./routes/transfers.ts";
import { refuseUnserved } from "./routes/unserved.ts";
import { addHoldingRoutes } from "./routes/wallet-holdings.ts";
import { addWalletRoutes } from "./routes/wallets.ts";
import { addWebhookEventRoutes } from "./routes/webhooks/webhook-events.ts";
import { addWebhookRoutes } from "./routes/webhooks/webhooks.ts";

const MOST_BODY_BYTES = 1_048_576;

/** The paths that need a token: those of an organisation's resources. */
const PROTECTED = [
  "/address-watches/*",
  "/auth/*",
  "/key-stores/*",
  "/keys/*",
  "/networks/*",
  "/orgs/*",
  "/permissions/*",
  "/signers/*",
  "/v2/*",
  "/wallets/*",
  "/webhooks/*",
];

const noStore = createMiddleware<GatewayEnv>(async (c, next) => {
  c.header("cache-control", "no-store");
  await next();
});

/** The steps of a request, in order: clock, token and turn are checked before a byte of the body is read. */
const gatesOf = (dependencies: Dependencies) => [
  noStore,
  clockGate(dependencies.databaseClock),
  underWay(dependencies.admission),
  bearer(dependencies),
  rateLimit(dependencies),
  admission(dependencies),
  nonce(dependencies),
  bodyLimit({ maxSize: MOST_BODY_BYTES, onError: (c) => renderProblem(c, problem("BodyTooLarge")) }),
  userAction(dependencies.userActions, dependencies.userActionsRequired),
];

/** Adds the operations on people, and on what they log in and sign with. */
const addPeopleRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  addUserActionRoutes(app, dependencies);
  addAuditLogRoutes(app, dependencies);
  addLoginRoutes(app, dependencies);
  addProviderLoginRoutes(app, dependencies);
  addRegistrationRoutes(app, dependencies);
  addRecoveryRoutes(app, dependencies);
  addCredentialRoutes(app, dependencies);
  addUserRoutes(app, dependencies);
  addUserGroupRoutes(app, dependencies);
  addServiceAccountRoutes(app, dependencies);
  addPersonalAccessTokenRoutes(app, dependencies);
  addApplicationRoutes(app, dependencies);
};

/** The REST interface, made from its dependencies. Every error is rendered by `renderProblem`. */
export const makeApplication = (dependencies: Dependencies): OpenAPIHono<GatewayEnv> => {
  const app = new OpenAPIHono<GatewayEnv>({
    defaultHook: (result, c) => {
      if (result.success) return undefined;
      const code = result.target === "json" ? "InvalidBody" : "InvalidParameter";
      return renderProblem(c, invalidInput(code, result.error.issues));
    },
  });
  app.onError((error, c) => {
    const found = problemOf(error);
    if (found.code === "Internal" || found.code === "ServiceUnavailable") {
      httpRequestFailed(dependencies.logger, { err: error, httpRequestId: c.get("httpRequestId") });
    }
    return renderProblem(c, found);
  });
  app.notFound((c) => renderProblem(c, problem("NotFound")));

  app.use(requestLog(dependencies.world, dependencies.logger, dependencies.metrics));
  app.use(secureHeaders());
  app.use(crossOrigin(dependencies.pageOrigins));
  refuseUnserved(app);
  const gates = gatesOf(dependencies);
  for (const path of PROTECTED) app.use(path, ...gates);
  app.use(refuseWordsAsIds(app));

  addPeopleRoutes(app, dependencies);
  addKeyRoutes(app, dependencies);
  addKeyPassageRoutes(app, dependencies);
  addBulkWalletRoutes(app, dependencies);
  addWalletRoutes(app, dependencies);
  addAddressWatchRoutes(app, dependencies);
  addHoldingRoutes(app, dependencies);
  addNetworkRoutes(app, dependencies);
  addTransferRoutes(app, dependencies);
  addSignatureRoutes(app, dependencies);
  addTransactionRoutes(app, dependencies);
  addPermissionRoutes(app, dependencies);
  addAssignmentRoutes(app, dependencies);
  addPolicyRoutes(app, dependencies);
  addPolicyApprovalRoutes(app, dependencies);
  addSignerRoutes(app, dependencies);
  addWebhookRoutes(app, dependencies);
  addWebhookEventRoutes(app, dependencies);
  addOrganisationRoutes(app, dependencies);
  addOperationsRoutes(app, dependencies);
  addDocsRoutes(app);
  addGuideRoutes(app);
  refuseOtherMethods(app);
  return app;
};

/** The methods that each path takes. */
const methodsOf = (app: OpenAPIHono<GatewayEnv>): ReadonlyMap<string, ReadonlySet<string>> => {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of app.routes) {
    if (path.includes("*") || method === "ALL") continue;
    const taken = methods.get(path) ?? new Set();
    methods.set(path, taken.add(method));
    if (method === "GET") taken.add("HEAD");
  }
  return methods;
};

const refuseMethod = (c: Context<GatewayEnv>, taken: ReadonlySet<string>) => {
  const allowed = [...taken].sort().join(", ");
  c.header("allow", allowed);
  return renderProblem(c, problem("MethodNotAllowed", { allowed }));
};

/**
 * Refuses a word that has a path of its own, such as `/keys/import`, as an id in that place, whatever the method. The
 * paths are complete only once all are added, which is before the first request.
 */
const refuseWordsAsIds = (app: OpenAPIHono<GatewayEnv>) => {
  let words: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  return createMiddleware<GatewayEnv>(async (c, next) => {
    words ??= methodsOf(app);
    const taken = words.get(c.req.path);
    return taken === undefined || taken.has(c.req.method) ? next() : refuseMethod(c, taken);
  });
};

/** Answers a request to a served path with another method by naming the methods that it takes. */
const refuseOtherMethods = (app: OpenAPIHono<GatewayEnv>): void => {
  for (const [path, taken] of methodsOf(app)) app.all(path, (c) => refuseMethod(c, taken));
};
