import { bulkCreateBodySchema, bulkJobView, walletView } from "@conclave/custody";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { createBulkJob, needsOfBulk } from "../bulk-wallets/create-job.ts";
import {
  endedBulkJob,
  listVisibleBulkJobs,
  listWalletsOfBulkJob,
  visibleBulkJob,
} from "../bulk-wallets/visible-job.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { BULK_CREATE_EXAMPLES } from "../document/examples/wallets.ts";
import { pageQuerySchema, readPage } from "../http/pagination.ts";
import { demand } from "../http/refused.ts";
import { judgeNeeds } from "../permission/granted.ts";
import {
  bulkJobBegunSchema,
  bulkJobListSchema,
  bulkJobParams,
  bulkJobQuerySchema,
  bulkJobSchema,
  bulkWalletListSchema,
} from "../schemas/bulk-wallets.ts";
import { notFoundError, roomError, unfinishedError } from "../schemas/error.ts";
import { answer, bodyOf, createErrors, operation } from "./operation.ts";

const createRoute = operation("post", "/wallets/bulk-create", {
  operationId: "bulkCreateWallets",
  summary: "Create many wallets, each with a key of its own, in a job that goes on by itself",
  needs: ["Wallets:Create"],
  request: { body: bodyOf(bulkCreateBodySchema, BULK_CREATE_EXAMPLES) },
  answers: { 200: answer("The job", bulkJobBegunSchema), ...createErrors, ...roomError },
});

const listRoute = operation("get", "/wallets/bulk-create", {
  operationId: "listBulkWalletJobs",
  summary: "List the jobs that create many wallets, newest first",
  needs: ["Wallets:Read"],
  request: { query: bulkJobQuerySchema },
  answers: { 200: answer("One page", bulkJobListSchema) },
});

const getRoute = operation("get", "/wallets/bulk-create/{jobId}", {
  operationId: "getBulkWalletJob",
  summary: "Read how far a job has come that creates many wallets",
  needs: ["Wallets:Read"],
  request: { params: bulkJobParams },
  answers: { 200: answer("The job", bulkJobSchema), ...notFoundError },
});

const listWalletsRoute = operation("get", "/wallets/bulk-create/{jobId}/wallets", {
  operationId: "listBulkWalletJobWallets",
  summary: "List the wallets that a job has created, by id, once it has ended",
  needs: ["Wallets:Read"],
  request: { params: bulkJobParams, query: pageQuerySchema },
  answers: { 200: answer("One page", bulkWalletListSchema), ...notFoundError, ...unfinishedError },
});

/** Adds the operations on jobs that create many wallets. Add them before those of wallets: their path is no wallet's id. */
export const addBulkWalletRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  app.openapi(createRoute, async (c) => {
    const [caller, body] = [c.get("caller"), c.req.valid("json")];
    demand(judgeNeeds(c.get("principal"), caller.userId, needsOfBulk(body.tags ?? [])));
    const { id, status } = demand(await createBulkJob(dependencies, caller, body));
    return c.json({ id, status }, 200);
  });
  app.openapi(listRoute, async (c) => {
    const query = c.req.valid("query");
    const { items, next } = await readPage(
      query,
      (page) => listVisibleBulkJobs(database, c.get("caller"), query.status, page),
      (job) => job.dateCreated,
    );
    return c.json({ items: items.map(bulkJobView), ...next }, 200);
  });
  app.openapi(getRoute, async (c) => {
    const { jobId } = c.req.valid("param");
    return c.json(bulkJobView(demand(await visibleBulkJob(database, c.get("caller"), jobId))), 200);
  });
  app.openapi(listWalletsRoute, async (c) => {
    const { jobId } = c.req.valid("param");
    const job = demand(await endedBulkJob(database, c.get("caller"), jobId));
    const { items, next } = await readPage(
      c.req.valid("query"),
      (page) => listWalletsOfBulkJob(database, job, page),
      (wallet) => wallet.dateCreated,
    );
    return c.json({ items: items.map(walletView), ...next }, 200);
  });
};
