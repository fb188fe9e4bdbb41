import { makeLogger, makeMetrics } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { Hono } from "hono";
import { expect, it } from "vitest";
import type { GatewayEnv } from "../../dependencies.ts";
import { requestLog } from "./request-log.ts";

it("a request leaves one line with the id of its answer, and without its query", async () => {
  const lines: string[] = [];
  const logger = makeLogger({
    name: "gateway",
    level: "info",
    destination: { write: (line) => lines.push(line) },
  });
  const app = new Hono<GatewayEnv>();
  app.use(requestLog(processWorld, logger, makeMetrics("gateway")));
  app.get("/wallets", (c) => c.text("none", 404));
  const { headers } = await app.request("/wallets?owner=somebody");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      event: "http-request-answered",
      msg: "request",
      httpRequestId: headers.get("x-request-id"),
      method: "GET",
      path: "/wallets",
      status: 404,
    },
  ]);
  expect(lines.join("")).not.toMatch(/somebody|"requestId"/);
});
