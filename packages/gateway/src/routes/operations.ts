import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { type Described, makeDocument } from "../document/document.ts";
import type { ApiDocument } from "../document/types.ts";

/** Adds operations about the service itself, such as health and metrics; none needs a token. */
export const addOperationsRoutes = (
  app: OpenAPIHono<GatewayEnv>,
  dependencies: Pick<Dependencies, "health" | "metrics"> & Described,
): void => {
  const { health, metrics } = dependencies;
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "The token that `conclave up` or `make up` prints (`conclave env` prints it again), or that a login answers. [The guide](/docs/guides/people) lists all kinds.",
  });
  let document: ApiDocument | undefined;
  app.get("/openapi.json", (c) => {
    // made at the first request, when all operations have been added
    document ??= makeDocument(app, dependencies);
    return c.json(document);
  });
  app.get("/health", async (c) => {
    const report = await health.report();
    return c.json(report, report.status === "serving" ? 200 : 503);
  });
  app.get("/metrics", async (c) =>
    c.text(await metrics.text(), 200, { "content-type": metrics.contentType }),
  );
};
