import { MOST_POLICIES, organisationIdSchema, policyIdSchema } from "@conclave/custody";
import { type Database, freshId, insertPolicy } from "@conclave/platform";
import { expect, it } from "vitest";
import { z } from "zod";
import { startWorld } from "../testing/world.ts";

const FEW_STATEMENTS = 40;
const madeSchema = z.looseObject({ id: z.string() });
const sizeSchema = z.object({ events: z.int(), length: z.int(), evaluations: z.int(), last: z.int() });

/** Counts the statements within transactions. */
const counted = () => {
  let statements = 0;
  const wrapDatabase = (database: Database): Database => ({
    ...database,
    transaction: (work) =>
      database.transaction((connection) =>
        work({
          ...connection,
          rows: (...query) => {
            statements += 1;
            return connection.rows(...query);
          },
          execute: (...query) => {
            statements += 1;
            return connection.execute(...query);
          },
        }),
      ),
  });
  return { wrapDatabase, statements: () => statements };
};

it("INV-9 the event of each of 500 policies repeats no long body, and their record is one statement", async () => {
  const { wrapDatabase, statements } = counted();
  const world = await startWorld({ wrapDatabase });
  const { body } = await world.call("POST", "/wallets", { network: "EthereumSepolia" });
  const { id: walletId } = madeSchema.parse(body);
  const date = new Date().toISOString();
  const orgId = organisationIdSchema.parse(world.caller.orgId);
  for (let at = 0; at < MOST_POLICIES; at++) {
    await insertPolicy(world.database, {
      id: freshId(policyIdSchema, "plc"),
      orgId,
      status: "Active",
      body: {
        name: "any",
        activityKind: "Wallets:Sign",
        rule: { kind: "AlwaysTrigger", configuration: {} },
        action: { kind: "NoAction" },
      },
      dateCreated: date,
      dateUpdated: date,
    });
  }
  const before = statements();
  const message = `0x${"ab".repeat(65_536)}`;
  const signature = await world.call("POST", `/wallets/${walletId}/signatures`, { kind: "Message", message });
  expect([signature.status, signature.body]).toMatchObject([200, { requestBody: { message } }]);
  expect(statements() - before).toBeLessThan(FEW_STATEMENTS);

  const { id } = madeSchema.parse(signature.body);
  const [size] = await world.database.rows(
    sizeSchema,
    `select count(*)::int as events, max(length(data::text)) as length,
       (select count(*)::int from policy_evaluations where subject_id = $1) as evaluations,
       (select max(position) from policy_evaluations where subject_id = $1) as last
     from events where kind = 'policy.triggered'
       and data #>> '{policyEvaluation,activity,signatureRequest,id}' = $1`,
    [id],
  );
  expect(size).toMatchObject({ events: MOST_POLICIES, evaluations: MOST_POLICIES, last: MOST_POLICIES - 1 });
  expect(size?.length).toBeLessThan(4_096);
  await world.stop();
}, 60_000);
