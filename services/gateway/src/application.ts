import { problem } from "@conclave/custody";
import { OpenAPIHono } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import type { Dependencies, GatewayEnv } from "./dependencies.ts";
import { invalidInput } from "./invalid-input.ts";
import { bearer } from "./middleware/bearer.ts";
import { requestLog } from "./middleware/request-log.ts";
import { userAction } from "./middleware/user-action.ts";
import { renderProblem } from "./problem-response.ts";
import { addOperationsRoutes } from "./routes/operations.ts";
import { addTransferRoutes } from "./routes/transfers.ts";
import { addUserActionRoutes } from "./routes/user-actions.ts";
import { addWalletRoutes } from "./routes/wallets.ts";
import { problemOf } from "./thrown-problem.ts";

const MOST_BODY_BYTES = 1_048_576;

/** Methods of each path: any other is answered by MethodNotAllowed. */
const METHODS: Readonly<Record<string, string>> = {
  "/wallets": "GET, HEAD, POST",
  "/wallets/:walletId": "GET, HEAD",
  "/wallets/:walletId/transfers": "GET, HEAD, POST",
  "/wallets/:walletId/transfers/:transferId": "GET, HEAD",
  "/auth/action/init": "POST",
  "/auth/action": "POST",
  "/openapi.json": "GET, HEAD",
  "/health": "GET, HEAD",
  "/metrics": "GET, HEAD",
};

const noStore = createMiddleware<GatewayEnv>(async (c, next) => {
  c.header("cache-control", "no-store");
  await next();
});

/** The REST interface as a function of what it works with. Every error leaves through `renderProblem`. */
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
      dependencies.logger.error({ err: error, requestId: c.get("requestId") }, "a request failed");
    }
    return renderProblem(c, found);
  });
  app.notFound((c) => renderProblem(c, problem("NotFound")));

  app.use(requestLog(dependencies.logger, dependencies.metrics));
  app.use(secureHeaders());
  for (const path of ["/wallets/*", "/auth/*"]) {
    app.use(path, noStore);
    // the token is judged before a byte of the body is read
    app.use(path, bearer(dependencies));
  }
  app.use(bodyLimit({ maxSize: MOST_BODY_BYTES, onError: (c) => renderProblem(c, problem("BodyTooLarge")) }));
  app.use("/wallets/*", userAction(dependencies.userActions, dependencies.userActionsRequired));

  addUserActionRoutes(app, dependencies);
  addWalletRoutes(app, dependencies);
  addTransferRoutes(app, dependencies);
  addOperationsRoutes(app, dependencies);
  for (const [path, allowed] of Object.entries(METHODS)) {
    app.all(path, (c) => {
      c.header("allow", allowed);
      return renderProblem(c, problem("MethodNotAllowed", { allowed }));
    });
  }
  return app;
};
