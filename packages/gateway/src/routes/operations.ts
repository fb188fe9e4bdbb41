import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { TAGS, tagOf } from "./described.ts";

const DOCUMENT = {
  openapi: "3.1.0",
  info: {
    title: "Conclave",
    version: "0.1.0",
    description:
      "Wallet custody and transfers. No process ever holds a whole key. Send `authorization: Bearer <token>`; changes are signed as user actions where the gateway asks for it.",
  },
  tags: TAGS,
};

/** The document that the code gives, each operation in its section. */
const describe = (app: OpenAPIHono<GatewayEnv>) => {
  const document = app.getOpenAPI31Document(DOCUMENT);
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const method of ["get", "post", "put", "delete"] as const) {
      const operation = methods[method];
      if (operation !== undefined) operation.tags = [tagOf(path)];
    }
  }
  return document;
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
  let document: ReturnType<typeof describe> | undefined;
  app.get("/openapi.json", (c) => {
    // made when it is asked for: by then all operations are there
    document ??= describe(app);
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
