import { verify } from "node:crypto";
import {
  authorisedExportSchema,
  keyExportIdSchema,
  keyIdSchema,
  type Operation,
  organisationIdSchema,
  problem,
  walletIdSchema,
} from "@conclave/custody";
import {
  activateKeyExport,
  type Connection,
  changeKey,
  changeRights,
  freshId,
  type KeyExportOutcome,
  lockKey,
  readKeyExport,
  settleKeyExport,
} from "@conclave/platform";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { WAITING_IN_LINE } from "../testing/approval-world.ts";
import { errorOf, walletOf } from "../testing/bodies.ts";
import { userOf } from "../testing/people.ts";
import { signedCaller } from "../testing/signed-actions.ts";
import { type Answer, PUBLIC_KEY, startWorld, type World } from "../testing/world.ts";

const GENERATOR = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const encryptionKey = Buffer.from(`01${GENERATOR}`, "hex").toString("base64");
const CGGMP24 = { protocol: "CGGMP24", curve: "secp256k1" };
const body = { encryptionKey, supportedSchemes: [CGGMP24, { protocol: "FROST", curve: "ed25519" }] };
const shares = ["AAAA", "BBBB", "CCCC"].map((signerId) => ({ signerId, encryptedKeyShare: "c2VhbGVk" }));
const DONE: KeyExportOutcome = { kind: "Done", shares, publicKey: PUBLIC_KEY };
const PATIENCE = { timeout: 10_000, interval: 5 };
const network = "EthereumSepolia";

let world: World;
let signed: World["call"];
let walletId: string;
let keyId: z.infer<typeof keyIdSchema>;
const signedSchema = z.looseObject({ id: walletIdSchema, signingKey: z.looseObject({ id: keyIdSchema }) });
const freshWallet = async (more: object = {}) => {
  const { body: made } = await world.call("POST", "/wallets", { network, ...more });
  const { id, signingKey } = signedSchema.parse(made);
  return { walletId: id, keyId: signingKey.id };
};
beforeAll(async () => {
  world = await startWorld();
  signed = await signedCaller(world);
});
beforeEach(async () => {
  await activateKeyExport(world.database, world.caller.orgId, true);
  ({ walletId, keyId } = await freshWallet());
});
afterAll(() => world.stop());

const organisationSchema = z.object({ id: organisationIdSchema });
const countSchema = z.object({ total: z.string() });
const exportsOf = async (): Promise<number> => {
  const [row] = await world.database.rows(countSchema, "select count(*) as total from key_exports");
  return Number(row?.total);
};
const idSchema = z.object({ id: keyExportIdSchema });
/** The export request that waits for an orchestrator. */
const pending = () =>
  vi.waitFor(async () => {
    const sql = "select id from key_exports where status = 'Pending'";
    const [found] = await world.database.rows(idSchema, sql);
    return found?.id ?? expect.fail("nothing was asked");
  }, PATIENCE);

/** Requests an export while an orchestrator settles it with this outcome. */
const asked = async (path: string, outcome: KeyExportOutcome = DONE) => {
  const answer = signed("POST", path, body);
  const id = await pending();
  const stored = (await readKeyExport(world.database, id)) ?? expect.fail("it is stored");
  await world.database.transaction(async (connection) => {
    await settleKeyExport(connection, id, outcome);
    if (outcome.kind === "Done") {
      await changeKey(connection, stored.keyId, { kind: "Exported", date: new Date().toISOString() });
    }
  });
  world.bus.settle(id);
  return { id, stored, ...(await answer) };
};

/** The refusal, and the number of export requests to the signers that it caused. */
const refusal = async (request: () => Promise<Answer>) => {
  const before = await exportsOf();
  const { status, body: answered } = await request();
  return { status, code: errorOf(answered).details.code, asked: (await exportsOf()) - before };
};

describe("a key that a client takes", () => {
  it.each(["keys", "wallets"] as const)("is answered in sealed shares, by %s", async (area) => {
    const path = area === "keys" ? `/keys/${keyId}/export` : `/wallets/${walletId}/export`;
    const { status, body: answered, id } = await asked(path);
    expect([status, answered]).toEqual([
      200,
      { publicKey: PUBLIC_KEY, ...CGGMP24, minSigners: 3, encryptedKeyShares: shares },
    ]);
    expect(await readKeyExport(world.database, id)).toMatchObject({ status: "Done", shares: undefined });
    for (const shown of [`/keys/${keyId}`, `/wallets/${walletId}`]) {
      const { body: resource } = await world.call("GET", shown);
      expect(resource).toMatchObject({ exported: true, dateExported: expect.any(String) });
    }
  });

  it("INV-8 is authorised for this client alone, with the decision on record", async () => {
    const { id, stored } = await asked(`/keys/${keyId}/export`);
    const { payload, signature } = stored.authorisation;
    expect(verify(null, payload, world.authorityKey, signature)).toBe(true);
    const authorised = authorisedExportSchema.parse(JSON.parse(Buffer.from(payload).toString("utf8")));
    expect(authorised).toMatchObject({
      requestId: id,
      keyId,
      orgId: world.caller.orgId,
      ...CGGMP24,
      encryptionKey: `01${GENERATOR}`,
      policy: { outcome: "Allowed" },
    });
  });

  it("is not answered when an orchestrator tells of shares of another key", async () => {
    const lie = { ...DONE, publicKey: `03${PUBLIC_KEY.slice(2)}` };
    const { status, body: answered } = await asked(`/keys/${keyId}/export`, lie);
    expect([status, errorOf(answered).details.code]).toEqual([503, "KeyExportFailed"]);
  });

  it("is answered with what the signers refuse", async () => {
    const refused = { kind: "Failed", problem: problem("KeyExportDisabled") } as const;
    const { status, body: answered } = await asked(`/keys/${keyId}/export`, refused);
    expect([status, errorOf(answered).details.code]).toEqual([403, "KeyExportDisabled"]);
    const { body: key } = await world.call("GET", `/keys/${keyId}`);
    expect(key).toMatchObject({ exported: false });
  });
});

describe("INV-9 an export is refused", () => {
  it("to a token alone: it is always signed", async () => {
    const refused = { status: 403, code: "UserActionInvalid", asked: 0 };
    for (const path of [`/keys/${keyId}/export`, `/wallets/${walletId}/export`])
      expect(await refusal(() => world.call("POST", path, body))).toEqual(refused);
  });

  it("until the operator activates exports for the organisation, whatever its policies allow", async () => {
    await activateKeyExport(world.database, world.caller.orgId, false);
    const refused = { status: 403, code: "ExportNotActivated", asked: 0 };
    expect(await refusal(() => signed("POST", `/keys/${keyId}/export`, body))).toEqual(refused);
    expect(await refusal(() => signed("POST", `/wallets/${walletId}/export`, body))).toEqual(refused);
  });

  it.each([
    ["no encryption key", { encryptionKey: undefined }, 400, "InvalidBody"],
    ["an encryption key that is no base64", { encryptionKey: "%%" }, 400, "InvalidBody"],
    ["an encryption key that is no point", { encryptionKey: "AQAA" }, 400, "InvalidBody"],
    ["no schemes", { supportedSchemes: [] }, 400, "InvalidBody"],
    ["schemes that are none", { supportedSchemes: "CGGMP24" }, 400, "InvalidBody"],
    ["a field of nobody", { path: "m/0" }, 400, "InvalidBody"],
    [
      "another scheme",
      { supportedSchemes: [{ protocol: "FROST", curve: "ed25519" }] },
      409,
      "KeyExportRefused",
    ],
  ])("with %s", async (_, change, status, code) => {
    const refused = { status, code, asked: 0 };
    const wrong = { ...body, ...change };
    expect(await refusal(() => signed("POST", `/keys/${keyId}/export`, wrong))).toEqual(refused);
    expect(await refusal(() => signed("POST", `/wallets/${walletId}/export`, wrong))).toEqual(refused);
  });

  it("INV-11 to a stranger as if there were no such key", async () => {
    const stranger = await signedCaller(world, world.strangersToken);
    const sql = "select id from organisations where id <> $1";
    const [other] = await world.database.rows(organisationSchema, sql, [world.caller.orgId]);
    await activateKeyExport(world.database, other?.id ?? expect.fail("there is another"), true);
    const ask = (path: string) => refusal(() => stranger("POST", path, body));
    const unknown = freshId(keyIdSchema, "key");
    expect(await ask(`/keys/${keyId}/export`)).toEqual({ status: 404, code: "KeyNotFound", asked: 0 });
    expect(await ask(`/keys/${unknown}/export`)).toEqual({ status: 404, code: "KeyNotFound", asked: 0 });
    expect(await ask(`/wallets/${walletId}/export`)).toEqual({
      status: 404,
      code: "WalletNotFound",
      asked: 0,
    });
  });

  it("of an end user's key, and of one that is archived", async () => {
    const endUser = await userOf(world, "EndUser");
    const theirs = await freshWallet({ delegateTo: endUser });
    const ask = (id: string) => refusal(() => signed("POST", `/keys/${id}/export`, body));
    expect(await ask(theirs.keyId)).toEqual({ status: 403, code: "KeyNotCustodial", asked: 0 });
    await world.call("DELETE", `/keys/${keyId}`, {});
    expect(await ask(keyId)).toEqual({ status: 404, code: "KeyNotFound", asked: 0 });
  });

  it.each<readonly [string, object, boolean]>([
    ["blocks every signature", { rule: { kind: "AlwaysTrigger" }, action: { kind: "Block" } }, true],
    [
      "asks people about large amounts",
      {
        rule: { kind: "TransactionAmountLimit", configuration: { limit: "1000000", currency: "USD" } },
        action: { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] },
      },
      true,
    ],
    [
      "guards another wallet",
      {
        rule: { kind: "AlwaysTrigger" },
        action: { kind: "Block" },
        filters: { walletId: { in: ["another"] } },
      },
      false,
    ],
    ["only observes", { rule: { kind: "AlwaysTrigger" }, action: { kind: "NoAction" } }, false],
  ])("while a policy %s", async (name, policy, isRefused) => {
    const another = walletOf((await world.call("POST", "/wallets", { network: "EthereumSepolia" })).body).id;
    const sent = JSON.stringify({ name, activityKind: "Wallets:Sign", ...policy }).replace(
      '"another"',
      `"${another}"`,
    );
    const made = await world.call("POST", "/v2/policies", sent);
    const policyId = walletOf(made.body).id;
    const path = `/wallets/${walletId}/export`;
    if (isRefused) {
      const { status, body: answered } = await signed("POST", path, body);
      const details = { code: "PolicyBlocked", policyIds: [policyId] };
      expect([status, errorOf(answered).details]).toEqual([403, expect.objectContaining(details)]);
    } else expect((await asked(path)).status).toBe(200);
    await world.call("DELETE", `/v2/policies/${policyId}`, {});
  });

  it.each([
    [
      "tags change by which a policy finds its wallet",
      (connection: Connection) => changeRights(connection, world.caller.orgId),
      WAITING_IN_LINE,
      "update wallets set tags = '[\"treasury\"]' where id = $1",
    ],
    [
      "its key gets a wallet that a policy guards",
      (connection: Connection) => lockKey(connection, keyId),
      `select from pg_stat_activity where datname = current_database()
         and wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple')`,
      `insert into wallets (id, org_id, key_id, network, status, requester, request_body, address, tags, date_created)
       select 'wa-aaaaa-bbbbb-' || right(id, 16), org_id, key_id, 'PolygonAmoy', status, requester, request_body, address,
              '["treasury"]', now()
         from wallets where id = $1`,
    ],
  ])("INV-8 while %s: it waits for that", async (_, hold, waiting, statement) => {
    const sent = {
      name: "treasury",
      activityKind: "Wallets:Sign",
      rule: { kind: "AlwaysTrigger" },
      action: { kind: "Block" },
      filters: { walletTags: { hasAny: ["treasury"] } },
    };
    const policyId = walletOf((await world.call("POST", "/v2/policies", sent)).body).id;
    const { answer } = await world.database.transaction(async (connection) => {
      await hold(connection);
      const answer = signed("POST", `/keys/${keyId}/export`, body);
      await expect.poll(() => world.database.execute(waiting), PATIENCE).toBe(1);
      await connection.execute(statement, [walletId]);
      return { answer };
    });
    const { status, body: answered } = await answer;
    const details = { code: "PolicyBlocked", policyIds: [policyId] };
    expect([status, errorOf(answered).details]).toEqual([403, expect.objectContaining(details)]);
    await world.call("DELETE", `/v2/policies/${policyId}`, {});
  });

  it.each<readonly [readonly Operation[], number]>([
    [["Wallets:Export"], 404],
    [["Keys:Export"], 404],
    [["Keys:Import", "Wallets:Import", "Keys:Read"], 403],
  ])("without the permission of either generation of clients: %o", async (operations, status) => {
    const { token } = await world.tokenOf([...operations]);
    const call = await signedCaller(world, token);
    const [key, wallet] = [freshId(keyIdSchema, "key"), freshId(walletIdSchema, "wa")];
    expect((await call("POST", `/keys/${key}/export`, body)).status).toBe(status);
    expect((await call("POST", `/wallets/${wallet}/export`, body)).status).toBe(status);
  });
});
