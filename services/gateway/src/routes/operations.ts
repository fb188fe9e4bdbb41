import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";

const DOCUMENT = {
  openapi: "3.1.0",
  info: {
    title: "Conclave",
    version: "0.1.0",
    description: "Wallet custody and transfers. No process ever holds a whole key.",
  },
};

/** Adds what people and machines ask about the service itself; none of it needs a token. */
export const addOperationsRoutes = (
  app: OpenAPIHono<GatewayEnv>,
  { health, metrics }: Pick<Dependencies, "health" | "metrics">,
): void => {
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
  });
  app.get("/openapi.json", (c) => c.json(app.getOpenAPI31Document(DOCUMENT)));
  app.get("/health", async (c) => {
    const report = await health.report();
    return c.json(report, report.status === "serving" ? 200 : 503);
  });
  app.get("/metrics", async (c) =>
    c.text(await metrics.text(), 200, { "content-type": metrics.contentType }),
  );
};
