import { organisationIdSchema, userIdSchema } from "@conclave/custody";
import { type Connection, type Database, freshId } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import { userOf } from "../testing/people.ts";
import { enterKey } from "../testing/signed-actions.ts";
import { type ClientKey, keyFactor, makeClientKey } from "../testing/signers.ts";
import { type Answer, startWorld, type World } from "../testing/world.ts";

/** The database statements since the list was last emptied. */
const asked: string[] = [];
const noting = (connection: Connection): Connection => ({
  rows: (schema, text, values) => {
    asked.push(text);
    return connection.rows(schema, text, values);
  },
  listed: (schema, text, values) => {
    asked.push(text);
    return connection.listed(schema, text, values);
  },
  execute: (text, values) => {
    asked.push(text);
    return connection.execute(text, values);
  },
  announce: (subject) => connection.announce(subject),
  freshId: connection.freshId,
});
const watched = (database: Database): Database => ({
  ...noting(database),
  transaction: (work) => database.transaction((connection) => work(noting(connection))),
  commit: (schema, text, values) => {
    asked.push(text);
    return database.commit(schema, text, values);
  },
  session: (work) => database.session(work),
  listen: (channel, onNotify) => database.listen(channel, onNotify),
  exclusively: (lock, work) => database.exclusively(lock, work),
  close: () => database.close(),
});

let world: World;
const keys = new Map<string, ClientKey>();
/** Adds a person with a key whose credId the client chose. */
const enter = async (username: string, credId: string): Promise<void> => {
  const userId = userIdSchema.parse(await userOf(world, "CustomerEmployee", username));
  const key = { ...makeClientKey(), credId };
  await enterKey(world, { orgId: world.caller.orgId, userId }, key);
  keys.set(username, key);
};
beforeAll(async () => {
  world = await startWorld({ wrapDatabase: watched });
  await enter("ada", "Ab-c_".repeat(12));
  await enter("bob", "0123-4567-89ab-cdef-0123");
});
afterAll(() => world.stop());

const listed = z.array(z.object({ type: z.string(), id: z.string() }));
const challengeSchema = z.looseObject({
  challenge: z.string(),
  challengeIdentifier: z.string(),
  allowCredentials: z.looseObject({ key: listed, webauthn: listed }),
});
const begin = (username: string, orgId: string = world.caller.orgId) =>
  world.call("POST", "/auth/login/init", { orgId, username });
const challengeOf = async (username: string) => challengeSchema.parse((await begin(username)).body);
const strangers = Array.from({ length: 40 }, (_, at) => `nobody-${at}`);

/** An answer with every random character replaced by its kind. */
const formOf = ({ status, body }: Answer): string =>
  `${status} ${JSON.stringify(body).replace(
    /"(id|challenge|challengeIdentifier)":"([\w.-]+)"/g,
    (_, name, text) => (name === "id" ? `"id":"${spelling(String(text))}"` : `"${name}"`),
  )}`;
const spelling = (id: string): string =>
  /^[0-9a-f-]+$/.test(id) ? id.replace(/[0-9a-f]/g, "x") : `base64url of ${id.length}`;

describe("row 16: who asks to log in as somebody", () => {
  it("learns nothing from the credentials' number, kind, length or spelling about the name", async () => {
    const real = new Set([formOf(await begin("ada")), formOf(await begin("bob"))]);
    const decoys = new Set<string>();
    for (const name of strangers) decoys.add(formOf(await begin(name)));
    expect([...decoys].sort()).toEqual([...real].sort());
  });

  it("finds the same credentials each time, and others under each name", async () => {
    const first = await challengeOf("nobody-1");
    expect((await challengeOf("nobody-1")).allowCredentials).toEqual(first.allowCredentials);
    const ids = new Set<string>();
    for (const name of strangers) ids.add((await challengeOf(name)).allowCredentials.key[0]?.id ?? "");
    expect(ids.size).toBe(strangers.length);
  });

  it("finds one where nobody is: in an organisation that does not exist", async () => {
    const answer = await begin("ada", freshId(organisationIdSchema, "or"));
    expect(challengeSchema.parse(answer.body).allowCredentials.key).toHaveLength(1);
  });

  it("causes the same work with a name and without one: in asking, and in a forged signature", async () => {
    const workFor = async (username: string) => {
      asked.length = 0;
      const { challenge, challengeIdentifier, allowCredentials } = await challengeOf(username);
      const inAsking = [...asked];
      const forged = { ...makeClientKey(), credId: allowCredentials.key[0]?.id ?? "" };
      asked.length = 0;
      const body = { challengeIdentifier, firstFactor: keyFactor(forged, challenge) };
      const answer = await world.call("POST", "/auth/login", body);
      expect([answer.status, errorOf(answer.body).details.code]).toEqual([401, "LoginRefused"]);
      return [inAsking, [...asked]];
    };
    expect(await workFor("nobody-1")).toEqual(await workFor("ada"));
  });

  it("logs in with the key of the name alone", async () => {
    const { challenge, challengeIdentifier } = await challengeOf("ada");
    const key = keys.get("ada");
    if (key === undefined) throw new Error("ada has a key");
    const body = { challengeIdentifier, firstFactor: keyFactor(key, challenge) };
    expect((await world.call("POST", "/auth/login", body)).status).toBe(200);
  });
});
