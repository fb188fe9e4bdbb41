import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { freshDatabase } from "../../testing/index.ts";
import { addressWatches } from "../address-watches/address-watches.ts";
import { watchedMovements } from "../address-watches/watched-movements.ts";
import { type Database, openDatabase } from "../database.ts";
import { deposits } from "../deposits.ts";
import { dueRequests } from "../due-requests/due-request.ts";
import { events } from "../events.ts";
import { attestedKeys } from "../keys/attested-keys.ts";
import { keys } from "../keys/keys.ts";
import { wallets } from "../keys/wallets.ts";
import { outbox } from "../outbox.ts";
import { accessTokens } from "../people/access-tokens.ts";
import { applications } from "../people/applications.ts";
import { codeChallenges, oneTimeCodes } from "../people/one-time-codes.ts";
import { requestNonces } from "../people/request-nonces.ts";
import { requestWindows } from "../people/request-windows.ts";
import { spentChallenges } from "../people/spent-challenges.ts";
import { userActions } from "../people/user-actions.ts";
import { userMarks, users } from "../people/users.ts";
import { assignments } from "../policies/permission-assignments.ts";
import { permissions } from "../policies/permissions.ts";
import { policies } from "../policies/policies.ts";
import { evaluations } from "../policies/policy-evaluations.ts";
import { recordMarks } from "../record-marks.ts";
import { chainRequests } from "../requests/chain-requests.ts";
import { signatures } from "../requests/signatures.ts";
import { columnNameOf } from "./column-name.ts";

const people = [users, userMarks, accessTokens, applications, userActions, requestNonces, requestWindows];
const codes = [codeChallenges, oneTimeCodes, spentChallenges];
const rights = [assignments, permissions, policies, evaluations];
const work = [chainRequests, signatures, keys, wallets, attestedKeys, dueRequests];
const messages = [deposits, addressWatches, watchedMovements, events, outbox, recordMarks];
const TABLES = [...people, ...codes, ...rights, ...work, ...messages];

let database: Database;
beforeAll(async () => {
  database = openDatabase({ url: await freshDatabase(), name: "test" });
});
afterAll(() => database.close());

it("says of each column whether it may be empty, as the database does", async () => {
  const columns = await database.rows(
    z.object({ name: z.string(), nullable: z.boolean() }),
    `select table_name || '.' || column_name as name, is_nullable = 'YES' as nullable
     from information_schema.columns where table_schema = 'public'`,
  );
  const known = new Map(columns.map(({ name, nullable }) => [name, nullable]));
  const wrong = TABLES.flatMap(({ name, shape }) =>
    Object.entries(shape).flatMap(([property, schema]) => {
      const column = `${name}.${columnNameOf(property)}`;
      const isOptional = z.safeParse(schema, null).success;
      return known.get(column) === isOptional ? [] : [`${column}: ${isOptional}`];
    }),
  );
  expect(wrong).toEqual([]);
});
