import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { makeReadableThings } from "../fuzz/readable-things.ts";
import { approverOf, type Person } from "../testing/people.ts";
import { startWorld, type World } from "../testing/world.ts";

let world: World;
let approver: Person;
beforeAll(async () => {
  world = await startWorld();
  await makeReadableThings(world);
  approver = await approverOf(world);
});
afterAll(() => world.stop());

const waitingSchema = z.object({ id: z.string(), approval_id: z.string() });
const stateSchema = z.object({ status: z.string(), decisions: z.string() });

it.each([
  ["Policy", "body", "{}"],
  ["Policy", "body", '{"status": "Active", "rule": "words"}'],
  ["Policy", "entity_id", "words here"],
  ["Permission", "body", '{"operations": 7, "isArchived": false}'],
  ["Permission", "body", '{"isArchived": "words"}'],
  ["Permission", "entity_id", ""],
  ["Assignment", "body", '{"permissionId": "words", "identityId": ""}'],
  ["Assignment", "body", "{}"],
  ["Assignment", "entity_id", "words here"],
  ["UserGroup", "body", '{"addedUserIds": ["words"], "removedUserIds": []}'],
  ["UserGroup", "body", '{"addedUserIds": [], "removedUserIds": []}'],
  ["UserGroup", "body", "{}"],
  ["UserGroup", "entity_id", "words here"],
])("INV-8 a change of a %s whose %s is %j is not made by who approves it", async (kind, column, value) => {
  const [request = expect.fail("it waits")] = await world.database.rows(
    waitingSchema,
    "select id, approval_id from change_requests where kind = $1 and status = 'Pending'",
    [kind],
  );
  const stateOf = () =>
    world.database.rows(
      stateSchema,
      `select r.status, (select count(*) from policy_approval_decisions d where d.approval_id = r.approval_id)::text as decisions
       from change_requests r where id = $1`,
      [request.id],
    );
  const [held] = await world.database.rows(
    z.object({ held: z.unknown() }),
    `select to_jsonb(${column}) as held from change_requests where id = $1`,
    [request.id],
  );
  const isBody = column === "body";
  const write = (text: string) =>
    world.database.execute(
      `update change_requests set ${column} = $2${isBody ? "::jsonb" : ""} where id = $1`,
      [request.id, text],
    );
  await write(value);
  const before = await stateOf();
  const answer = await approver.call("POST", `/v2/policy-approvals/${request.approval_id}/decisions`, {
    value: "Approved",
  });
  expect(answer).toMatchObject({
    status: 409,
    body: { error: { details: { code: "RecordUnreadable", record: request.id } } },
  });
  expect(await stateOf()).toEqual(before);
  await write(isBody ? JSON.stringify(held?.held) : String(held?.held));
});
