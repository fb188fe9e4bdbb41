import { verify } from "node:crypto";
import { authorisedKeySchema, KEY_STORE, keyIdSchema, type UserId, userIdSchema } from "@conclave/custody";
import { freshId, listEvents, readKey } from "@conclave/platform";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { errorOf, listOf, walletOf } from "../testing/bodies.ts";
import { userOf } from "../testing/people.ts";
import { ACTIVATED, ADDRESS, CLUSTER, PUBLIC_KEY, startWorld, type World } from "../testing/world.ts";

const ecdsa = { scheme: "ECDSA", curve: "secp256k1" };
const sepolia = { network: "EthereumSepolia" };

let world: World;
let endUser: UserId;
beforeAll(async () => {
  world = await startWorld();
  endUser = await userOf(world, "EndUser");
});
afterEach(() => world.script(ACTIVATED));
afterAll(() => world.stop());

const createdKey = async (body: object = ecdsa) => {
  const { status, body: key } = await world.call("POST", "/keys", body);
  expect(status).toBe(200);
  return keyIdSchema.parse(walletOf(key).id);
};
/** The status and code of an answer, and the number of rows that the request wrote. */
const refusal = async (...request: Parameters<World["call"]>) => {
  const before = await world.rows();
  const { status, body } = await world.call(...request);
  return { status, code: errorOf(body).details.code, written: (await world.rows()) - before };
};
const refused = (status: number, code: string) => ({ status, code, written: 0 });

describe("POST /keys", () => {
  it.each([
    ["ECDSA", "secp256k1", "ECDSA"],
    ["EdDSA", "ed25519", "FROST-Ed25519"],
    ["Schnorr", "secp256k1", "FROST-Taproot"],
  ])(
    "INV-8 has the signers make %s on %s as %s, authorised by the authority",
    async (scheme, curve, made) => {
      const { status, body } = await world.call("POST", "/keys", { scheme, curve, name: "mine" });
      expect([status, body]).toEqual([
        200,
        {
          id: expect.stringMatching(/^key-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{16}$/),
          scheme,
          curve,
          publicKey: PUBLIC_KEY,
          name: "mine",
          status: "Active",
          custodial: true,
          imported: false,
          exported: false,
          dateCreated: expect.stringMatching(/Z$/),
        },
      ]);
      const key = await readKey(world.database, keyIdSchema.parse(walletOf(body).id));
      if (key === undefined) throw new Error("the key is gone");
      const { payload, signature } = key.authorisation;
      expect(verify(null, payload, world.authorityKey, signature)).toBe(true);
      expect(authorisedKeySchema.parse(JSON.parse(Buffer.from(payload).toString("utf8")))).toMatchObject({
        keyId: key.id,
        scheme: made,
        policy: { outcome: "Allowed" },
      });
      expect((await listEvents(world.database, key.id)).map(({ kind }) => kind)).toEqual(["key.created"]);
    },
  );

  it("answers the signers' problem, and the key is nowhere to be seen", async () => {
    const before = listOf((await world.call("GET", "/keys")).body).items.length;
    world.script({
      kind: "GenerationFailed",
      problem: { code: "SignersUnavailable", message: "one is down", details: {} },
    });
    const { status, body } = await world.call("POST", "/keys", ecdsa);
    expect([status, errorOf(body).details.code]).toEqual([503, "SignersUnavailable"]);
    expect(listOf((await world.call("GET", "/keys")).body).items).toHaveLength(before);
  });

  it.each([
    ["an EdDSA key on the other curve", { scheme: "EdDSA", curve: "secp256k1" }, "KeyFormatNotSupported"],
    ["a key for key agreement", { scheme: "DH", curve: "ed25519" }, "KeyFormatNotSupported"],
    ["a Stark key", { scheme: "ECDSA", curve: "stark" }, "KeyFormatNotSupported"],
    ["a scheme that nobody knows", { scheme: "RSA", curve: "secp256k1" }, "InvalidBody"],
    ["a scheme without a curve", { scheme: "ECDSA" }, "InvalidBody"],
    ["a master key", { ...ecdsa, masterKey: true }, "KeyDerivationNotSupported"],
    [
      "a derived key",
      { ...ecdsa, deriveFrom: { keyId: freshId(keyIdSchema, "key") } },
      "KeyDerivationNotSupported",
    ],
    ["a key in another store", { ...ecdsa, storeId: "ks-1" }, "KeyStoreUnknown"],
    ["a key for nobody", { ...ecdsa, delegateTo: freshId(userIdSchema, "us") }, "DelegateUnknown"],
    ["a key for no user", { ...ecdsa, delegateTo: "alice" }, "InvalidBody"],
    ["a name of 101 characters", { ...ecdsa, name: "n".repeat(101) }, "InvalidBody"],
    ["an unknown field", { ...ecdsa, network: "Ethereum" }, "InvalidBody"],
  ])("INV-9 refuses %s, and writes nothing", async (_, body, code) => {
    expect(await refusal("POST", "/keys", body)).toEqual(refused(400, code));
  });

  it("INV-9 refuses to delegate to an employee", async () => {
    const employee = await userOf(world, "CustomerEmployee");
    const body = { ...ecdsa, delegateTo: employee };
    expect(await refusal("POST", "/keys", body)).toEqual(refused(400, "DelegateUnknown"));
  });
});

describe("GET /keys", () => {
  it("INV-11 shows an organisation its own keys only, and others as if they did not exist", async () => {
    const id = await createdKey();
    const strange = { authorization: `Bearer ${world.strangersToken}` };
    expect(listOf((await world.call("GET", "/keys", undefined, strange)).body).items).toEqual([]);
    const requests = [
      ["GET", "", undefined],
      ["GET", "/attestations", undefined],
      ["PUT", "", { name: "x" }],
      ["DELETE", "", {}],
      ["POST", "/delegate", { delegateTo: endUser }],
    ] as const;
    for (const [method, path, body] of requests) {
      const theirs = await world.call(method, `/keys/${id}${path}`, body, strange);
      const unknown = await world.call(method, `/keys/${freshId(keyIdSchema, "key")}${path}`, body, strange);
      expect([theirs.status, unknown.status]).toEqual([404, 404]);
      expect(errorOf(theirs.body).message).toBe(errorOf(unknown.body).message);
    }
  });

  it("answers what each signer signed of a key, to who may read the key", async () => {
    const id = await createdKey();
    const path = `/keys/${id}/attestations`;
    const said = ["61", "62", "63"].map((byte) => Buffer.from(byte.repeat(64), "hex"));
    const [, second] = said;
    // the second signer runs the previous version
    const statements = said.map((each) => (each === second ? Buffer.alloc(0) : Buffer.from("{}")));
    await world.database.execute(
      "insert into key_attestations (key_id, signatures, statements, statement_signatures) values ($1, $2, $3, $2)",
      [id, said, statements],
    );
    const { status, body } = await world.call("GET", path);
    expect([status, body]).toEqual([
      200,
      {
        kind: "conclave-key-attestations",
        version: 1,
        clusterId: CLUSTER,
        keyId: id,
        scheme: "ECDSA",
        publicKey: PUBLIC_KEY,
        attestations: ["61", "62", "63"].map((byte, at) => ({
          signer: at + 1,
          signature: byte.repeat(64),
          ...(at === 1 ? {} : { statement: "{}", statementSignature: byte.repeat(64) }),
        })),
      },
    ]);
    const as = async (permission: "Keys:Read" | "Wallets:Read") => {
      const { token } = await world.tokenOf([permission]);
      return world.call("GET", path, undefined, { authorization: `Bearer ${token}` });
    };
    expect(await as("Keys:Read")).toMatchObject({ status: 200, body });
    expect((await as("Wallets:Read")).status).toBe(403);
  });

  it("answers no attestation of a key that a version before made", async () => {
    const { status, body } = await world.call("GET", `/keys/${await createdKey()}/attestations`);
    expect([status, Object(body).attestations]).toEqual([200, []]);
  });

  it("reads a key with its wallets and its store, and lists it with the others", async () => {
    const id = await createdKey();
    const wallets = await Promise.all(
      ["EthereumSepolia", "KeyECDSA"].map(async (network) => {
        const { body } = await world.call("POST", "/wallets", { network, signingKey: { id } });
        return { id: walletOf(body).id, network };
      }),
    );
    const { body } = await world.call("GET", `/keys/${id}`);
    expect(body).toMatchObject({ id, store: { id: KEY_STORE.id, kind: "Mpc", keyId: id } });
    expect(new Set(Object(body).wallets)).toEqual(new Set(wallets));
    const page = listOf((await world.call("GET", "/keys?limit=1")).body);
    expect([page.items.map((key) => key.id), typeof page.nextPageToken]).toEqual([[id], "string"]);
    expect((await world.call("GET", "/key-stores")).body).toEqual({
      items: [{ id: KEY_STORE.id, kind: "Mpc", primary: true }],
    });
  });

  it.each(["owner", "ownerId", "ownerUsername"])("lists what an end user has, by %s", async (word) => {
    const carol = await userOf(world, "EndUser", `carol-${word}`);
    const keyId = await createdKey({ ...ecdsa, delegateTo: carol });
    await world.call("POST", "/keys", ecdsa);
    const wallet = await world.call("POST", "/wallets", { ...sepolia, delegateTo: carol });
    const name = word === "ownerUsername" ? `carol-${word}` : carol;
    const keys = listOf((await world.call("GET", `/keys?${word}=${name}`)).body);
    expect(keys.items.map(({ id }) => id)).toEqual([Object(wallet.body).signingKey.id, keyId]);
    const wallets = listOf((await world.call("GET", `/wallets?${word}=${name}`)).body);
    expect(wallets.items).toEqual([wallet.body]);
    expect(listOf((await world.call("GET", `/wallets?${word}=nobody`)).body).items).toEqual([]);
  });

  it.each([
    ["GET", "/keys/key-1", undefined],
    ["GET", "/keys/wa-00000-00000-0000000000000000", undefined],
    ["DELETE", "/keys/%00", {}],
    ["GET", "/keys?limit=0", undefined],
    ["GET", "/keys?owner=%00", undefined],
  ])("INV-9 refuses %s %s", async (method, path, body) => {
    expect(await refusal(method, path, body)).toEqual(refused(400, "InvalidParameter"));
  });
});

describe("a key", () => {
  it("gets a name, another one, and none", async () => {
    const id = await createdKey();
    expect((await world.call("PUT", `/keys/${id}`, { name: "a" })).body).toMatchObject({ name: "a" });
    const { body } = await world.call("PUT", `/keys/${id}`, { name: null });
    expect(Object(body)).not.toHaveProperty("name");
    for (const wrong of [{}, { name: "" }, { name: 1 }, { name: "a", x: 1 }]) {
      expect(await refusal("PUT", `/keys/${id}`, wrong)).toEqual(refused(400, "InvalidBody"));
    }
  });

  it("is archived with its wallets, which can be read and take no more requests", async () => {
    const wallet = (await world.call("POST", "/wallets", sepolia)).body;
    const [walletId, keyId] = [walletOf(wallet).id, Object(wallet).signingKey.id];
    const { status, body } = await world.call("DELETE", `/keys/${keyId}`, {});
    expect([status, body]).toMatchObject([200, { status: "Archived", dateDeleted: expect.any(String) }]);
    expect((await world.call("GET", `/wallets/${walletId}`)).body).toMatchObject({ status: "Archived" });
    const ids = listOf((await world.call("GET", "/wallets?limit=500")).body).items.map(({ id }) => id);
    expect(ids).not.toContain(walletId);
    const paid = { kind: "Native", to: ADDRESS, amount: "1" };
    expect(await refusal("POST", `/wallets/${walletId}/transfers`, paid)).toEqual(
      refused(404, "WalletNotFound"),
    );
    expect(await refusal("PUT", `/wallets/${walletId}`, { name: "x" })).toEqual(
      refused(404, "WalletNotFound"),
    );
    expect(await refusal("POST", "/wallets", { network: "KeyECDSA", signingKey: { id: keyId } })).toEqual(
      refused(404, "KeyNotFound"),
    );
    expect(await refusal("DELETE", `/keys/${keyId}`, {})).toEqual(refused(404, "KeyNotFound"));
  });

  it.each([
    ["keys", "delegateTo", "Delegated"],
    ["wallets", "userId", "Delegated"],
  ])(
    "made for it becomes an end user's by way of /%s, its wallets with it, and never another's",
    async (path, word) => {
      const made = await world.call("POST", "/wallets", { ...sepolia, delayDelegation: true });
      const [walletId, keyId] = [walletOf(made.body).id, Object(made.body).signingKey.id];
      expect(made.body).toMatchObject({ custodial: true });
      const id = path === "keys" ? keyId : walletId;
      const answer = await world.call("POST", `/${path}/${id}/delegate`, { [word]: endUser });
      expect([answer.status, answer.body]).toEqual([
        200,
        { [path === "keys" ? "keyId" : "walletId"]: id, status: "Delegated" },
      ]);
      expect((await world.call("GET", `/wallets/${walletId}`)).body).toMatchObject({
        custodial: false,
        signingKey: { delegatedTo: endUser },
      });
      const kinds = [
        ...(await listEvents(world.database, keyId)),
        ...(await listEvents(world.database, walletId)),
      ];
      expect(kinds.map(({ kind }) => kind)).toEqual([
        "key.created",
        "key.delegated",
        "wallet.created",
        "wallet.delegated",
      ]);
      const other = await userOf(world, "EndUser");
      expect(await refusal("POST", `/${path}/${id}/delegate`, { [word]: other })).toEqual(
        refused(409, "KeyNotDelegable"),
      );
      // nobody else can make wallets with it either
      expect(await refusal("POST", "/wallets", { network: "KeyECDSA", signingKey: { id: keyId } })).toEqual(
        refused(403, "KeyDelegated"),
      );
    },
  );

  it("INV-9 that was not made for it is delegated to nobody, and none to a stranger", async () => {
    const id = await createdKey();
    const delegable = await createdKey({ ...ecdsa, delayDelegation: true });
    const path = `/keys/${delegable}/delegate`;
    expect(await refusal("POST", `/keys/${id}/delegate`, { delegateTo: endUser })).toEqual(
      refused(409, "KeyNotDelegable"),
    );
    expect(await refusal("POST", path, { userId: world.caller.userId })).toEqual(
      refused(400, "DelegateUnknown"),
    );
    for (const wrong of [{}, { userId: "x" }, { userId: endUser, delegateTo: endUser }]) {
      expect(await refusal("POST", path, wrong)).toEqual(refused(400, "InvalidBody"));
    }
  });

  it("INV-11 of an end user, made by it or for it, is all that it sees", async () => {
    const { token, caller } = await world.tokenOf([
      "Wallets:Create",
      "Wallets:Read",
      "Keys:Create",
      "Keys:Read",
      "Keys:Reuse",
    ]);
    await world.database.execute("update users set kind = 'EndUser' where id = $1", [caller.userId]);
    const headers = { authorization: `Bearer ${token}` };
    const call = (method: string, path: string, body?: unknown) => world.call(method, path, body, headers);
    const theirs = (await call("POST", "/wallets", sepolia)).body;
    const forThem = (await world.call("POST", "/keys", { ...ecdsa, delegateTo: caller.userId })).body;
    const others = (await world.call("POST", "/wallets", sepolia)).body;
    const othersKey = Object(others).signingKey.id;
    expect(theirs).toMatchObject({ custodial: false, signingKey: { delegatedTo: caller.userId } });
    expect(listOf((await call("GET", "/wallets")).body).items).toEqual([theirs]);
    expect(listOf((await call("GET", "/keys")).body).items.map(({ id }) => id)).toEqual([
      walletOf(forThem).id,
      Object(theirs).signingKey.id,
    ]);
    expect(listOf((await call("GET", `/wallets?owner=${endUser}`)).body).items).toEqual([]);
    const answers = [
      await call("GET", `/wallets/${walletOf(others).id}`),
      await call("GET", `/keys/${othersKey}`),
      await call("POST", "/wallets", { network: "KeyECDSA", signingKey: { id: othersKey } }),
      await call("POST", "/wallets", { ...sepolia, delegateTo: endUser }),
    ];
    expect(answers.map(({ status, body }) => [status, errorOf(body).details.code])).toEqual([
      [404, "WalletNotFound"],
      [404, "KeyNotFound"],
      [404, "KeyNotFound"],
      [400, "DelegateUnknown"],
    ]);
    await world.call("POST", "/wallets", { ...sepolia, externalId: "same" });
    const same = await call("POST", "/wallets", { ...sepolia, externalId: "same" });
    expect([same.status, errorOf(same.body).details["duplicate"]]).toEqual([409, { externalId: "same" }]);
    // an administrator sees everything, but cannot use it
    const path = `/wallets/${walletOf(theirs).id}`;
    expect((await world.call("GET", path)).status).toBe(200);
    const paid = { kind: "Native", to: ADDRESS, amount: "1" };
    expect(await refusal("POST", `${path}/transfers`, paid)).toEqual(refused(403, "KeyDelegated"));
  });

  it("takes permissions of its own, and one more to be used again", async () => {
    const keyId = await createdKey();
    const { token } = await world.tokenOf(["Wallets:Create", "Keys:Read"]);
    const limited = { authorization: `Bearer ${token}` };
    const cases = [
      ["POST", "/keys", ecdsa, "Keys:Create"],
      ["DELETE", `/keys/${keyId}`, {}, "Keys:Delete"],
      ["POST", "/wallets", { ...sepolia, signingKey: { id: keyId } }, "Keys:Reuse"],
      ["POST", "/wallets", { ...sepolia, tags: ["a"] }, "Wallets:Tags:Add"],
    ] as const;
    for (const [method, path, body, operation] of cases) {
      const answer = await world.call(method, path, body, limited);
      const { details } = errorOf(answer.body);
      expect([answer.status, details.code, details["operation"]]).toEqual([
        403,
        "PermissionMissing",
        operation,
      ]);
    }
    expect((await world.call("GET", `/keys/${keyId}`, undefined, limited)).status).toBe(200);
  });
});
