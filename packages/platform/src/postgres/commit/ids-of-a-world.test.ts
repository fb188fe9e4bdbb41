import { openVirtualWorld } from "@conclave/cluster/testing";
import {
  eventIdSchema,
  organisationIdSchema,
  policyEvaluationIdSchema,
  policyIdSchema,
} from "@conclave/custody";
import { afterEach, expect, it } from "vitest";
import { freshId } from "../../fresh-id.ts";
import { openDatabase } from "../database.ts";
import { insertEvaluations } from "../policies/policy-evaluations.ts";
import { eventRows } from "./event-rows.ts";

const DATE = "2026-01-01T00:00:00.000Z";
const orgId = freshId(organisationIdSchema, "or");
const another = () => openVirtualWorld(0, "ids");

/** It would connect at its first statement, and there is none. */
const database = openDatabase({
  url: "postgres://nobody@127.0.0.1:1/nothing",
  name: "ids",
  world: another(),
});
afterEach(() => database.close());

it("rows that the store makes have ids of the World that opened it", async () => {
  const world = another();
  const event = { kind: "wallet.created", orgId, entityId: "wa", date: DATE, data: {} } as const;
  const id = freshId(eventIdSchema, "evt");
  const rows: unknown = JSON.parse(eventRows(database, [event, { ...event, id }]));
  expect(rows).toMatchObject([{ id: world.freshId(eventIdSchema, "evt") }, { id }]);
  const found = { policyId: freshId(policyIdSchema, "plc"), triggered: false, reason: "none" };
  const ids = await insertEvaluations(
    { freshId: database.freshId, execute: async () => 1 },
    { orgId, id: "xfr" },
    [found],
    DATE,
  );
  expect(ids).toEqual([world.freshId(policyEvaluationIdSchema, "plce")]);
});
